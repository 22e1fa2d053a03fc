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
