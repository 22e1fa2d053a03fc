import MetaTag

/// KML 2.2 placemarks (OGC 07-147r2).
struct KMLExport: ExportFormat {
  let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <kml xmlns="http://www.opengis.net/kml/2.2">
      <Document>

    """
  let tail = "  </Document>\n</kml>\n"
  let separator = ""

  func entry(_ photo: ExportedPhoto) -> [UInt8] { entry(photo, picture: nil) }

  /// Returns the placemark of a photo.
  /// - Parameter picture: The name of a thumbnail in the same archive.
  func entry(_ photo: ExportedPhoto, picture: String?) -> [UInt8] {
    let place = photo.location.coordinate
    let altitude = photo.location.altitude.map { ",\($0)" } ?? ""
    var lines = ["    <Placemark>", "      <name>\(photo.name.escapedForXML)</name>"]
    // A description is HTML inside XML, so its text is escaped twice.
    let camera = photo.camera.map { picture == nil ? $0 : $0.escapedForXML }
    let image = picture.map { "<img src=\"\($0)\"/>" }
    let description = [image, camera].compactMap(\.self).joined(separator: "<br/>")
    if !description.isEmpty { lines.append("      <description>\(description.escapedForXML)</description>") }
    // A time without an offset is valid (XML Schema dateTime).
    if let time = photo.time { lines.append("      <TimeStamp><when>\(time)</when></TimeStamp>") }
    if let picture {
      lines.append("      <Style><IconStyle><scale>2</scale><Icon><href>\(picture)</href></Icon></IconStyle></Style>")
    }
    let mode = altitude.isEmpty ? "" : "<altitudeMode>absolute</altitudeMode>"
    lines.append(
      "      <Point>\(mode)<coordinates>\(place.longitude),\(place.latitude)\(altitude)</coordinates></Point>")
    return Array(((lines + ["    </Placemark>"]).joined(separator: "\n") + "\n").utf8)
  }
}

/// KML with thumbnails in a zip archive (OGC 07-147r2, annex C). Thumbnails are written one by one; the document, which
/// names them, comes last.
struct KMZExport: ExportDocument {
  private var zip = StoredZip()
  private var document: [UInt8]
  private var pictures = 0
  private let format = KMLExport()

  init() { document = Array(format.head.utf8) }

  func begin() -> [UInt8] { [] }

  mutating func add(_ photo: ExportedPhoto) -> [UInt8] {
    guard let thumbnail = photo.thumbnail else {
      document += format.entry(photo)
      return []
    }
    pictures += 1
    let name = "files/\(pictures).jpg"
    document += format.entry(photo, picture: name)
    return zip.file(name, thumbnail)
  }

  mutating func end() -> [UInt8] {
    document += Array(format.tail.utf8)
    return zip.file("doc.kml", document) + zip.end()
  }
}

/// Writes a zip archive (APPNOTE.TXT 6.3, Zip64 if necessary) without compression, because JPEG doesn't compress. It is
/// written in pieces, and the same files give the same bytes.
struct StoredZip {
  private var directory: [UInt8] = []
  private var count: UInt64 = 0
  private var offset: UInt64 = 0
  /// 1 January 1980, the first day in the format: files have no date here.
  private static let date: UInt16 = 1 << 5 | 1
  /// Names are UTF-8.
  private static let flags: UInt16 = 1 << 11
  private static let (most16, most32) = (UInt64(UInt16.max), UInt64(UInt32.max))

  /// Returns a file's bytes in the archive; it must be less than 4 GiB.
  mutating func file(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let name = Array(name.utf8)
    let isFar = offset >= StoredZip.most32
    var facts = LittleEndian()
    facts.add(isFar ? 45 : 20, StoredZip.flags, 0, 0, StoredZip.date)
    facts.add(Bytes(content).crc, UInt32(content.count), UInt32(content.count))
    facts.add(UInt16(name.count))
    var local = LittleEndian(signature: 0x0403_4B50)
    local.bytes += facts.bytes
    local.add(UInt16(0))
    local.bytes += name + content
    var entry = LittleEndian(signature: 0x0201_4B50)
    entry.add(isFar ? UInt16(45) : 20)
    entry.bytes += facts.bytes
    entry.add(isFar ? UInt16(12) : 0, 0, 0, 0)
    entry.add(0, UInt32(min(offset, StoredZip.most32)))
    entry.bytes += name
    if isFar {
      entry.add(UInt16(1), 8)
      entry.add(offset)
    }
    directory += entry.bytes
    count += 1
    offset += UInt64(local.bytes.count)
    return local.bytes
  }

  /// Returns the directory, which follows all files.
  func end() -> [UInt8] {
    var end = LittleEndian()
    let size = UInt64(directory.count)
    if count >= StoredZip.most16 || offset >= StoredZip.most32 {
      end = LittleEndian(signature: 0x0606_4B50)
      end.add(UInt64(44))
      end.add(UInt16(45), 45)
      end.add(UInt32(0), 0)
      end.add(count, count, size, offset)
      end.add(0x0706_4B50, UInt32(0))
      end.add(offset + size)
      end.add(UInt32(1))
    }
    end.add(UInt32(0x0605_4B50))
    let few = UInt16(min(count, StoredZip.most16))
    end.add(0, 0, few, few)
    end.add(UInt32(min(size, StoredZip.most32)), UInt32(min(offset, StoredZip.most32)))
    end.add(UInt16(0))
    return directory + end.bytes
  }
}

private struct LittleEndian {
  var bytes: [UInt8] = []

  init() {}
  init(signature: UInt32) { add(signature) }

  mutating func add<Number: FixedWidthInteger>(_ numbers: Number...) {
    for number in numbers { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
  }
}
