/// The decoders, one per library, for `cpictures_decode`. Nothing leaves them but a picture that its owner frees.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "cpictures.h"

using Decoder = bool(
    const cpictures_file &file, const cpictures_visitor &visitor, cpictures_picture *picture,
    cpictures_reason *reason) noexcept;

Decoder decode_gif, decode_heif, decode_jpeg, decode_jxl, decode_png, decode_tiff, decode_webp;

/// The codings that libheif can decode, as a set.
uint32_t heif_decoders() noexcept;

inline constexpr char is_too_large[] = "the picture is too large to be decoded";
inline constexpr char is_out_of_memory[] = "there is no memory for it";
inline constexpr char is_for_print[] = "its colours are those of print (CMYK), which can't be converted here";

inline bool fail(cpictures_reason *reason, const char *sentence, bool is_unsupported = false) {
  std::snprintf(reason->text, sizeof reason->text, "%s", sentence);
  reason->is_unsupported = is_unsupported;
  return false;
}

/// Allocates a picture's pixels, all zero. Returns null if there is no memory for them.
inline uint8_t *allocate(uint32_t width, uint32_t height, uint32_t channels, cpictures_picture *picture) {
  const size_t stride = size_t{width} * channels;
  auto *const pixels = static_cast<uint8_t *>(std::calloc(height, stride));
  *picture = {width, height, channels, stride, pixels, pixels, std::free};
  return pixels;
}
