#pragma once

#include <memory>

#include "cpictures.h"

/// A decoded picture, which goes with this.
class Pixels {
 public:
  Pixels() = default;
  ~Pixels() { clear(); }
  Pixels(const Pixels &) = delete;
  Pixels &operator=(const Pixels &) = delete;

  const cpictures_picture &picture() const { return picture_; }
  /// Where a decoder puts its result.
  cpictures_picture *slot() { return &picture_; }

  /// Makes the longer side at most `longest` pixels long, each the mean of those it stands for; 0 leaves all.
  /// False when there is no memory for it.
  bool shrink(uint32_t longest);
  /// Turns and mirrors as EXIF orientation 1…8 asks for. False when there is no memory for it.
  bool turn(uint8_t orientation);

 private:
  cpictures_picture picture_{};

  void clear();
  /// Becomes this picture. Its pixels are of `new[]`.
  void become(uint32_t width, uint32_t height, std::unique_ptr<uint8_t[]> pixels);
};
