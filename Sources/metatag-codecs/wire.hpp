/// What client and program say to each other, all numbers little-endian. `Sources/MetaTag/Codecs/Child` has the other
/// end; both change together, and `version` with them.
#pragma once

#include <cstddef>
#include <cstdint>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are sent as they lie in memory");

namespace wire {
constexpr uint32_t version = 1;

enum class Task : uint16_t {
  /// The entries libexif finds in one or two EXIF blocks. Answer: per block, u8 readable, u8 big-endian, u32 count, the
  /// entries (u16 ifd, u16 tag, u16 format, u32 components, u32 length, bytes).
  libexif_entries = 1,
  /// Every value of one file. Answer: u32 count, then key, type, interpreted and raw, each u32 length and bytes.
  tags = 2,
  /// As `libexif_entries`, by exiv2.
  exiv2_entries = 3,
};

/// Part of a file, whose descriptor travels with the request.
struct Block {
  uint64_t offset;
  uint64_t count;
};

constexpr size_t most_blocks = 2;

/// As many descriptors as `blocks` come with its first byte.
struct Request {
  uint32_t version;
  Task task;
  uint16_t blocks;
  Block block[most_blocks];
};
static_assert(sizeof(Request) == 40);

enum class Status : uint32_t {
  done = 0,
  /// The rest of the answer is a sentence, for this one too and all that follow.
  unreadable = 1,
  too_large = 2,
  /// Someone cut the file short.
  changed = 3,
  unsupported = 4,
};

/// Before every answer; the greeting is an answer too, of the version.
struct Head {
  Status status;
  uint32_t count;
};
static_assert(sizeof(Head) == 8);

constexpr size_t longest_answer = size_t{16} << 20;
}  // namespace wire
