#pragma once

#include <memory>

#include "cpictures.h"

/// A decoded picture, freed with this object.
class Pixels {
 public:
  Pixels() = default;
  ~Pixels() { clear(); }
  Pixels(const Pixels &) = delete;
  Pixels &operator=(const Pixels &) = delete;

  const cpictures_picture &picture() const { return picture_; }
  /// The place for a decoder's result.
  cpictures_picture *slot() { return &picture_; }

  /// Shrinks the longer side to at most `longest` pixels, each the mean of the pixels it covers; 0 keeps all. Returns
  /// false if out of memory.
  bool shrink(uint32_t longest);
  /// Applies an EXIF orientation from 1 to 8. Returns false if out of memory.
  bool turn(uint8_t orientation);

 private:
  cpictures_picture picture_{};

  void clear();
  /// Replaces the picture. The pixels are allocated with `new[]`.
  void become(uint32_t width, uint32_t height, std::unique_ptr<uint8_t[]> pixels);
};
