/// Reads metadata with libexif and exiv2.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "ccodecs.h"
#include "mapping.hpp"
#include "service.hpp"

namespace {
static_assert(wire::longest_block == ccodecs_libexif_limit);

/// Collects an answer while a library visits values.
struct Listing {
  Answer &answer;
  uint32_t count = 0;
};

bool add_entry(void *context, const ccodecs_entry *entry) noexcept {
  auto &listing = *static_cast<Listing *>(context);
  listing.answer.number(entry->ifd);
  listing.answer.number(entry->tag);
  listing.answer.number(entry->format);
  listing.answer.number(entry->components);
  listing.answer.counted(entry->bytes, entry->count);
  ++listing.count;
  return !listing.answer.overflowed();
}

bool add_tag(void *context, const ccodecs_tag *tag) noexcept {
  auto &listing = *static_cast<Listing *>(context);
  for (const ccodecs_text &text : {tag->key, tag->type, tag->interpreted, tag->raw}) {
    listing.answer.counted(text.text, text.count);
  }
  ++listing.count;
  return !listing.answer.overflowed();
}

/// Returns the block after `Exif\0\0`.
std::vector<uint8_t> with_exif_header(const uint8_t *block, size_t count) {
  std::vector<uint8_t> exif{'E', 'x', 'i', 'f', 0, 0};
  exif.insert(exif.end(), block, block + count);
  return exif;
}

void entries(const Channel &channel, const wire::Request &request, Answer &answer) {
  const uint8_t *following = channel.bytes();
  for (size_t i = 0; i < request.blocks; ++i) {
    const size_t readable = answer.reserve<uint8_t>(), order = answer.reserve<uint8_t>();
    const size_t total = answer.reserve<uint32_t>();
    Listing listing{answer};
    bool big_endian = false;
    ccodecs_status status = ccodecs_unreadable;
    const wire::Block block = request.block[i];
    if (request.task == wire::Task::exiv2_entries) {
      const Mapping tiff(channel.descriptor(i), block);
      if (tiff.data()) status = ccodecs_exiv2_entries(tiff.data(), block.count, &big_endian, add_entry, &listing);
    } else {
      const auto exif = with_exif_header(following, block.count);
      following += block.count;
      status = ccodecs_libexif_entries(exif.data(), exif.size(), &big_endian, add_entry, &listing);
    }
    answer.fill<uint8_t>(readable, status == ccodecs_done);
    answer.fill<uint8_t>(order, big_endian);
    answer.fill(total, listing.count);
  }
}

wire::Status tags(const Channel &channel, const wire::Request &request, Answer &answer, char (&reason)[256]) {
  const Mapping file(channel.descriptor(0), request.block[0]);
  if (!file.data()) {
    std::snprintf(reason, sizeof reason, "the file is empty or too large to be decoded");
    return wire::Status::too_large;
  }
  const size_t total = answer.reserve<uint32_t>();
  Listing listing{answer};
  const auto status =
      ccodecs_all_tags(file.data(), request.block[0].count, add_tag, &listing, reason, sizeof reason);
  if (status == ccodecs_unknown) {
    std::snprintf(reason, sizeof reason, "listing all tags is not available for this format");
    return wire::Status::unsupported;
  }
  if (status == ccodecs_unreadable) return wire::Status::unreadable;
  answer.fill(total, listing.count);
  return wire::Status::done;
}

wire::Status reply(const Channel &channel, const wire::Request &request, Answer &answer, char (&reason)[256]) {
  switch (request.task) {
    case wire::Task::libexif_entries: case wire::Task::exiv2_entries:
      entries(channel, request, answer);
      return wire::Status::done;
    case wire::Task::tags: return tags(channel, request, answer, reason);
    default: std::_Exit(EXIT_FAILURE);
  }
}
}  // namespace

int main(int count, char **arguments) {
  return Service{"metatag-codecs", Purpose::metadata, ccodecs_warm_up, nullptr, nullptr, reply}.run(count, arguments);
}
