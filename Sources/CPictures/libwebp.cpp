#include "decoders.hpp"

#include <cstring>
#include <memory>
#include <webp/decode.h>
#include <webp/demux.h>

namespace {
struct Release {
  void operator()(WebPDemuxer *demuxer) const { WebPDemuxDelete(demuxer); }
  void operator()(WebPAnimDecoder *decoder) const { WebPAnimDecoderDelete(decoder); }
};

void pass_profile(const WebPData &data, const cpictures_visitor &visitor) {
  const std::unique_ptr<WebPDemuxer, Release> demuxer(WebPDemux(&data));
  WebPChunkIterator chunk{};
  if (!demuxer || !WebPDemuxGetChunk(demuxer.get(), "ICCP", 1, &chunk)) return;
  visitor.profile(visitor.context, chunk.chunk.bytes, chunk.chunk.size);
  WebPDemuxReleaseChunkIterator(&chunk);
}

bool decode_first_frame(const WebPData &data, cpictures_picture *picture, cpictures_reason *reason) {
  WebPAnimDecoderOptions options;
  if (!WebPAnimDecoderOptionsInit(&options)) return fail(reason, "libwebp has another version", true);
  options.color_mode = MODE_RGBA;
  const std::unique_ptr<WebPAnimDecoder, Release> decoder(WebPAnimDecoderNew(&data, &options));
  WebPAnimInfo info;
  uint8_t *canvas = nullptr;
  int time = 0;
  if (!decoder || !WebPAnimDecoderGetInfo(decoder.get(), &info) ||
      !WebPAnimDecoderGetNext(decoder.get(), &canvas, &time)) {
    return fail(reason, "its first frame can't be decoded");
  }
  uint8_t *const pixels = allocate(info.canvas_width, info.canvas_height, 4, picture);
  if (!pixels) return fail(reason, is_out_of_memory);
  std::memcpy(pixels, canvas, picture->stride * picture->height);
  return true;
}
}  // namespace

bool decode_webp(
    const cpictures_file &file, const cpictures_visitor &visitor, cpictures_picture *picture,
    cpictures_reason *reason) noexcept {
  const WebPData data{file.bytes, file.count};
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config)) return fail(reason, "libwebp has another version", true);
  if (WebPGetFeatures(file.bytes, file.count, &config.input) != VP8_STATUS_OK) {
    return fail(reason, "its header is damaged");
  }
  const auto width = static_cast<uint32_t>(config.input.width), height = static_cast<uint32_t>(config.input.height);
  const uint32_t divisor = visitor.size(visitor.context, width, height);
  if (divisor == 0) return fail(reason, is_too_large);
  pass_profile(data, visitor);
  if (config.input.has_animation) return decode_first_frame(data, picture, reason);
  const uint32_t columns = (width + divisor - 1) / divisor, rows = (height + divisor - 1) / divisor;
  const uint32_t channels = config.input.has_alpha ? 4 : 3;
  uint8_t *const pixels = allocate(columns, rows, channels, picture);
  if (!pixels) return fail(reason, is_out_of_memory);
  config.options.use_scaling = divisor > 1;
  config.options.scaled_width = static_cast<int>(columns);
  config.options.scaled_height = static_cast<int>(rows);
  config.output.colorspace = channels == 4 ? MODE_RGBA : MODE_RGB;
  config.output.is_external_memory = 1;
  config.output.u.RGBA = {pixels, static_cast<int>(picture->stride), picture->stride * rows};
  const VP8StatusCode status = WebPDecode(file.bytes, file.count, &config);
  WebPFreeDecBuffer(&config.output);
  if (status == VP8_STATUS_OK) return true;
  return fail(reason, status == VP8_STATUS_OUT_OF_MEMORY ? is_out_of_memory : "its pixels are damaged");
}
