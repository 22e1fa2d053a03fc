#include "decoders.hpp"

uint32_t cpictures_decoders() noexcept {
  return cpictures_jpeg | heif_decoders() | cpictures_png | cpictures_webp | cpictures_tiff | cpictures_gif |
         cpictures_jxl;
}

bool cpictures_decode(
    cpictures_coding coding, const cpictures_file *file, const cpictures_visitor *visitor, cpictures_picture *picture,
    cpictures_reason *reason) noexcept {
  switch (coding) {
    case cpictures_jpeg: return decode_jpeg(*file, *visitor, picture, reason);
    case cpictures_hevc: case cpictures_av1: return decode_heif(*file, *visitor, picture, reason);
    case cpictures_png: return decode_png(*file, *visitor, picture, reason);
    case cpictures_webp: return decode_webp(*file, *visitor, picture, reason);
    case cpictures_tiff: return decode_tiff(*file, *visitor, picture, reason);
    case cpictures_gif: return decode_gif(*file, *visitor, picture, reason);
    case cpictures_jxl: return decode_jxl(*file, *visitor, picture, reason);
    case cpictures_pixels: break;
  }
  return fail(reason, "there is no decoder for it", true);
}
