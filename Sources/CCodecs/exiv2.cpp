#include "ccodecs.h"

#include <cstdio>
#include <cstring>
#include <exiv2/exiv2.hpp>
#include <exiv2/webpimage.hpp>
#include <iconv.h>
#include <limits>
#include <string>
#include <vector>

// exiv2 0.27 returns objects in auto_ptr.
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

// exiv2 0.27.6 corrupts its heap on QuickTime, CRW and EPS. ImageFactory might choose those parsers, so the reader is
// chosen here, from formats that passed fuzzing.
namespace {
using Exiv2::BasicIo;
using Exiv2::Image;

bool has(const uint8_t *file, size_t count, size_t at, const char *bytes, size_t wanted) {
  return count >= at + wanted && std::memcmp(file + at, bytes, wanted) == 0;
}

bool is_tiff(const uint8_t *file, size_t count) {
  return has(file, count, 0, "II*\0", 4) || has(file, count, 0, "MM\0*", 4);
}

Image::AutoPtr image(const uint8_t *file, size_t count) {
  using Maker = Image::AutoPtr (*)(BasicIo::AutoPtr, bool);
  Maker make = nullptr;
  if (has(file, count, 0, "\xFF\xD8\xFF", 3)) {
    make = Exiv2::newJpegInstance;
  } else if (is_tiff(file, count)) {
    make = has(file, count, 8, "CR\x02", 3) ? Exiv2::newCr2Instance : Exiv2::newTiffInstance;
  } else if (has(file, count, 0, "IIRO", 4) || has(file, count, 0, "IIRS", 4) || has(file, count, 0, "MMOR", 4)) {
    make = Exiv2::newOrfInstance;
  } else if (has(file, count, 0, "\x89PNG\r\n\x1A\n", 8)) {
    make = Exiv2::newPngInstance;
  } else if (has(file, count, 0, "RIFF", 4) && has(file, count, 8, "WEBP", 4)) {
    make = Exiv2::newWebPInstance;
  }
  if (!make || count > static_cast<size_t>(std::numeric_limits<long>::max())) return Image::AutoPtr();
  return make(BasicIo::AutoPtr(new Exiv2::MemIo(file, static_cast<long>(count))), false);
}

/// Whether the file is a bare XMP packet, which starts with an element or a processing instruction.
bool is_packet(const uint8_t *file, size_t count) {
  const size_t start = has(file, count, 0, "\xEF\xBB\xBF", 3) ? 3 : 0;
  return has(file, count, start, "<?xpacket", 9) || has(file, count, start, "<?xml", 5) ||
         has(file, count, start, "<x:xmpmeta", 10) || has(file, count, start, "<x:xapmeta", 10) ||
         has(file, count, start, "<rdf:RDF", 8);
}

bool is_text(Exiv2::TypeId type) {
  switch (type) {
    case Exiv2::asciiString: case Exiv2::comment: case Exiv2::string: case Exiv2::date: case Exiv2::time:
    case Exiv2::xmpText: case Exiv2::xmpAlt: case Exiv2::xmpBag: case Exiv2::xmpSeq: case Exiv2::langAlt:
      return true;
    default:
      return false;
  }
}

ccodecs_text text(const std::string &string) { return {string.c_str(), string.size()}; }

/// The longest binary value that is written as numbers, in bytes.
constexpr long longest_numbers = 4096;

bool tell(const Exiv2::Metadatum &datum, const Exiv2::ExifData *all, ccodecs_tag_visitor visit, void *context) {
  const std::string key = datum.key();
  const char *name = datum.typeName();
  const std::string type = name ? name : "";
  std::string interpreted, raw;
  if (is_text(datum.typeId()) || datum.size() <= longest_numbers) {
    interpreted = datum.print(all);
    raw = datum.toString();
  } else {
    interpreted = "(" + std::to_string(datum.size()) + " bytes)";
  }
  ccodecs_tag tag{text(key), text(type), text(interpreted), text(raw)};
  return visit(context, &tag);
}

/// Returns libexif's number of the directory, or a higher one for other directories.
uint16_t number(const Exiv2::Exifdatum &datum) {
  static const char *const known[] = {"Image", "Thumbnail", "Photo", "GPSInfo", "Iop"};
  const std::string group = datum.groupName();
  for (uint16_t i = 0; i < 5; ++i) {
    if (group == known[i]) return i;
  }
  return static_cast<uint16_t>(16 + datum.ifdId());
}

/// FNV-1a, 64 bits.
uint64_t digest(const std::vector<Exiv2::byte> &bytes) {
  uint64_t sum = UINT64_C(0xCBF29CE484222325);
  for (const Exiv2::byte byte : bytes) sum = (sum ^ byte) * UINT64_C(0x100000001B3);
  return sum;
}
}  // namespace

void ccodecs_warm_up() noexcept {
  try {
    Exiv2::LogMsg::setLevel(Exiv2::LogMsg::mute);
    Exiv2::XmpParser::initialize();
    // Never closed: an open conversion keeps its tables in memory, and iconv can't load them inside the sandbox.
    for (const char *from : {"UCS-2LE", "UCS-2BE", "UTF-16LE", "UTF-16BE", "ISO-8859-1"}) {
      (void)iconv_open("UTF-8", from);
    }
    std::string sample("\x48\x00", 2);
    Exiv2::convertStringCharset(sample, "UCS-2LE", "UTF-8");
  } catch (...) {  // a missing table only affects values that need it
  }
}

ccodecs_status ccodecs_exiv2_entries(
    const uint8_t *tiff, size_t count, bool *big_endian, ccodecs_entry_visitor visit, void *context) noexcept {
  try {
    if (!is_tiff(tiff, count) || count > std::numeric_limits<uint32_t>::max()) return ccodecs_unreadable;
    Exiv2::ExifData entries;
    const Exiv2::ByteOrder order = Exiv2::ExifParser::decode(entries, tiff, static_cast<uint32_t>(count));
    *big_endian = order == Exiv2::bigEndian;
    std::vector<Exiv2::byte> bytes;
    for (const Exiv2::Exifdatum &datum : entries) {
      bytes.resize(static_cast<size_t>(datum.size()) + 1);
      bytes.resize(static_cast<size_t>(datum.copy(bytes.data(), order)));
      if (bytes.size() > ccodecs_longest_value) {
        const uint64_t sum = digest(bytes);
        std::memcpy(bytes.data(), &sum, sizeof sum);
        bytes.resize(sizeof sum);
      }
      // exiv2's own types (comments, dates) are UNDEFINED in the file.
      const auto type = datum.typeId() <= 13 ? datum.typeId() : Exiv2::undefined;
      ccodecs_entry seen{number(datum), datum.tag(), static_cast<uint16_t>(type),
                         static_cast<uint32_t>(datum.count()), bytes.size(), bytes.data()};
      if (!visit(context, &seen)) return ccodecs_stopped;
    }
    return entries.empty() ? ccodecs_unreadable : ccodecs_done;
  } catch (...) {
    return ccodecs_unreadable;
  }
}

ccodecs_status ccodecs_all_tags(
    const uint8_t *file, size_t count, ccodecs_tag_visitor visit, void *context, char *reason,
    size_t reason_count) noexcept {
  try {
    if (is_packet(file, count)) {
      Exiv2::XmpData packet;
      const std::string bytes(reinterpret_cast<const char *>(file), count);
      if (Exiv2::XmpParser::decode(packet, bytes) != 0) {
        std::snprintf(reason, reason_count, "exiv2 could not read its XMP");
        return ccodecs_unreadable;
      }
      for (const auto &datum : packet) {
        if (!tell(datum, nullptr, visit, context)) return ccodecs_stopped;
      }
      return ccodecs_done;
    }
    const Image::AutoPtr photo = image(file, count);
    if (photo.get() == nullptr) return ccodecs_unknown;
    photo->readMetadata();
    for (const auto &datum : photo->exifData()) {
      if (!tell(datum, &photo->exifData(), visit, context)) return ccodecs_stopped;
    }
    for (const auto &datum : photo->iptcData()) {
      if (!tell(datum, nullptr, visit, context)) return ccodecs_stopped;
    }
    for (const auto &datum : photo->xmpData()) {
      if (!tell(datum, nullptr, visit, context)) return ccodecs_stopped;
    }
    return ccodecs_done;
  } catch (const std::exception &error) {
    std::snprintf(reason, reason_count, "exiv2 could not read it: %s", error.what());
  } catch (...) {
    std::snprintf(reason, reason_count, "exiv2 could not read it");
  }
  return ccodecs_unreadable;
}
