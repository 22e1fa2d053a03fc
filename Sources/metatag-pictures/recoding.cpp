#include "recoding.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <unistd.h>
#include <vector>

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
  const bool is_fast = wanted.to == cpictures_jpeg || wanted.to == cpictures_pixels;
  return patience + static_cast<int>(megapixels * (is_fast ? 5 : 30));
}

struct Size {
  uint32_t width;
  uint32_t height;
};

/// Returns the size to which a picture, not yet upright, is shrunk.
Size scaled(uint32_t width, uint32_t height, const wire::Recoding &wanted) {
  if (wanted.scaling == wire::Scaling::none || wanted.width == 0 || wanted.height == 0) return {width, height};
  const bool is_turned = wanted.orientation >= 5;
  const uint64_t columns = is_turned ? wanted.height : wanted.width, rows = is_turned ? wanted.width : wanted.height;
  const bool is_wider = columns * height < rows * width;
  const auto share = [](uint64_t side, uint64_t part, uint64_t whole) {
    const uint64_t rounded = (side * part + whole / 2) / whole;
    return static_cast<uint32_t>(rounded == 0 ? 1 : rounded);
  };
  // The side that decides is the relatively longer one if the picture is to fit in, otherwise the shorter one.
  if (is_wider == (wanted.scaling == wire::Scaling::fitting)) {
    return columns >= width ? Size{width, height} : Size{static_cast<uint32_t>(columns), share(height, columns, width)};
  }
  return rows >= height ? Size{width, height} : Size{share(width, rows, height), static_cast<uint32_t>(rows)};
}

/// The parameters for decoding a picture, and its profile.
struct Visit {
  const wire::Recoding &wanted;
  std::vector<uint8_t> profile;
};

uint32_t accept(void *context, uint64_t width, uint64_t height) noexcept {
  if (width > UINT32_MAX || height > UINT32_MAX || width * height > most_pixels) return 0;
  const wire::Recoding &wanted = static_cast<Visit *>(context)->wanted;
  allow_processor_time(patience_for(width * height, wanted));
  const Size size = scaled(static_cast<uint32_t>(width), static_cast<uint32_t>(height), wanted);
  return static_cast<uint32_t>(width > height ? width / size.width : height / size.height);
}

void keep_profile(void *context, const uint8_t *bytes, size_t count) noexcept {
  // A longer one isn't kept. Profiles with tables have some megabytes.
  if (count > wire::longest_answer / 2) return;
  try {
    static_cast<Visit *>(context)->profile.assign(bytes, bytes + count);
  } catch (...) {
  }
}

/// Whether a profile is for pixels with this number of channels (ICC.1:2010, 7.2.6).
bool fits(const std::vector<uint8_t> &profile, uint32_t channels) {
  return profile.size() >= 128 && std::memcmp(profile.data() + 16, channels == 1 ? "GRAY" : "RGB ", 4) == 0;
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

/// Writes pixels as red, green, blue and alpha.
bool write_pixels(const cpictures_picture &picture, Output &output, cpictures_reason *reason) {
  const size_t count = size_t{picture.width} * 4;
  std::unique_ptr<uint8_t[]> line(new (std::nothrow) uint8_t[count]);
  if (!line) return fail(reason, "there is no memory for it");
  for (uint32_t row = 0; row < picture.height; ++row) {
    const uint8_t *from = picture.pixels + row * picture.stride;
    for (uint8_t *to = line.get(); to < line.get() + count; to += 4, from += picture.channels) {
      const bool is_grey = picture.channels == 1;
      to[0] = from[0];
      to[1] = from[is_grey ? 0 : 1];
      to[2] = from[is_grey ? 0 : 2];
      to[3] = picture.channels == 4 ? from[3] : 255;
    }
    if (!append(&output, line.get(), count)) return fail(reason, "there is no room for the pixels");
  }
  return true;
}

/// Reads the picture into `pixels`.
bool read(
    const uint8_t *bytes, size_t count, Visit &visit, Pixels &pixels, cpictures_reason *reason) {
  const wire::Recoding &wanted = visit.wanted;
  if (wanted.from == cpictures_pixels) {
    const size_t row = size_t{wanted.item} * 4;
    if (row == 0 || count % row != 0 || accept(&visit, wanted.item, count / row) == 0) {
      return fail(reason, "the request makes no sense");
    }
    pixels.borrow(bytes, wanted.item, static_cast<uint32_t>(count / row));
    return true;
  }
  // A thumbnail shows what can be decoded; a copy would lose something.
  const cpictures_file file{bytes, count, wanted.item, wanted.to != cpictures_pixels};
  const cpictures_visitor visitor{&visit, accept, keep_profile};
  return cpictures_decode(static_cast<cpictures_coding>(wanted.from), &file, &visitor, pixels.slot(), reason);
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
  const wire::Recoding &wanted = request.recoding;
  if (request.blocks < 2 || wanted.quality < 1 || wanted.quality > 100) return fail(reason, "the request makes no sense");
  const Mapping file(channel.descriptor(0), request.block[0]);
  if (!file.data()) return fail(reason, "the file is empty or too large to be decoded");
  std::unique_ptr<Mapping> beside;
  if (request.blocks > 2) beside = std::make_unique<Mapping>(channel.descriptor(2), request.block[2]);
  cpictures_metadata metadata{};
  if (!split(beside.get(), request.block[2].count, wanted, metadata)) return fail(reason, "the request makes no sense");

  Visit visit{wanted, {}};
  Pixels pixels;
  if (!read(file.data(), request.block[0].count, visit, pixels, reason)) return false;
  const Size size = scaled(pixels.picture().width, pixels.picture().height, wanted);
  if ((wanted.to != cpictures_pixels && !pixels.flatten()) || !pixels.shrink(size.width, size.height) ||
      !pixels.turn(wanted.orientation)) {
    return fail(reason, "there is no memory for it");
  }
  const cpictures_picture &picture = pixels.picture();
  if (!fits(visit.profile, wanted.to == cpictures_pixels ? 4 : picture.channels)) visit.profile.clear();
  if (metadata.profile.count == 0) metadata.profile = {visit.profile.data(), visit.profile.size()};
  const cpictures_encoding encoding{
      static_cast<cpictures_coding>(wanted.to), wanted.quality, wanted.has_full_chroma != 0, wanted.primaries,
      wanted.transfer};
  Output output{channel.descriptor(1), 0};
  const bool is_encoded =
      wanted.to == cpictures_pixels ? write_pixels(picture, output, reason)
      : wanted.to == cpictures_jpeg ? cpictures_encode_jpeg(&picture, &encoding, append, &output, reason)
                                    : cpictures_encode_heif(&picture, &encoding, &metadata, append, &output, reason);
  if (!is_encoded) return false;
  answer.number(picture.width);
  answer.number(picture.height);
  answer.number(output.count);
  answer.counted(visit.profile.data(), visit.profile.size());
  return true;
}
