/// Metadata as C and C++ libraries read it, in plain C. No C++ exception leaves these functions, no pointer outlives
/// the call it was passed to, and no file is opened.
///
/// These libraries have had memory errors and will have more: call them only in the sandboxed program.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define CCODECS_NOEXCEPT noexcept
extern "C" {
#else
#define CCODECS_NOEXCEPT
#endif

#pragma clang assume_nonnull begin

/// The result of a reading.
typedef enum __attribute__((enum_extensibility(closed))) {
  /// Everything that the library understood was visited.
  ccodecs_done,
  /// The library understood nothing.
  ccodecs_unreadable,
  /// Not a format that is passed to the library.
  ccodecs_unknown,
  /// The visitor stopped.
  ccodecs_stopped,
} ccodecs_status;

/// An entry of a TIFF directory, as stored.
typedef struct {
  /// 0 IFD0, 1 IFD1, 2 EXIF, 3 GPS, 4 Interoperability; from 16 on, directories that only exiv2 knows.
  uint16_t ifd;
  uint16_t tag;
  /// TIFF 6.0 type, 1…13.
  uint16_t format;
  uint32_t components;
  size_t count;
  /// `count` bytes in the byte order of the block. For values longer than `ccodecs_longest_value`, a digest of 8 bytes
  /// that shows whether two values are equal, except deliberate collisions.
  const uint8_t *bytes;
} ccodecs_entry;

/// Text from exiv2, at best UTF-8; ends with a NUL that isn't counted.
typedef struct {
  const char *text;
  size_t count;
} ccodecs_text;

/// A value with its name in exiv2's dictionary.
typedef struct {
  /// `Exif.Photo.DateTimeOriginal`
  ccodecs_text key;
  /// `Ascii`, `Rational`, `LangAlt`, …
  ccodecs_text type;
  /// The meaning, for people.
  ccodecs_text interpreted;
  /// The stored value as text. Empty for long binary values.
  ccodecs_text raw;
} ccodecs_tag;

/// Returns false to stop.
typedef bool (*ccodecs_entry_visitor)(void *context, const ccodecs_entry *entry) CCODECS_NOEXCEPT;
/// Returns false to stop.
typedef bool (*ccodecs_tag_visitor)(void *context, const ccodecs_tag *tag) CCODECS_NOEXCEPT;

/// The number of bytes of a TIFF block that libexif reads; it doesn't see the rest.
enum { ccodecs_libexif_limit = 0xFFFE - 6 };
/// The length of the longest value that is passed on whole, in bytes.
enum { ccodecs_longest_value = 65536 };

/// Does everything that needs files (locales, iconv tables), so that nothing has to be opened later.
void ccodecs_warm_up(void) CCODECS_NOEXCEPT;

/// Visits every entry that libexif finds in an EXIF block, unrepaired, with maker notes as raw bytes, and at the end
/// the thumbnail as the value of tag 0x201 of IFD1. libexif never lists the pointers to directories and to the
/// thumbnail.
/// - exif: `Exif\0\0`, then the TIFF block, of which at most `ccodecs_libexif_limit` bytes are read.
/// - big_endian: The block's byte order, if something was readable.
ccodecs_status ccodecs_libexif_entries(
    const uint8_t *exif, size_t count, bool *big_endian, ccodecs_entry_visitor visit, void *context) CCODECS_NOEXCEPT;

/// Visits every entry that exiv2 finds in a TIFF block of any length (not BigTIFF), including those in maker notes.
ccodecs_status ccodecs_exiv2_entries(
    const uint8_t *tiff, size_t count, bool *big_endian, ccodecs_entry_visitor visit, void *context) CCODECS_NOEXCEPT;

/// Visits every EXIF, IPTC and XMP value that exiv2 finds in a JPEG, TIFF, DNG, CR2, ORF, PNG or WebP file, or in an
/// XMP packet.
/// - reason: The reason why it was unreadable, in at most `reason_count` bytes including the NUL.
ccodecs_status ccodecs_all_tags(
    const uint8_t *file, size_t count, ccodecs_tag_visitor visit, void *context, char *reason, size_t reason_count)
    CCODECS_NOEXCEPT;

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif
