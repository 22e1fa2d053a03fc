#include "ccodecs.h"

#include <libexif/exif-data.h>
#include <memory>

namespace {
struct Release {
  void operator()(ExifData *data) const { exif_data_unref(data); }
};
}  // namespace

ccodecs_status ccodecs_libexif_entries(
    const uint8_t *exif, size_t count, bool *big_endian, ccodecs_entry_visitor visit, void *context) noexcept {
  std::unique_ptr<ExifData, Release> data(exif_data_new());
  if (!data || count > ccodecs_libexif_limit + 6) return ccodecs_unreadable;
  // A reader that repairs or skips tags couldn't prove what is in the file.
  exif_data_unset_option(data.get(), EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
  exif_data_unset_option(data.get(), EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS);
  exif_data_set_option(data.get(), EXIF_DATA_OPTION_DONT_CHANGE_MAKER_NOTE);
  exif_data_load_data(data.get(), exif, static_cast<unsigned>(count));

  *big_endian = exif_data_get_byte_order(data.get()) == EXIF_BYTE_ORDER_MOTOROLA;
  bool any = false;
  for (unsigned ifd = 0; ifd < EXIF_IFD_COUNT; ++ifd) {
    const ExifContent *content = data->ifd[ifd];
    for (unsigned i = 0; content && i < content->count; ++i) {
      const ExifEntry *entry = content->entries[i];
      if (!entry->data) continue;
      any = true;
      ccodecs_entry seen{
          static_cast<uint16_t>(ifd), static_cast<uint16_t>(entry->tag), static_cast<uint16_t>(entry->format),
          static_cast<uint32_t>(entry->components), entry->size, entry->data};
      if (!visit(context, &seen)) return ccodecs_stopped;
    }
  }
  if (data->data && data->size > 0) {
    const ccodecs_entry thumbnail{
        EXIF_IFD_1, EXIF_TAG_JPEG_INTERCHANGE_FORMAT, EXIF_FORMAT_UNDEFINED, data->size, data->size, data->data};
    if (!visit(context, &thumbnail)) return ccodecs_stopped;
  }
  return any ? ccodecs_done : ccodecs_unreadable;
}
