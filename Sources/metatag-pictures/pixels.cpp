#include "pixels.hpp"

#include <cstring>
#include <new>

void Pixels::clear() {
  if (picture_.release && picture_.owner) picture_.release(picture_.owner);
  picture_ = {};
}

void Pixels::become(uint32_t width, uint32_t height, std::unique_ptr<uint8_t[]> pixels) {
  const uint32_t channels = picture_.channels;
  clear();
  uint8_t *const owner = pixels.release();
  picture_ = {width, height, channels, size_t{width} * channels, owner, owner,
              [](void *owner) { delete[] static_cast<uint8_t *>(owner); }};
}

bool Pixels::shrink(uint32_t longest) {
  const auto [width, height, channels, stride, pixels, owner, release] = picture_;
  const uint64_t side = width > height ? width : height;
  if (longest == 0 || side <= longest) return true;
  const auto scaled = [&](uint64_t count) {
    const uint64_t rounded = (count * longest + side / 2) / side;
    return static_cast<uint32_t>(rounded == 0 ? 1 : rounded);
  };
  const uint32_t columns = scaled(width), rows = scaled(height);
  const size_t count = size_t{columns} * channels;
  std::unique_ptr<uint8_t[]> small(new (std::nothrow) uint8_t[count * rows]);
  if (!small) return false;
  for (uint32_t row = 0; row < rows; ++row) {
    const uint64_t top = uint64_t{row} * height / rows, bottom = (uint64_t{row} + 1) * height / rows;
    for (uint32_t column = 0; column < columns; ++column) {
      const uint64_t left = uint64_t{column} * width / columns, right = (uint64_t{column} + 1) * width / columns;
      const uint64_t area = (bottom - top) * (right - left);
      uint64_t sums[3] = {area / 2, area / 2, area / 2};
      for (uint64_t y = top; y < bottom; ++y) {
        const uint8_t *pixel = pixels + y * stride + left * channels;
        for (uint64_t x = left; x < right; ++x) {
          for (uint32_t channel = 0; channel < channels; ++channel) sums[channel] += *pixel++;
        }
      }
      for (uint32_t channel = 0; channel < channels; ++channel) {
        small[row * count + column * channels + channel] = static_cast<uint8_t>(sums[channel] / area);
      }
    }
  }
  become(columns, rows, std::move(small));
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
  become(columns, rows, std::move(turned));
  return true;
}
