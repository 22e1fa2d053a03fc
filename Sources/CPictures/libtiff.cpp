#include "decoders.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstring>
#include <memory>
#include <tiffio.h>

namespace {
/// The most directories that are searched for the first page.
constexpr int most_directories = 64;

/// The file in memory, with a position.
struct Input {
  const uint8_t *bytes;
  uint64_t count;
  uint64_t at;
};

tmsize_t read(thandle_t handle, void *to, tmsize_t count) {
  auto *input = static_cast<Input *>(handle);
  if (count <= 0 || input->at >= input->count) return 0;
  const auto length = std::min<uint64_t>(static_cast<uint64_t>(count), input->count - input->at);
  std::memcpy(to, input->bytes + input->at, length);
  input->at += length;
  return static_cast<tmsize_t>(length);
}

tmsize_t write(thandle_t, void *, tmsize_t) { return 0; }

toff_t seek(thandle_t handle, toff_t offset, int whence) {
  auto *input = static_cast<Input *>(handle);
  input->at = offset + (whence == SEEK_CUR ? input->at : whence == SEEK_END ? input->count : 0);
  return input->at;
}

int close(thandle_t) { return 0; }

toff_t size(thandle_t handle) { return static_cast<Input *>(handle)->count; }

/// Receives libtiff's messages, of which the last is kept: it goes on after some of them.
cpictures_reason *current = nullptr;

void note(const char *, const char *format, va_list arguments) {
  if (current) std::vsnprintf(current->text, sizeof current->text, format, arguments);
}

struct Close {
  void operator()(TIFF *tiff) const { TIFFClose(tiff); }
};

/// Goes to the first directory that is neither a smaller copy nor a mask; to the first of all if there is none.
bool find_page(TIFF *tiff) {
  for (int number = 0; number < most_directories; ++number) {
    uint32_t kind = 0;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SUBFILETYPE, &kind);
    if ((kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) == 0) return true;
    if (!TIFFReadDirectory(tiff)) break;
  }
  return TIFFSetDirectory(tiff, 0) != 0;
}

/// Moves RGBA pixels that are multiplied by alpha to a picture with fewer channels, or without that multiplication.
void pack(uint8_t *pixels, size_t count, uint32_t channels) {
  const uint8_t *from = pixels;
  for (size_t index = 0; index < count; ++index, from += 4, pixels += channels) {
    const uint32_t alpha = from[3];
    for (uint32_t channel = 0; channel < channels; ++channel) {
      const uint32_t value = from[channel];
      pixels[channel] = static_cast<uint8_t>(
          channels < 4 || channel == 3 || alpha == 0 ? value : std::min(255u, (value * 255 + alpha / 2) / alpha));
    }
  }
}

bool decode(
    TIFF *tiff, bool is_strict, const cpictures_visitor &visitor, cpictures_picture *picture, cpictures_reason *reason) {
  uint32_t width = 0, height = 0, length = 0;
  uint16_t photometric = 0, compression = COMPRESSION_NONE;
  void *profile = nullptr;
  char text[1024] = "";
  if (!find_page(tiff)) return fail(reason, "it has no page");
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
  TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
  if (width == 0 || height == 0) return fail(reason, "the picture has no size");
  if (photometric == PHOTOMETRIC_SEPARATED && is_strict) return fail(reason, is_for_print, true);
  if (!TIFFIsCODECConfigured(compression)) return fail(reason, "libtiff doesn't know its compression", true);
  if (!TIFFRGBAImageOK(tiff, text)) return fail(reason, text, true);
  if (visitor.size(visitor.context, width, height) == 0) return fail(reason, is_too_large);
  if (TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &length, &profile)) {
    visitor.profile(visitor.context, static_cast<const uint8_t *>(profile), length);
  }
  TIFFRGBAImage image;
  if (!TIFFRGBAImageBegin(&image, tiff, 1, text)) return fail(reason, text, true);
  // The client applies the orientation.
  image.orientation = image.req_orientation = ORIENTATION_TOPLEFT;
  uint8_t *const pixels = allocate(width, height, 4, picture);
  const bool is_done = pixels && TIFFRGBAImageGet(&image, reinterpret_cast<uint32_t *>(pixels), width, height);
  const bool is_transparent = image.alpha != 0;
  TIFFRGBAImageEnd(&image);
  if (!pixels) return fail(reason, is_out_of_memory);
  if (!is_done) return reason->text[0] ? false : fail(reason, "its pixels are damaged");
  const bool is_grey = photometric == PHOTOMETRIC_MINISBLACK || photometric == PHOTOMETRIC_MINISWHITE;
  picture->channels = is_transparent ? 4 : is_grey ? 1 : 3;
  picture->stride = size_t{width} * picture->channels;
  pack(pixels, size_t{width} * height, picture->channels);
  return true;
}
}  // namespace

bool decode_tiff(
    const cpictures_file &file, const cpictures_visitor &visitor, cpictures_picture *picture,
    cpictures_reason *reason) noexcept {
  Input input{file.bytes, file.count, 0};
  current = reason;
  TIFFSetErrorHandler(note);
  TIFFSetWarningHandler(nullptr);
  // Without mapping: the file is in memory already.
  const std::unique_ptr<TIFF, Close> tiff(
      TIFFClientOpen("picture", "rm", &input, read, write, seek, close, size, nullptr, nullptr));
  if (!tiff) return reason->text[0] ? false : fail(reason, "its header is damaged");
  return decode(tiff.get(), file.is_strict, visitor, picture, reason);
}
