/// The protocol between client and program; all numbers are little-endian. `Sources/Decoding` has the other end; change
/// both together, and `version` with them.
#pragma once

#include <cstddef>
#include <cstdint>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are sent as they lie in memory");

namespace wire {
constexpr uint32_t version = 4;

enum class Task : uint16_t {
  /// The entries that libexif finds in EXIF blocks, which follow the request without descriptors. Answer, per block: u8
  /// readable, u8 big-endian, u32 count, then the entries (u16 ifd, u16 tag, u16 format, u32 components, u32 length,
  /// bytes).
  libexif_entries = 1,
  /// All values of one file. Answer: u32 count, then key, type, interpreted and raw value, each as u32 length and
  /// bytes.
  tags = 2,
  /// Like `libexif_entries`, but by exiv2, in parts of files.
  exiv2_entries = 3,
  /// Encodes the picture in the first block into the file in the second; the third has the metadata to include. Answer:
  /// u32 width, u32 height, u64 length of the new file, u32 length and bytes of the ICC profile that the decoder found.
  /// Only in `metatag-pictures`.
  recode = 4,
};

/// Part of a file whose descriptor is sent with the request, or this many bytes after the request.
struct Block {
  uint64_t offset;
  uint64_t count;
};

constexpr size_t most_blocks = 3;
/// The length of the longest block that follows a request: all that libexif reads.
constexpr size_t longest_block = 0xFFFE - 6;

/// The relation of a picture that is shrunk to `Recoding::width` and `height`. It is never enlarged.
enum class Scaling : uint8_t {
  /// The full size, whatever they are.
  none = 0,
  /// Neither side is longer.
  fitting = 1,
  /// Neither side is shorter.
  filling = 2,
};

/// How to encode a picture. Codings are `cpictures_coding`.
struct Recoding {
  /// The item of a HEIF file, 0 for the primary item; for pixels that are not coded, their number in a row.
  uint32_t item;
  /// The size to shrink the upright picture to, in pixels.
  uint16_t width;
  uint16_t height;
  /// The lengths of EXIF, XMP, IPTC and ICC profile in the third block.
  uint32_t metadata[4];
  uint8_t from;
  uint8_t to;
  /// 1…100
  uint8_t quality;
  /// The EXIF orientation to apply; for HEIF, in addition to the file's own transformations.
  uint8_t orientation;
  uint8_t has_full_chroma;
  /// ITU-T H.273
  uint8_t primaries;
  uint8_t transfer;
  Scaling scaling;
};
static_assert(sizeof(Recoding) == 32);

/// Except for `libexif_entries`, a descriptor for each of its `blocks` is sent with its first byte.
struct Request {
  uint32_t version;
  Task task;
  uint16_t blocks;
  Block block[most_blocks];
  Recoding recoding;
};
static_assert(sizeof(Request) == 88);

enum class Status : uint32_t {
  done = 0,
  /// The rest of the answer is a message, as for all values below.
  unreadable = 1,
  too_large = 2,
  unsupported = 3,
};

/// The start of every answer. The greeting is an answer too: the version, then the codings to decode and encode as sets
/// of `cpictures_coding`, both empty except in `metatag-pictures`.
struct Head {
  Status status;
  uint32_t count;
};
static_assert(sizeof(Head) == 8);

constexpr size_t longest_answer = size_t{16} << 20;
}  // namespace wire
