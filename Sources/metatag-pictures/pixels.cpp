#include "pixels.hpp"

#include <cstring>
#include <new>

void Pixels::clear() {
  if (picture_.release && picture_.owner) picture_.release(picture_.owner);
  picture_ = {};
}

void Pixels::become(uint32_t width, uint32_t height, uint32_t channels, std::unique_ptr<uint8_t[]> pixels) {
  clear();
  uint8_t *const owner = pixels.release();
  picture_ = {width, height, channels, size_t{width} * channels, owner, owner,
              [](void *owner) { delete[] static_cast<uint8_t *>(owner); }};
}

void Pixels::borrow(const uint8_t *rgba, uint32_t width, uint32_t height) {
  clear();
  picture_ = {width, height, 4, size_t{width} * 4, rgba, nullptr, nullptr};
}

bool Pixels::shrink(uint32_t columns, uint32_t rows) {
  const auto [width, height, channels, stride, pixels, owner, release] = picture_;
  if (columns >= width && rows >= height) return true;
  const size_t count = size_t{columns} * channels;
  std::unique_ptr<uint8_t[]> small(new (std::nothrow) uint8_t[count * rows]);
  if (!small) return false;
  // Colours count by their alpha, so that those of transparent pixels don't show.
  const bool has_alpha = channels == 4;
  const uint32_t colors = has_alpha ? 3 : channels;
  for (uint32_t row = 0; row < rows; ++row) {
    const uint64_t top = uint64_t{row} * height / rows, bottom = (uint64_t{row} + 1) * height / rows;
    for (uint32_t column = 0; column < columns; ++column) {
      const uint64_t left = uint64_t{column} * width / columns, right = (uint64_t{column} + 1) * width / columns;
      const uint64_t area = (bottom - top) * (right - left);
      uint64_t sums[3] = {0, 0, 0}, weight = 0;
      for (uint64_t y = top; y < bottom; ++y) {
        const uint8_t *pixel = pixels + y * stride + left * channels;
        for (uint64_t x = left; x < right; ++x, pixel += channels) {
          const uint32_t alpha = has_alpha ? pixel[3] : 1;
          for (uint32_t color = 0; color < colors; ++color) sums[color] += pixel[color] * alpha;
          weight += alpha;
        }
      }
      uint8_t *const to = small.get() + row * count + size_t{column} * channels;
      for (uint32_t color = 0; color < colors; ++color) {
        to[color] = static_cast<uint8_t>(weight == 0 ? 0 : (sums[color] + weight / 2) / weight);
      }
      if (has_alpha) to[3] = static_cast<uint8_t>((weight + area / 2) / area);
    }
  }
  become(columns, rows, channels, std::move(small));
  return true;
}

bool Pixels::flatten() {
  const auto [width, height, channels, stride, pixels, owner, release] = picture_;
  if (channels != 4) return true;
  std::unique_ptr<uint8_t[]> opaque(new (std::nothrow) uint8_t[size_t{width} * height * 3]);
  if (!opaque) return false;
  uint8_t *to = opaque.get();
  for (uint32_t row = 0; row < height; ++row) {
    const uint8_t *pixel = pixels + row * stride;
    for (uint32_t column = 0; column < width; ++column, pixel += 4) {
      const uint32_t alpha = pixel[3];
      for (int color = 0; color < 3; ++color) {
        *to++ = static_cast<uint8_t>((pixel[color] * alpha + 255 * (255 - alpha) + 127) / 255);
      }
    }
  }
  become(width, height, 3, std::move(opaque));
  return true;
}

bool Pixels::turn(uint8_t orientation) {
  if (orientation < 2 || orientation > 8) return true;
  const auto [width, height, channels, stride, pixels, owner, release] = picture_;
  const bool is_swapped = orientation >= 5;
  const uint32_t columns = is_swapped ? height : width, rows = is_swapped ? width : height;
  std::unique_ptr<uint8_t[]> turned(new (std::nothrow) uint8_t[size_t{columns} * rows * channels]);
  if (!turned) return false;
  // Where the 0th row and the 0th column of the stored picture are shown: TIFF 6.0, Orientation.
  const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool from_bottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  uint8_t *to = turned.get();
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t column = 0; column < columns; ++column, to += channels) {
      const uint32_t x = is_swapped ? row : column, y = is_swapped ? column : row;
      const size_t from = (from_bottom ? height - 1 - y : y) * stride + size_t{from_right ? width - 1 - x : x} * channels;
      std::memcpy(to, pixels + from, channels);
    }
  }
  become(columns, rows, channels, std::move(turned));
  return true;
}
