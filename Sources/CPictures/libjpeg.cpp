#include "decoders.hpp"

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
// Needs size_t and FILE to be declared first.
#include <jpeglib.h>
#include <jerror.h>

// libjpeg leaves by longjmp: functions that call it must not have objects with destructors.
namespace {
struct Trouble {
  jpeg_error_mgr base;
  std::jmp_buf start;
  cpictures_reason *reason;
  /// Whether parts of the pixels are missing or wrong.
  bool is_damaged;
};

[[noreturn]] void leave(j_common_ptr codec) {
  auto *trouble = reinterpret_cast<Trouble *>(codec->err);
  char text[JMSG_LENGTH_MAX];
  codec->err->format_message(codec, text);
  std::snprintf(trouble->reason->text, sizeof trouble->reason->text, "%s", text);
  std::longjmp(trouble->start, 1);
}

void note(j_common_ptr codec, int level) {
  auto *trouble = reinterpret_cast<Trouble *>(codec->err);
  if (level >= 0) return;
  switch (codec->err->msg_code) {
    case JWRN_HIT_MARKER: case JWRN_HUFF_BAD_CODE: case JWRN_JPEG_EOF: case JWRN_MUST_RESYNC: case JWRN_ARITH_BAD_CODE:
      trouble->is_damaged = true;
      break;
    default: break;
  }
}

jpeg_error_mgr *handler(Trouble *trouble, cpictures_reason *reason) {
  jpeg_std_error(&trouble->base);
  trouble->base.error_exit = leave;
  trouble->base.emit_message = note;
  trouble->reason = reason;
  trouble->is_damaged = false;
  return &trouble->base;
}

/// A buffer for a piece of the file that libjpeg writes.
struct Destination {
  jpeg_destination_mgr base;
  cpictures_writer write;
  void *context;
  uint8_t piece[1 << 16];
};

void rewind(j_compress_ptr codec) {
  auto *to = reinterpret_cast<Destination *>(codec->dest);
  to->base.next_output_byte = to->piece;
  to->base.free_in_buffer = sizeof to->piece;
}

void hand_on(j_compress_ptr codec, size_t count) {
  auto *to = reinterpret_cast<Destination *>(codec->dest);
  if (!to->write(to->context, to->piece, count)) ERREXIT(codec, JERR_FILE_WRITE);
}

boolean empty(j_compress_ptr codec) {
  hand_on(codec, sizeof Destination::piece);
  rewind(codec);
  return TRUE;
}

void finish(j_compress_ptr codec) {
  hand_on(codec, sizeof Destination::piece - reinterpret_cast<Destination *>(codec->dest)->base.free_in_buffer);
}

/// Converts cyan, magenta, yellow and black to RGBA as if the inks were perfect, which is enough for a thumbnail. Adobe's
/// programs store the inverse.
void convert_inks(uint8_t *pixel, size_t count, bool is_inverse) {
  for (; count > 0; --count, pixel += 4) {
    for (int color = 0; color < 3; ++color) {
      pixel[color] = static_cast<uint8_t>(
          (is_inverse ? pixel[color] * pixel[3] : (255 - pixel[color]) * (255 - pixel[3])) / 255);
    }
    pixel[3] = 255;
  }
}
}  // namespace

bool decode_jpeg(
    const cpictures_file &file, const cpictures_visitor &visitor, cpictures_picture *picture,
    cpictures_reason *reason) noexcept {
  Trouble trouble;
  jpeg_decompress_struct codec;
  codec.err = handler(&trouble, reason);
  if (setjmp(trouble.start)) {
    jpeg_destroy_decompress(&codec);
    return false;
  }
  jpeg_create_decompress(&codec);
  jpeg_mem_src(&codec, file.bytes, file.count);
  jpeg_read_header(&codec, TRUE);
  const bool is_printing = codec.jpeg_color_space == JCS_CMYK || codec.jpeg_color_space == JCS_YCCK;
  if (is_printing && file.is_strict) {
    jpeg_destroy_decompress(&codec);
    return fail(reason, is_for_print, true);
  }
  const uint32_t divisor = visitor.size(visitor.context, codec.image_width, codec.image_height);
  if (divisor == 0) {
    jpeg_destroy_decompress(&codec);
    return fail(reason, is_too_large);
  }
  codec.out_color_space =
      is_printing ? JCS_CMYK : codec.jpeg_color_space == JCS_GRAYSCALE ? JCS_GRAYSCALE : JCS_RGB;
  codec.scale_num = 1;
  codec.scale_denom = divisor >= 8 ? 8 : divisor >= 4 ? 4 : divisor >= 2 ? 2 : 1;
  jpeg_start_decompress(&codec);
  uint8_t *const pixels = allocate(
      codec.output_width, codec.output_height, static_cast<uint32_t>(codec.output_components), picture);
  if (!pixels) ERREXIT1(&codec, JERR_OUT_OF_MEMORY, 0);
  while (codec.output_scanline < codec.output_height) {
    JSAMPROW row = pixels + codec.output_scanline * picture->stride;
    jpeg_read_scanlines(&codec, &row, 1);
  }
  if (is_printing) {
    convert_inks(pixels, size_t{codec.output_width} * codec.output_height, codec.saw_Adobe_marker);
  }
  jpeg_finish_decompress(&codec);
  jpeg_destroy_decompress(&codec);
  if (!trouble.is_damaged || !file.is_strict) return true;
  return fail(reason, "its pixels are damaged");
}

bool cpictures_encode_jpeg(
    const cpictures_picture *picture, const cpictures_encoding *encoding, cpictures_writer write, void *context,
    cpictures_reason *reason) noexcept {
  Trouble trouble;
  Destination destination{};
  jpeg_compress_struct codec;
  codec.err = handler(&trouble, reason);
  if (setjmp(trouble.start)) {
    jpeg_destroy_compress(&codec);
    return false;
  }
  jpeg_create_compress(&codec);
  destination.base.init_destination = rewind;
  destination.base.empty_output_buffer = empty;
  destination.base.term_destination = finish;
  destination.write = write;
  destination.context = context;
  codec.dest = &destination.base;
  codec.image_width = picture->width;
  codec.image_height = picture->height;
  codec.input_components = static_cast<int>(picture->channels);
  codec.in_color_space = picture->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&codec);
  jpeg_set_quality(&codec, encoding->quality, TRUE);
  codec.optimize_coding = TRUE;
  codec.dct_method = JDCT_ISLOW;
  if (picture->channels == 3) {
    codec.comp_info[0].h_samp_factor = codec.comp_info[0].v_samp_factor = encoding->has_full_chroma ? 1 : 2;
  }
  jpeg_start_compress(&codec, TRUE);
  while (codec.next_scanline < codec.image_height) {
    JSAMPROW row = const_cast<uint8_t *>(picture->pixels) + codec.next_scanline * picture->stride;
    jpeg_write_scanlines(&codec, &row, 1);
  }
  jpeg_finish_compress(&codec);
  jpeg_destroy_compress(&codec);
  return true;
}
