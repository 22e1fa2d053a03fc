/// Reads foreign bytes with C and C++ libraries for metatag, where a crash or a takeover costs one photo and nothing
/// else. Descriptor 0 is a socket to the client; see wire.hpp.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>

#include "blocks.hpp"
#include "ccodecs.h"
#include "channel.hpp"
#include "recoding.hpp"
#include "sandbox.hpp"
#include "self_test.hpp"

namespace {
/// Processor seconds a request may take; the client's limit is for one that doesn't even run.
constexpr int patience = 5;

/// Fills in an answer while a library tells what it found.
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

class Service {
 public:
  [[noreturn]] void run(Purpose purpose) {
    const bool has_pictures = purpose == Purpose::pictures;
    const uint32_t greeting[] = {
        wire::version, has_pictures ? ccodecs_decoders() : 0, has_pictures ? ccodecs_encoders() : 0};
    channel_.send(wire::Status::done, greeting, sizeof greeting);
    for (;;) {
      const wire::Request request = channel_.receive();
      answer_.start();
      allow_processor_time(patience);
      if ((request.task == wire::Task::recode) != has_pictures) std::_Exit(EXIT_FAILURE);
      switch (request.task) {
        case wire::Task::libexif_entries: case wire::Task::exiv2_entries: entries(request); break;
        case wire::Task::tags: tags(request); break;
        case wire::Task::recode: recode(request); break;
        default: std::_Exit(EXIT_FAILURE);
      }
    }
  }

 private:
  Channel channel_;
  Answer answer_;

  void refuse(wire::Status status, const char *sentence) { channel_.send(status, sentence, std::strlen(sentence)); }

  void finish() {
    if (answer_.overflowed()) return refuse(wire::Status::too_large, "its metadata is too large to list");
    channel_.send(wire::Status::done, answer_.data(), answer_.count());
  }

  void entries(const wire::Request &request) {
    const uint8_t *following = channel_.bytes();
    for (size_t i = 0; i < request.blocks; ++i) {
      const size_t readable = answer_.reserve<uint8_t>(), order = answer_.reserve<uint8_t>();
      const size_t total = answer_.reserve<uint32_t>();
      Listing listing{answer_};
      bool big_endian = false;
      ccodecs_status status = ccodecs_unreadable;
      const wire::Block block = request.block[i];
      if (request.task == wire::Task::exiv2_entries) {
        const Mapping tiff(channel_.descriptor(i), block);
        if (tiff.data()) status = ccodecs_exiv2_entries(tiff.data(), block.count, &big_endian, add_entry, &listing);
      } else {
        const auto exif = with_exif_header(following, block.count);
        following += block.count;
        status = ccodecs_libexif_entries(exif.data(), exif.size(), &big_endian, add_entry, &listing);
      }
      answer_.fill<uint8_t>(readable, status == ccodecs_done);
      answer_.fill<uint8_t>(order, big_endian);
      answer_.fill(total, listing.count);
    }
    finish();
  }

  void tags(const wire::Request &request) {
    const Mapping file(channel_.descriptor(0), request.block[0]);
    if (!file.data()) return refuse(wire::Status::too_large, "the file is empty or too large to be decoded");
    const size_t total = answer_.reserve<uint32_t>();
    Listing listing{answer_};
    char reason[256];
    const auto status =
        ccodecs_all_tags(file.data(), request.block[0].count, add_tag, &listing, reason, sizeof reason);
    if (status == ccodecs_unknown) {
      return refuse(wire::Status::unsupported, "exiv2 is not asked about this format, so its tags can't be listed");
    }
    if (status == ccodecs_unreadable) return refuse(wire::Status::unreadable, reason);
    answer_.fill(total, listing.count);
    finish();
  }

  void recode(const wire::Request &request) {
    ccodecs_reason reason{};
    if (!::recode(channel_, request, answer_, &reason)) return refuse(wire::Status::unreadable, reason.text);
    finish();
  }
};

bool is_socket(int descriptor) {
  int type = 0;
  socklen_t length = sizeof type;
  return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) == 0;
}
}  // namespace

int main(int count, char **arguments) {
  const bool testing = count > 2 && std::strcmp(arguments[1], "--self-test") == 0;
  const bool is_for_pictures = count > 1 && std::strcmp(arguments[count - 1], "pictures") == 0;
  if (!testing && (count != (is_for_pictures ? 2 : 1) || !is_socket(STDIN_FILENO))) {
    std::fputs("metatag-codecs: metatag starts this program; it has no use by itself\n", stderr);
    return EXIT_FAILURE;
  }
  ccodecs_warm_up();
  Service service;
  const Purpose purpose = is_for_pictures ? Purpose::pictures : Purpose::metadata;
  if (const char *reason = lock_in(purpose)) {
    std::fprintf(stderr, "metatag-codecs: %s, so no photo can be read safely\n", reason);
    return EXIT_FAILURE;
  }
  if (testing) return self_test(arguments[2]);
  service.run(purpose);
}
