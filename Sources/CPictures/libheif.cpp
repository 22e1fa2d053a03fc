#include "decoders.hpp"

#include <cstring>
#include <exception>
#include <initializer_list>
#include <libheif/heif.h>
#include <memory>

namespace {
template <auto function>
struct Call {
  template <typename Object>
  void operator()(Object *object) const { function(object); }
};
using Context = std::unique_ptr<heif_context, Call<heif_context_free>>;
using Handle = std::unique_ptr<heif_image_handle, Call<heif_image_handle_release>>;
using Image = std::unique_ptr<heif_image, Call<heif_image_release>>;
using Encoder = std::unique_ptr<heif_encoder, Call<heif_encoder_release>>;
using DecodingOptions = std::unique_ptr<heif_decoding_options, Call<heif_decoding_options_free>>;
using Nclx = std::unique_ptr<heif_color_profile_nclx, Call<heif_nclx_color_profile_free>>;

bool is_done(const heif_error &error, cpictures_reason *reason) {
  if (error.code == heif_error_Ok) return true;
  return fail(reason, error.message ? error.message : "libheif gives no reason");
}

heif_compression_format format(cpictures_coding coding) {
  switch (coding) {
    case cpictures_hevc: return heif_compression_HEVC;
    case cpictures_av1: return heif_compression_AV1;
    default: return heif_compression_undefined;
  }
}

bool decode(
    const cpictures_file &file, const cpictures_visitor &visitor, cpictures_picture *picture, cpictures_reason *reason) {
  const Context context(heif_context_alloc());
  if (!context) return fail(reason, is_out_of_memory);
  // Decode tiles one after another: several photos are processed in parallel anyway.
  heif_context_set_max_decoding_threads(context.get(), 0);
  if (!is_done(heif_context_read_from_memory_without_copy(context.get(), file.bytes, file.count, nullptr), reason)) return false;
  heif_image_handle *found = nullptr;
  const heif_error error = file.item == 0 ? heif_context_get_primary_image_handle(context.get(), &found)
                                          : heif_context_get_image_handle(context.get(), file.item, &found);
  const Handle handle(found);
  if (!is_done(error, reason)) return false;
  const int width = heif_image_handle_get_width(handle.get()), height = heif_image_handle_get_height(handle.get());
  if (width <= 0 || height <= 0) return fail(reason, "the picture has no size");
  if (visitor.size(visitor.context, static_cast<uint64_t>(width), static_cast<uint64_t>(height)) == 0) {
    return fail(reason, is_too_large);
  }
  const DecodingOptions options(heif_decoding_options_alloc());
  if (!options) return fail(reason, is_out_of_memory);
  options->convert_hdr_to_8bit = 1;
  options->strict_decoding = 1;
  heif_image *decoded = nullptr;
  const bool is_decoded = is_done(
      heif_decode_image(handle.get(), &decoded, heif_colorspace_RGB, heif_chroma_interleaved_RGB, options.get()), reason);
  Image image(decoded);
  if (!is_decoded) return false;
  int stride = 0;
  const uint8_t *pixels = heif_image_get_plane_readonly(image.get(), heif_channel_interleaved, &stride);
  const int columns = heif_image_get_width(image.get(), heif_channel_interleaved);
  const int rows = heif_image_get_height(image.get(), heif_channel_interleaved);
  if (!pixels || columns <= 0 || rows <= 0 || stride / 3 < columns) return fail(reason, "the decoder left no pixels");
  *picture = {
      static_cast<uint32_t>(columns), static_cast<uint32_t>(rows), 3, static_cast<size_t>(stride), pixels,
      image.release(), [](void *owner) { heif_image_release(static_cast<heif_image *>(owner)); }};
  return true;
}

/// Copies the picture into libheif's form, with its colour information.
bool copy(
    const cpictures_picture &picture, const cpictures_encoding &encoding, cpictures_block profile, Image &image,
    cpictures_reason *reason) {
  const bool is_grey = picture.channels == 1;
  const int width = static_cast<int>(picture.width), height = static_cast<int>(picture.height);
  const auto channel = is_grey ? heif_channel_Y : heif_channel_interleaved;
  heif_image *made = nullptr;
  const heif_error error = heif_image_create(
      width, height, is_grey ? heif_colorspace_monochrome : heif_colorspace_RGB,
      is_grey ? heif_chroma_monochrome : heif_chroma_interleaved_RGB, &made);
  image.reset(made);
  if (!is_done(error, reason) || !is_done(heif_image_add_plane(made, channel, width, height, 8), reason)) return false;
  int stride = 0;
  uint8_t *pixels = heif_image_get_plane(made, channel, &stride);
  if (!pixels) return fail(reason, is_out_of_memory);
  for (uint32_t row = 0; row < picture.height; ++row) {
    std::memcpy(
        pixels + row * static_cast<size_t>(stride), picture.pixels + row * picture.stride,
        size_t{picture.width} * picture.channels);
  }
  const Nclx nclx(heif_nclx_color_profile_alloc());
  if (!nclx) return fail(reason, is_out_of_memory);
  nclx->color_primaries = static_cast<heif_color_primaries>(encoding.primaries);
  nclx->transfer_characteristics = static_cast<heif_transfer_characteristics>(encoding.transfer);
  nclx->matrix_coefficients = heif_matrix_coefficients_ITU_R_BT_601_6;
  nclx->full_range_flag = 1;
  if (!is_done(heif_image_set_nclx_color_profile(made, nclx.get()), reason)) return false;
  return profile.count == 0 ||
         is_done(heif_image_set_raw_color_profile(made, "prof", profile.bytes, profile.count), reason);
}

/// Uses no threads, which would make the result depend on the machine.
bool set_up(heif_encoder *encoder, const cpictures_encoding &encoding, bool is_grey, cpictures_reason *reason) {
  if (!is_done(heif_encoder_set_lossy_quality(encoder, encoding.quality), reason)) return false;
  if (encoding.coding == cpictures_hevc) {
    heif_encoder_set_parameter(encoder, "x265:pools", "none");
    heif_encoder_set_parameter(encoder, "x265:frame-threads", "1");
  } else {
    heif_encoder_set_parameter_integer(encoder, "threads", 1);
  }
  return is_grey || is_done(
      heif_encoder_set_parameter_string(encoder, "chroma", encoding.has_full_chroma ? "444" : "420"), reason);
}

bool add(heif_context *context, heif_image_handle *handle, const cpictures_metadata &metadata, cpictures_reason *reason) {
  const auto [exif, xmp, iptc, profile] = metadata;
  if (exif.count > INT32_MAX || xmp.count > INT32_MAX || iptc.count > INT32_MAX) {
    return fail(reason, "its metadata is too large");
  }
  const auto length = [](cpictures_block block) { return static_cast<int>(block.count); };
  return (exif.count == 0 ||
          is_done(heif_context_add_exif_metadata(context, handle, exif.bytes, length(exif)), reason)) &&
         (xmp.count == 0 || is_done(heif_context_add_XMP_metadata(context, handle, xmp.bytes, length(xmp)), reason)) &&
         (iptc.count == 0 || is_done(
             heif_context_add_generic_metadata(context, handle, iptc.bytes, length(iptc), "iptc", nullptr), reason));
}

struct Output {
  cpictures_writer write;
  void *context;
};

heif_error pass_on(heif_context *, const void *bytes, size_t count, void *output) {
  const auto &to = *static_cast<Output *>(output);
  if (to.write(to.context, static_cast<const uint8_t *>(bytes), count)) return {heif_error_Ok, heif_suberror_Unspecified, ""};
  return {heif_error_Encoding_error, heif_suberror_Cannot_write_output_data, "there is no room for the new file"};
}

bool encode(
    const cpictures_picture &picture, const cpictures_encoding &encoding, const cpictures_metadata &metadata,
    Output output, cpictures_reason *reason) {
  const Context context(heif_context_alloc());
  if (!context) return fail(reason, is_out_of_memory);
  heif_encoder *found = nullptr;
  const heif_error missing =
      heif_context_get_encoder_for_format(context.get(), format(encoding.coding), &found);
  const Encoder encoder(found);
  Image image;
  if (!is_done(missing, reason) || !set_up(encoder.get(), encoding, picture.channels == 1, reason) ||
      !copy(picture, encoding, metadata.profile, image, reason)) {
    return false;
  }
  const std::unique_ptr<heif_encoding_options, Call<heif_encoding_options_free>> options(heif_encoding_options_alloc());
  if (!options) return fail(reason, is_out_of_memory);
  options->save_two_colr_boxes_when_ICC_and_nclx_available = 1;
  // The workaround would leave out the colour information.
  options->macOS_compatibility_workaround_no_nclx_profile = 0;
  heif_image_handle *made = nullptr;
  const heif_error error =
      heif_context_encode_image(context.get(), image.get(), encoder.get(), options.get(), &made);
  const Handle handle(made);
  if (!is_done(error, reason) || !add(context.get(), handle.get(), metadata, reason)) return false;
  heif_writer writer{1, pass_on};
  return is_done(heif_context_write(context.get(), &writer, &output), reason);
}

template <typename Act>
bool guarded(cpictures_reason *reason, Act act) {
  try {
    return act();
  } catch (const std::exception &error) {
    return fail(reason, error.what());
  } catch (...) {
    return fail(reason, "libheif gives no reason");
  }
}
}  // namespace

uint32_t heif_decoders() noexcept {
  uint32_t set = 0;
  for (cpictures_coding coding : {cpictures_hevc, cpictures_av1}) {
    if (heif_have_decoder_for_format(format(coding))) set |= coding;
  }
  return set;
}

uint32_t cpictures_encoders() noexcept {
  uint32_t set = cpictures_jpeg;
  for (cpictures_coding coding : {cpictures_hevc, cpictures_av1}) {
    if (heif_have_encoder_for_format(format(coding))) set |= coding;
  }
  return set;
}

bool decode_heif(
    const cpictures_file &file, const cpictures_visitor &visitor, cpictures_picture *picture,
    cpictures_reason *reason) noexcept {
  return guarded(reason, [&] { return decode(file, visitor, picture, reason); });
}

bool cpictures_encode_heif(
    const cpictures_picture *picture, const cpictures_encoding *encoding, const cpictures_metadata *metadata,
    cpictures_writer write, void *context, cpictures_reason *reason) noexcept {
  return guarded(reason, [&] { return encode(*picture, *encoding, *metadata, {write, context}, reason); });
}
