#include "decoders.hpp"

#include <jxl/decode.h>
#include <jxl/version.h>
#include <memory>
#include <new>

namespace {
struct Destroy {
  void operator()(JxlDecoder *decoder) const { JxlDecoderDestroy(decoder); }
};

/// Has the decoder convert colours to sRGB where it can: if they are coded as XYB.
void prefer_srgb(JxlDecoder *decoder, const JxlBasicInfo &info) {
  if (info.uses_original_profile) return;
  JxlColorEncoding srgb{};
  srgb.color_space = info.num_color_channels == 1 ? JXL_COLOR_SPACE_GRAY : JXL_COLOR_SPACE_RGB;
  srgb.white_point = JXL_WHITE_POINT_D65;
  srgb.primaries = JXL_PRIMARIES_SRGB;
  srgb.transfer_function = JXL_TRANSFER_FUNCTION_SRGB;
  srgb.rendering_intent = JXL_RENDERING_INTENT_RELATIVE;
  JxlDecoderSetPreferredColorProfile(decoder, &srgb);
}

// Until version 0.8, these functions have an unused parameter.
#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define UNUSED_FORMAT nullptr,
#else
#define UNUSED_FORMAT
#endif

void pass_profile(const JxlDecoder *decoder, const cpictures_visitor &visitor) {
  constexpr auto target = JXL_COLOR_PROFILE_TARGET_DATA;
  JxlColorEncoding encoding;
  if (JxlDecoderGetColorAsEncodedProfile(decoder, UNUSED_FORMAT target, &encoding) == JXL_DEC_SUCCESS &&
      encoding.white_point == JXL_WHITE_POINT_D65 && encoding.transfer_function == JXL_TRANSFER_FUNCTION_SRGB &&
      (encoding.color_space == JXL_COLOR_SPACE_GRAY || encoding.primaries == JXL_PRIMARIES_SRGB)) {
    return;
  }
  size_t count = 0;
  if (JxlDecoderGetICCProfileSize(decoder, UNUSED_FORMAT target, &count) != JXL_DEC_SUCCESS || count == 0) return;
  const std::unique_ptr<uint8_t[]> profile(new (std::nothrow) uint8_t[count]);
  if (profile &&
      JxlDecoderGetColorAsICCProfile(decoder, UNUSED_FORMAT target, profile.get(), count) == JXL_DEC_SUCCESS) {
    visitor.profile(visitor.context, profile.get(), count);
  }
}

bool has_black(const JxlDecoder *decoder, const JxlBasicInfo &info) {
  for (uint32_t index = 0; index < info.num_extra_channels; ++index) {
    JxlExtraChannelInfo channel;
    if (JxlDecoderGetExtraChannelInfo(decoder, index, &channel) == JXL_DEC_SUCCESS && channel.type == JXL_CHANNEL_BLACK) {
      return true;
    }
  }
  return false;
}

bool decode(JxlDecoder *decoder, const cpictures_visitor &visitor, cpictures_picture *picture, cpictures_reason *reason) {
  JxlBasicInfo info{};
  for (;;) {
    switch (JxlDecoderProcessInput(decoder)) {
      case JXL_DEC_BASIC_INFO:
        if (JxlDecoderGetBasicInfo(decoder, &info) != JXL_DEC_SUCCESS) return fail(reason, "its header is damaged");
        if (has_black(decoder, info)) return fail(reason, is_for_print, true);
        if (visitor.size(visitor.context, info.xsize, info.ysize) == 0) return fail(reason, is_too_large);
        break;
      case JXL_DEC_COLOR_ENCODING:
        prefer_srgb(decoder, info);
        pass_profile(decoder, visitor);
        break;
      case JXL_DEC_NEED_IMAGE_OUT_BUFFER: {
        const uint32_t channels = info.alpha_bits > 0 ? 4 : info.num_color_channels == 1 ? 1 : 3;
        const JxlPixelFormat format{channels, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
        uint8_t *const pixels = allocate(info.xsize, info.ysize, channels, picture);
        if (!pixels) return fail(reason, is_out_of_memory);
        if (JxlDecoderSetImageOutBuffer(decoder, &format, pixels, picture->stride * picture->height) != JXL_DEC_SUCCESS) {
          return fail(reason, "its pixels have an unknown form", true);
        }
        break;
      }
      case JXL_DEC_FULL_IMAGE: return true;
      case JXL_DEC_NEED_MORE_INPUT: return fail(reason, "the file ends too soon");
      default: return fail(reason, "its pixels are damaged");
    }
  }
}
}  // namespace

bool decode_jxl(
    const cpictures_file &file, const cpictures_visitor &visitor, cpictures_picture *picture,
    cpictures_reason *reason) noexcept {
  const std::unique_ptr<JxlDecoder, Destroy> decoder(JxlDecoderCreate(nullptr));
  if (!decoder) return fail(reason, is_out_of_memory);
  constexpr int events = JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE;
  if (JxlDecoderSubscribeEvents(decoder.get(), events) != JXL_DEC_SUCCESS ||
      JxlDecoderSetUnpremultiplyAlpha(decoder.get(), JXL_TRUE) != JXL_DEC_SUCCESS ||
      JxlDecoderSetInput(decoder.get(), file.bytes, file.count) != JXL_DEC_SUCCESS) {
    return fail(reason, "its header is damaged");
  }
  JxlDecoderCloseInput(decoder.get());
  return decode(decoder.get(), visitor, picture, reason);
}
