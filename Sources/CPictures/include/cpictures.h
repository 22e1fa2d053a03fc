/// Pictures decoded and encoded by C and C++ libraries: libheif for HEVC and AV1, libjpeg-turbo for JPEG. As with
/// `ccodecs.h`: no exception and no pointer gets out, no file is opened, and only the sandboxed program calls it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define CPICTURES_NOEXCEPT noexcept
extern "C" {
#else
#define CPICTURES_NOEXCEPT
#endif

#pragma clang assume_nonnull begin

/// How pixels are coded; the values are bits of a set.
typedef enum __attribute__((enum_extensibility(closed))) {
  cpictures_jpeg = 1,
  cpictures_hevc = 2,
  cpictures_av1 = 4,
} cpictures_coding;

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
} cpictures_picture;

/// How a picture is to be encoded.
typedef struct {
  cpictures_coding coding;
  /// 1…100
  int quality;
  /// Colour at full resolution (4:4:4), else at half (4:2:0).
  bool has_full_chroma;
  /// ITU-T H.273, for HEVC and AV1.
  uint8_t primaries;
  uint8_t transfer;
} cpictures_encoding;

/// A stretch of bytes; none: count 0.
typedef struct {
  const uint8_t *_Nullable bytes;
  size_t count;
} cpictures_block;

/// What goes into a HEIF file beside the picture.
typedef struct {
  /// A TIFF structure.
  cpictures_block exif;
  cpictures_block xmp;
  cpictures_block iptc;
  /// An ICC profile.
  cpictures_block profile;
} cpictures_metadata;

/// Why something could not be done, for people.
typedef struct {
  char text[256];
} cpictures_reason;

/// Is told a picture's size before it is decoded. Returns false when that is too large.
typedef bool (*cpictures_size_visitor)(void *context, uint64_t width, uint64_t height) CPICTURES_NOEXCEPT;
/// Takes the next bytes of a file in the making. Returns false when it can't.
typedef bool (*cpictures_writer)(void *context, const uint8_t *bytes, size_t count) CPICTURES_NOEXCEPT;

/// What can be decoded and encoded here: sets of `cpictures_coding`.
uint32_t cpictures_decoders(void) CPICTURES_NOEXCEPT;
uint32_t cpictures_encoders(void) CPICTURES_NOEXCEPT;

/// Decodes a picture of a HEIF file, cropped, turned and mirrored as the file says.
/// - item: its number; 0 for the primary.
bool cpictures_decode_heif(
    const uint8_t *file, size_t count, uint32_t item, cpictures_size_visitor accept, void *context,
    cpictures_picture *picture, cpictures_reason *reason) CPICTURES_NOEXCEPT;

/// Decodes a JPEG as its pixels are stored.
/// - longest: pixels the longer side must have at least; 0 for all of them, and then damage is an error.
bool cpictures_decode_jpeg(
    const uint8_t *file, size_t count, uint32_t longest, cpictures_size_visitor accept, void *context,
    cpictures_picture *picture, cpictures_reason *reason) CPICTURES_NOEXCEPT;

/// Writes a JPEG: JFIF, baseline, optimised tables, without metadata.
bool cpictures_encode_jpeg(
    const cpictures_picture *picture, const cpictures_encoding *encoding, cpictures_writer write, void *context,
    cpictures_reason *reason) CPICTURES_NOEXCEPT;

/// Writes a HEIF file of one picture.
bool cpictures_encode_heif(
    const cpictures_picture *picture, const cpictures_encoding *encoding, const cpictures_metadata *metadata,
    cpictures_writer write, void *context, cpictures_reason *reason) CPICTURES_NOEXCEPT;

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif
