#include "cpictures.h"

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

bool fail(cpictures_reason *reason, const char *sentence) {
  std::snprintf(reason->text, sizeof reason->text, "%s", sentence);
  return false;
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

/// Returns the largest shrinking by 2, 4 or 8 that leaves at least `longest` pixels.
unsigned shrinking(const jpeg_decompress_struct &codec, uint32_t longest) {
  const uint32_t side = codec.image_width > codec.image_height ? codec.image_width : codec.image_height;
  unsigned by = 1;
  while (longest > 0 && by < 8 && side / (by * 2) >= longest) by *= 2;
  return by;
}
}  // namespace

bool cpictures_decode_jpeg(
    const uint8_t *file, size_t count, uint32_t longest, cpictures_size_visitor accept, void *context,
    cpictures_picture *picture, cpictures_reason *reason) noexcept {
  Trouble trouble;
  jpeg_decompress_struct codec;
  uint8_t *volatile pixels = nullptr;
  codec.err = handler(&trouble, reason);
  if (setjmp(trouble.start)) {
    jpeg_destroy_decompress(&codec);
    std::free(pixels);
    return false;
  }
  jpeg_create_decompress(&codec);
  jpeg_mem_src(&codec, file, count);
  jpeg_read_header(&codec, TRUE);
  if (codec.jpeg_color_space == JCS_CMYK || codec.jpeg_color_space == JCS_YCCK) {
    jpeg_destroy_decompress(&codec);
    return fail(reason, "its colours are those of print (CMYK), which can't be converted here");
  }
  if (!accept(context, codec.image_width, codec.image_height)) {
    jpeg_destroy_decompress(&codec);
    return fail(reason, "the picture is too large to be decoded");
  }
  codec.out_color_space = codec.jpeg_color_space == JCS_GRAYSCALE ? JCS_GRAYSCALE : JCS_RGB;
  codec.scale_num = 1;
  codec.scale_denom = shrinking(codec, longest);
  jpeg_start_decompress(&codec);
  const size_t stride = size_t{codec.output_width} * static_cast<size_t>(codec.output_components);
  pixels = static_cast<uint8_t *>(std::malloc(stride * codec.output_height));
  if (!pixels) ERREXIT1(&codec, JERR_OUT_OF_MEMORY, 0);
  while (codec.output_scanline < codec.output_height) {
    JSAMPROW row = pixels + codec.output_scanline * stride;
    jpeg_read_scanlines(&codec, &row, 1);
  }
  *picture = {codec.output_width, codec.output_height, static_cast<uint32_t>(codec.output_components),
              stride, pixels, pixels, std::free};
  jpeg_finish_decompress(&codec);
  jpeg_destroy_decompress(&codec);
  if (!trouble.is_damaged || longest > 0) return true;
  std::free(pixels);
  *picture = {};
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
