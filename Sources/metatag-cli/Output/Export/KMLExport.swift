import MetaTag

/// Placemarks of KML 2.2 (OGC 07-147r2).
struct KMLExport: ExportFormat {
  let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <kml xmlns="http://www.opengis.net/kml/2.2">
      <Document>

    """
  let tail = "  </Document>\n</kml>\n"
  let separator = ""

  func entry(_ photo: ExportedPhoto) -> [UInt8] { entry(photo, picture: nil) }

  /// `picture` is the name of a small one in the same archive.
  func entry(_ photo: ExportedPhoto, picture: String?) -> [UInt8] {
    let place = photo.location.coordinate
    let altitude = photo.location.altitude.map { ",\($0)" } ?? ""
    var lines = ["    <Placemark>", "      <name>\(photo.name.escapedForXML)</name>"]
    // A description is HTML in XML, so that text in it is escaped twice.
    let camera = photo.camera.map { picture == nil ? $0 : $0.escapedForXML }
    let image = picture.map { "<img src=\"\($0)\"/>" }
    let description = [image, camera].compactMap(\.self).joined(separator: "<br/>")
    if !description.isEmpty { lines.append("      <description>\(description.escapedForXML)</description>") }
    // A time without offset is allowed (XML Schema dateTime), and means what it says.
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
