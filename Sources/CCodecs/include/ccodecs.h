/// What C and C++ libraries know of foreign bytes, as plain C. No C++ exception leaves these functions, no pointer
/// outlives the call it was given in, and nothing here opens a file.
///
/// These libraries have had memory errors and will have more: call them from the sandboxed program only.
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

/// How a reading ended.
typedef enum __attribute__((enum_extensibility(closed))) {
  /// Everything the library understood was visited.
  ccodecs_done,
  /// Nothing in the bytes made sense to the library.
  ccodecs_unreadable,
  /// The library is not asked about files that begin like this.
  ccodecs_unknown,
  /// The visitor wanted no more.
  ccodecs_stopped,
} ccodecs_status;

/// An entry of a TIFF directory as it is stored.
typedef struct {
  /// 0 IFD0, 1 IFD1, 2 EXIF, 3 GPS, 4 Interoperability; from 16 on, directories only exiv2 knows.
  uint16_t ifd;
  uint16_t tag;
  /// TIFF 6.0 type, 1…13.
  uint16_t format;
  uint32_t components;
  size_t count;
  /// `count` bytes, in the byte order of the block; of values over `ccodecs_longest_value` a digest of 8 bytes, which
  /// tells whether two are equal unless someone took pains.
  const uint8_t *bytes;
} ccodecs_entry;

/// A value of any namespace as exiv2 tells it; the texts are UTF-8 at best, and end with a NUL that isn't counted.
typedef struct {
  const char *text;
  size_t count;
} ccodecs_text;

/// A value with its name, as exiv2's dictionary has it.
typedef struct {
  /// `Exif.Photo.DateTimeOriginal`
  ccodecs_text key;
  /// `Ascii`, `Rational`, `LangAlt`, …
  ccodecs_text type;
  /// What it means, for people.
  ccodecs_text interpreted;
  /// What is stored, as text. Empty for long binary values.
  ccodecs_text raw;
} ccodecs_tag;

/// Returns false to see no more.
typedef bool (*ccodecs_entry_visitor)(void *context, const ccodecs_entry *entry) CCODECS_NOEXCEPT;
/// Returns false to see no more.
typedef bool (*ccodecs_tag_visitor)(void *context, const ccodecs_tag *tag) CCODECS_NOEXCEPT;

/// Bytes of a TIFF block that libexif looks at; what lies behind is invisible to it.
enum { ccodecs_libexif_limit = 0xFFFE - 6 };
/// Bytes of the longest value that is handed over whole.
enum { ccodecs_longest_value = 65536 };

/// Does everything that needs files (locales, iconv tables), so that nothing has to be opened afterwards.
void ccodecs_warm_up(void) CCODECS_NOEXCEPT;

/// Visits every entry libexif finds in an EXIF block, unrepaired, maker notes as raw bytes, at last the thumbnail as if
/// it were the value of tag 0x201 of IFD1. libexif never lists the pointers to directories and to the thumbnail.
/// - exif: `Exif\0\0`, then the TIFF block, of which at most `ccodecs_libexif_limit` bytes are seen.
/// - big_endian: the block's byte order, when something was readable.
ccodecs_status ccodecs_libexif_entries(
    const uint8_t *exif, size_t count, bool *big_endian, ccodecs_entry_visitor visit, void *context) CCODECS_NOEXCEPT;

/// Visits every entry exiv2 finds in a TIFF block of any length (not BigTIFF), the maker notes' own entries too.
ccodecs_status ccodecs_exiv2_entries(
    const uint8_t *tiff, size_t count, bool *big_endian, ccodecs_entry_visitor visit, void *context) CCODECS_NOEXCEPT;

/// Visits every EXIF, IPTC and XMP value exiv2 finds in a JPEG, TIFF, DNG, CR2, ORF, PNG or WebP file, or an XMP packet.
/// - reason: why it was unreadable, in at most `reason_count` bytes with the NUL.
ccodecs_status ccodecs_all_tags(
    const uint8_t *file, size_t count, ccodecs_tag_visitor visit, void *context, char *reason, size_t reason_count)
    CCODECS_NOEXCEPT;

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif
