#include "recoding.hpp"

#include <cerrno>
#include <cstdio>
#include <unistd.h>

#include "mapping.hpp"
#include "pixels.hpp"
#include "sandbox.hpp"

namespace {
/// More pixels than a photo of any camera.
constexpr uint64_t most_pixels = UINT64_C(1) << 28;
/// Processor seconds for data without a size: headers, metadata.
constexpr int patience = 20;

/// Returns the seconds for a picture: many times what a slow machine needs.
int patience_for(uint64_t pixels, const wire::Recoding &wanted) {
  const uint64_t megapixels = (pixels >> 20) + 1;
  return patience + static_cast<int>(megapixels * (wanted.to == cpictures_jpeg ? 5 : 30));
}

bool accept(void *context, uint64_t width, uint64_t height) noexcept {
  if (width > UINT32_MAX || height > UINT32_MAX || width * height > most_pixels) return false;
  allow_processor_time(patience_for(width * height, *static_cast<const wire::Recoding *>(context)));
  return true;
}

/// A file in memory, written from its start.
struct Output {
  int descriptor;
  uint64_t count;
};

bool append(void *context, const uint8_t *bytes, size_t count) noexcept {
  auto &output = *static_cast<Output *>(context);
  while (count > 0) {
    const ssize_t n = pwrite(output.descriptor, bytes, count, static_cast<off_t>(output.count));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n;
    count -= static_cast<size_t>(n);
    output.count += static_cast<uint64_t>(n);
  }
  return true;
}

bool fail(cpictures_reason *reason, const char *sentence) {
  std::snprintf(reason->text, sizeof reason->text, "%s", sentence);
  return false;
}

/// Splits the third block into its parts.
bool split(const Mapping *all, uint64_t count, const wire::Recoding &wanted, cpictures_metadata &metadata) {
  cpictures_block *const parts[] = {&metadata.exif, &metadata.xmp, &metadata.iptc, &metadata.profile};
  uint64_t at = 0;
  for (size_t i = 0; i < 4; ++i) {
    if (wanted.metadata[i] == 0) continue;
    if (!all || !all->data() || wanted.metadata[i] > count - at) return false;
    *parts[i] = {all->data() + at, wanted.metadata[i]};
    at += wanted.metadata[i];
  }
  return true;
}
}  // namespace

bool recode(const Channel &channel, const wire::Request &request, Answer &answer, cpictures_reason *reason) {
  wire::Recoding wanted = request.recoding;
  if (request.blocks < 2 || wanted.quality < 1 || wanted.quality > 100) return fail(reason, "the request makes no sense");
  const Mapping file(channel.descriptor(0), request.block[0]);
  if (!file.data()) return fail(reason, "the file is empty or too large to be decoded");
  std::unique_ptr<Mapping> beside;
  if (request.blocks > 2) beside = std::make_unique<Mapping>(channel.descriptor(2), request.block[2]);
  cpictures_metadata metadata{};
  if (!split(beside.get(), request.block[2].count, wanted, metadata)) return fail(reason, "the request makes no sense");

  Pixels pixels;
  const size_t count = request.block[0].count;
  const bool is_decoded =
      wanted.from == cpictures_jpeg
          ? cpictures_decode_jpeg(file.data(), count, wanted.longest, accept, &wanted, pixels.slot(), reason)
          : cpictures_decode_heif(file.data(), count, wanted.item, accept, &wanted, pixels.slot(), reason);
  if (!is_decoded) return false;
  if (!pixels.shrink(wanted.longest) || !pixels.turn(wanted.orientation)) {
    return fail(reason, "there is no memory for it");
  }
  const cpictures_picture &picture = pixels.picture();
  const cpictures_encoding encoding{
      static_cast<cpictures_coding>(wanted.to), wanted.quality, wanted.has_full_chroma != 0, wanted.primaries,
      wanted.transfer};
  Output output{channel.descriptor(1), 0};
  const bool is_encoded =
      wanted.to == cpictures_jpeg
          ? cpictures_encode_jpeg(&picture, &encoding, append, &output, reason)
          : cpictures_encode_heif(&picture, &encoding, &metadata, append, &output, reason);
  if (!is_encoded) return false;
  answer.number(picture.width);
  answer.number(picture.height);
  answer.number(output.count);
  return true;
}
