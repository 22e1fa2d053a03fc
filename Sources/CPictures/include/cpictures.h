/// Picture decoding and encoding by C and C++ libraries: libheif for HEVC and AV1, libjpeg-turbo for JPEG; decoding only by
/// libpng, libwebp, libtiff, giflib and libjxl. As in `ccodecs.h`, no exception and no pointer leaves these functions, no
/// file is opened, and only the sandboxed program calls them.
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

/// A coding of pixels; the values are bits of a set.
typedef enum __attribute__((enum_extensibility(closed))) {
  /// Pixels that are not coded: red, green, blue and alpha, 8 bits each, in rows from the top.
  cpictures_pixels = 0,
  cpictures_jpeg = 1,
  cpictures_hevc = 2,
  cpictures_av1 = 4,
  cpictures_png = 8,
  cpictures_webp = 16,
  cpictures_tiff = 32,
  cpictures_gif = 64,
  cpictures_jxl = 128,
} cpictures_coding;

/// Pixels with 8 bits per channel, in rows from the top.
typedef struct {
  uint32_t width;
  uint32_t height;
  /// 1 for grey; 3 for red, green and blue; 4 with alpha, by which the colours are not multiplied.
  uint32_t channels;
  /// The number of bytes from one row to the next.
  size_t stride;
  const uint8_t *_Nullable pixels;
  /// The owner of the pixels, which frees them.
  void *_Nullable owner;
  void (*_Nullable release)(void *owner);
} cpictures_picture;

/// How to encode a picture.
typedef struct {
  cpictures_coding coding;
  /// 1…100
  int quality;
  /// Colour at full resolution (4:4:4), otherwise at half (4:2:0).
  bool has_full_chroma;
  /// ITU-T H.273, for HEVC and AV1.
  uint8_t primaries;
  uint8_t transfer;
} cpictures_encoding;

/// A range of bytes; count is 0 for none.
typedef struct {
  const uint8_t *_Nullable bytes;
  size_t count;
} cpictures_block;

/// Metadata to include in a HEIF file.
typedef struct {
  /// A TIFF structure.
  cpictures_block exif;
  cpictures_block xmp;
  cpictures_block iptc;
  /// An ICC profile.
  cpictures_block profile;
} cpictures_metadata;

/// A reason for a failure, for people.
typedef struct {
  char text[256];
  /// Whether the file may be fine, but the decoder can't do it.
  bool is_unsupported;
} cpictures_reason;

/// Receives what is known of a picture before it is decoded.
typedef struct {
  void *context;
  /// Receives the size. Returns by how much a decoder may divide both sides, 1 for not at all; 0 if the picture is too large.
  uint32_t (*size)(void *context, uint64_t width, uint64_t height) CPICTURES_NOEXCEPT;
  /// Receives the ICC profile of the pixels, unless they are sRGB or the client knows it.
  void (*profile)(void *context, const uint8_t *bytes, size_t count) CPICTURES_NOEXCEPT;
} cpictures_visitor;

/// A coded picture.
typedef struct {
  const uint8_t *bytes;
  size_t count;
  /// The item of a HEIF file; 0 for the primary item.
  uint32_t item;
  /// Whether it is an error that a JPEG is damaged, or that colours are those of print (CMYK); otherwise the pixels are what
  /// could be decoded, with approximate colours.
  bool is_strict;
} cpictures_file;

/// Writes the next bytes of a file. Returns false on failure.
typedef bool (*cpictures_writer)(void *context, const uint8_t *bytes, size_t count) CPICTURES_NOEXCEPT;

/// The codings that can be decoded and encoded here, as sets of `cpictures_coding`.
uint32_t cpictures_decoders(void) CPICTURES_NOEXCEPT;
uint32_t cpictures_encoders(void) CPICTURES_NOEXCEPT;

/// Decodes the main picture of a file, of several frames or pages the first. A crop, rotation and mirroring that HEIF or
/// JPEG XL records is applied; an orientation in other files is not. The caller releases `picture`, also after a failure.
bool cpictures_decode(
    cpictures_coding coding, const cpictures_file *file, const cpictures_visitor *visitor, cpictures_picture *picture,
    cpictures_reason *reason) CPICTURES_NOEXCEPT;

/// Writes a JPEG: JFIF, baseline, optimized tables, no metadata.
bool cpictures_encode_jpeg(
    const cpictures_picture *picture, const cpictures_encoding *encoding, cpictures_writer write, void *context,
    cpictures_reason *reason) CPICTURES_NOEXCEPT;

/// Writes a HEIF file with one picture.
bool cpictures_encode_heif(
    const cpictures_picture *picture, const cpictures_encoding *encoding, const cpictures_metadata *metadata,
    cpictures_writer write, void *context, cpictures_reason *reason) CPICTURES_NOEXCEPT;

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif
