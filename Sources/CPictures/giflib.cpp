#include "decoders.hpp"

#include <algorithm>
#include <cstring>
#include <gif_lib.h>
#include <memory>
#include <new>

namespace {
struct Input {
  const uint8_t *bytes;
  size_t left;
};

int read(GifFileType *gif, GifByteType *to, int count) {
  auto *input = static_cast<Input *>(gif->UserData);
  const size_t length = std::min(input->left, static_cast<size_t>(std::max(0, count)));
  std::memcpy(to, input->bytes, length);
  input->bytes += length;
  input->left -= length;
  return static_cast<int>(length);
}

struct Close {
  void operator()(GifFileType *gif) const { DGifCloseFile(gif, nullptr); }
};

/// Reads to the first frame. Returns whether there is one; `transparent` becomes its transparent colour, or -1.
bool find_frame(GifFileType *gif, int &transparent) {
  for (;;) {
    GifRecordType record = UNDEFINED_RECORD_TYPE;
    if (DGifGetRecordType(gif, &record) != GIF_OK || record == TERMINATE_RECORD_TYPE) return false;
    if (record == IMAGE_DESC_RECORD_TYPE) return DGifGetImageDesc(gif) == GIF_OK;
    if (record != EXTENSION_RECORD_TYPE) return false;
    int kind = 0;
    GifByteType *block = nullptr;
    if (DGifGetExtension(gif, &kind, &block) != GIF_OK) return false;
    GraphicsControlBlock control;
    if (kind == GRAPHICS_EXT_FUNC_CODE && block && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
      transparent = control.TransparentColor;
    }
    while (block) {
      if (DGifGetExtensionNext(gif, &block) != GIF_OK) return false;
    }
  }
}

/// Returns the row of an interlaced frame that comes after `row` (GIF89a, appendix E); `pass` counts from 0.
int next_row(int row, int &pass, int height) {
  constexpr int starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
  row += steps[pass];
  while (row >= height && pass < 3) row = starts[++pass];
  return row;
}

bool decode(GifFileType *gif, const cpictures_visitor &visitor, cpictures_picture *picture, cpictures_reason *reason) {
  int transparent = NO_TRANSPARENT_COLOR;
  const int width = gif->SWidth, height = gif->SHeight;
  if (width <= 0 || height <= 0) return fail(reason, "the picture has no size");
  if (visitor.size(visitor.context, static_cast<uint64_t>(width), static_cast<uint64_t>(height)) == 0) {
    return fail(reason, is_too_large);
  }
  if (!find_frame(gif, transparent)) return fail(reason, "it has no frame");
  const GifImageDesc &frame = gif->Image;
  const ColorMapObject *colors = frame.ColorMap ? frame.ColorMap : gif->SColorMap;
  if (!colors || frame.Width <= 0 || frame.Height <= 0) return fail(reason, "its first frame has no colours or no size");
  const std::unique_ptr<GifPixelType[]> line(new (std::nothrow) GifPixelType[static_cast<size_t>(frame.Width)]);
  uint8_t *const pixels =
      line ? allocate(static_cast<uint32_t>(width), static_cast<uint32_t>(height), 4, picture) : nullptr;
  if (!pixels) return fail(reason, is_out_of_memory);
  const int columns = std::min(frame.Width, width - frame.Left);
  int row = 0, pass = 0;
  for (int count = 0; count < frame.Height; ++count) {
    if (DGifGetLine(gif, line.get(), frame.Width) != GIF_OK) return fail(reason, "its pixels are damaged");
    for (int column = 0; column < columns && frame.Top + row < height; ++column) {
      const int color = line[column];
      if (color == transparent || color >= colors->ColorCount) continue;
      const GifColorType &entry = colors->Colors[color];
      const uint8_t pixel[] = {entry.Red, entry.Green, entry.Blue, 255};
      std::memcpy(pixels + (size_t(frame.Top + row) * size_t(width) + size_t(frame.Left + column)) * 4, pixel, 4);
    }
    row = frame.Interlace ? next_row(row, pass, frame.Height) : row + 1;
  }
  return true;
}
}  // namespace

bool decode_gif(
    const cpictures_file &file, const cpictures_visitor &visitor, cpictures_picture *picture,
    cpictures_reason *reason) noexcept {
  Input input{file.bytes, file.count};
  int error = 0;
  const std::unique_ptr<GifFileType, Close> gif(DGifOpen(&input, read, &error));
  if (!gif) return fail(reason, "its header is damaged");
  return decode(gif.get(), visitor, picture, reason);
}
