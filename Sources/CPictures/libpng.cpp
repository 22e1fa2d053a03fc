#include "decoders.hpp"

#include <csetjmp>
#include <cstring>
#include <png.h>

// libpng leaves by longjmp: functions that call it must not have objects with destructors.
namespace {
struct Input {
  const uint8_t *bytes;
  size_t left;
};

void read(png_structp png, png_bytep to, size_t count) {
  auto *input = static_cast<Input *>(png_get_io_ptr(png));
  if (count > input->left) png_error(png, "the file ends too soon");
  std::memcpy(to, input->bytes, count);
  input->bytes += count;
  input->left -= count;
}

[[noreturn]] void leave(png_structp png, png_const_charp text) {
  fail(static_cast<cpictures_reason *>(png_get_error_ptr(png)), text);
  png_longjmp(png, 1);
}

void ignore(png_structp, png_const_charp) {}

/// Has libpng convert samples to 8 bits: grey, RGB or RGBA. Returns the number of channels.
uint32_t convert(png_structp png, png_infop info) {
  png_set_expand(png);
  png_set_scale_16(png);
  const int color = png_get_color_type(png, info);
  const bool is_transparent = color & PNG_COLOR_MASK_ALPHA || png_get_valid(png, info, PNG_INFO_tRNS);
  if (is_transparent) png_set_gray_to_rgb(png);
  return is_transparent ? 4 : color & PNG_COLOR_MASK_COLOR ? 3 : 1;
}
}  // namespace

bool decode_png(
    const cpictures_file &file, const cpictures_visitor &visitor, cpictures_picture *picture,
    cpictures_reason *reason) noexcept {
  Input input{file.bytes, file.count};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reason, leave, ignore);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (!info) {
    png_destroy_read_struct(&png, &info, nullptr);
    return fail(reason, is_out_of_memory);
  }
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, nullptr);
    return false;
  }
  png_set_read_fn(png, &input, read);
  png_read_info(png, info);
  const uint32_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
  if (visitor.size(visitor.context, width, height) == 0) png_error(png, is_too_large);
  png_charp name = nullptr;
  png_bytep profile = nullptr;
  png_uint_32 length = 0;
  int compression = 0;
  if (png_get_iCCP(png, info, &name, &compression, &profile, &length)) {
    visitor.profile(visitor.context, profile, length);
  }
  const uint32_t channels = convert(png, info);
  const int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  if (png_get_rowbytes(png, info) != size_t{width} * channels) png_error(png, "its rows have an unknown form");
  uint8_t *const pixels = allocate(width, height, channels, picture);
  if (!pixels) png_error(png, is_out_of_memory);
  for (int pass = 0; pass < passes; ++pass) {
    for (uint32_t row = 0; row < height; ++row) png_read_row(png, pixels + row * picture->stride, nullptr);
  }
  png_destroy_read_struct(&png, &info, nullptr);
  return true;
}
