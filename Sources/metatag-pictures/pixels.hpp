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

  /// Makes pixels in a row the picture. They must outlive it.
  void borrow(const uint8_t *rgba, uint32_t width, uint32_t height);
  /// Shrinks the picture to a size, each pixel the mean of the pixels it covers. Returns false if out of memory.
  bool shrink(uint32_t columns, uint32_t rows);
  /// Puts a transparent picture on white, for formats without alpha. Returns false if out of memory.
  bool flatten();
  /// Applies an EXIF orientation from 1 to 8. Returns false if out of memory.
  bool turn(uint8_t orientation);

 private:
  cpictures_picture picture_{};

  void clear();
  /// Replaces the picture. The pixels are allocated with `new[]`.
  void become(uint32_t width, uint32_t height, uint32_t channels, std::unique_ptr<uint8_t[]> pixels);
};
