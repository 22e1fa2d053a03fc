/// What client and program say to each other, all numbers little-endian. `Sources/MetaTag/Codecs/Child` has the other
/// end; both change together, and `version` with them.
#pragma once

#include <cstddef>
#include <cstdint>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are sent as they lie in memory");

namespace wire {
constexpr uint32_t version = 3;

enum class Task : uint16_t {
  /// The entries libexif finds in EXIF blocks, which follow the request: no descriptors come with it. Answer: per block,
  /// u8 readable, u8 big-endian, u32 count, the entries (u16 ifd, u16 tag, u16 format, u32 components, u32 length, bytes).
  libexif_entries = 1,
  /// Every value of one file. Answer: u32 count, then key, type, interpreted and raw, each u32 length and bytes.
  tags = 2,
  /// As `libexif_entries`, by exiv2, of parts of files.
  exiv2_entries = 3,
  /// The picture in the first block, coded anew into the file that is the second; the third has what goes in beside it.
  /// Answer: u32 width, u32 height, u64 length of the new file. Only of `metatag-pictures`.
  recode = 4,
};

/// Part of a file, whose descriptor travels with the request; or so many bytes behind the request.
struct Block {
  uint64_t offset;
  uint64_t count;
};

constexpr size_t most_blocks = 3;
/// Bytes of a block that follows a request: as many as libexif looks at.
constexpr size_t longest_block = 0xFFFE - 6;

/// How a picture is to be coded anew. Codings are `cpictures_coding`.
struct Recoding {
  /// Which item of a HEIF file; 0: the primary.
  uint32_t item;
  /// Pixels its longer side is shrunk to; 0: all.
  uint32_t longest;
  /// Lengths of EXIF, XMP, IPTC and the ICC profile in the third block.
  uint32_t metadata[4];
  uint8_t from;
  uint8_t to;
  /// 1…100
  uint8_t quality;
  /// EXIF orientation that becomes 1; of HEIF, behind what the file itself asks for.
  uint8_t orientation;
  uint8_t has_full_chroma;
  /// ITU-T H.273
  uint8_t primaries;
  uint8_t transfer;
  uint8_t unused;
};
static_assert(sizeof(Recoding) == 32);

/// As many descriptors as `blocks` come with its first byte, but for `libexif_entries`.
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
  /// The rest of the answer is a sentence, for this one too and all that follow.
  unreadable = 1,
  too_large = 2,
  unsupported = 3,
};

/// Before every answer. The greeting is an answer too: the version, then what can be decoded and encoded, sets of
/// `cpictures_coding`, both empty but of `metatag-pictures`.
struct Head {
  Status status;
  uint32_t count;
};
static_assert(sizeof(Head) == 8);

constexpr size_t longest_answer = size_t{16} << 20;
}  // namespace wire
