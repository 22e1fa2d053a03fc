/// Pictures decoded and encoded by C and C++ libraries: libheif for HEVC and AV1, libjpeg-turbo for JPEG. As with
/// `ccodecs.h`: no exception and no pointer gets out, no file is opened, and only the sandboxed program calls it.
#pragma once

#include "ccodecs.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma clang assume_nonnull begin

/// How pixels are coded; the values are bits of a set.
typedef enum __attribute__((enum_extensibility(closed))) {
  ccodecs_jpeg = 1,
  ccodecs_hevc = 2,
  ccodecs_av1 = 4,
} ccodecs_coding;

/// Pixels of 8 bits a channel, in rows from the top.
typedef struct {
  uint32_t width;
  uint32_t height;
  /// 1 grey, 3 red, green, blue.
  uint32_t channels;
  /// Bytes from one row to the next.
  size_t stride;
  const uint8_t *_Nullable pixels;
  /// What holds the pixels, and lets go of them.
  void *_Nullable owner;
  void (*_Nullable release)(void *owner);
} ccodecs_picture;

/// How a picture is to be encoded.
typedef struct {
  ccodecs_coding coding;
  /// 1…100
  int quality;
  /// Colour at full resolution (4:4:4), else at half (4:2:0).
  bool has_full_chroma;
  /// ITU-T H.273, for HEVC and AV1.
  uint8_t primaries;
  uint8_t transfer;
} ccodecs_encoding;

/// A stretch of bytes; none: count 0.
typedef struct {
  const uint8_t *_Nullable bytes;
  size_t count;
} ccodecs_block;

/// What goes into a HEIF file beside the picture.
typedef struct {
  /// A TIFF structure.
  ccodecs_block exif;
  ccodecs_block xmp;
  ccodecs_block iptc;
  /// An ICC profile.
  ccodecs_block profile;
} ccodecs_metadata;

/// Why something could not be done, for people.
typedef struct {
  char text[256];
} ccodecs_reason;

/// Is told a picture's size before it is decoded. Returns false when that is too large.
typedef bool (*ccodecs_size_visitor)(void *context, uint64_t width, uint64_t height) CCODECS_NOEXCEPT;
/// Takes the next bytes of a file in the making. Returns false when it can't.
typedef bool (*ccodecs_writer)(void *context, const uint8_t *bytes, size_t count) CCODECS_NOEXCEPT;

/// What can be decoded and encoded here: sets of `ccodecs_coding`.
uint32_t ccodecs_decoders(void) CCODECS_NOEXCEPT;
uint32_t ccodecs_encoders(void) CCODECS_NOEXCEPT;

/// Decodes a picture of a HEIF file, cropped, turned and mirrored as the file says.
/// - item: its number; 0 for the primary.
bool ccodecs_decode_heif(
    const uint8_t *file, size_t count, uint32_t item, ccodecs_size_visitor accept, void *context,
    ccodecs_picture *picture, ccodecs_reason *reason) CCODECS_NOEXCEPT;

/// Decodes a JPEG as its pixels are stored.
/// - longest: pixels the longer side must have at least; 0 for all of them, and then damage is an error.
bool ccodecs_decode_jpeg(
    const uint8_t *file, size_t count, uint32_t longest, ccodecs_size_visitor accept, void *context,
    ccodecs_picture *picture, ccodecs_reason *reason) CCODECS_NOEXCEPT;

/// Writes a JPEG: JFIF, baseline, optimised tables, without metadata.
bool ccodecs_encode_jpeg(
    const ccodecs_picture *picture, const ccodecs_encoding *encoding, ccodecs_writer write, void *context,
    ccodecs_reason *reason) CCODECS_NOEXCEPT;

/// Writes a HEIF file of one picture.
bool ccodecs_encode_heif(
    const ccodecs_picture *picture, const ccodecs_encoding *encoding, const ccodecs_metadata *metadata,
    ccodecs_writer write, void *context, ccodecs_reason *reason) CCODECS_NOEXCEPT;

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif
