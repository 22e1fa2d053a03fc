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

  func entry(_ photo: ExportedPhoto) -> [UInt8] {
    let place = photo.location.coordinate
    let altitude = photo.location.altitude.map { ",\($0)" } ?? ""
    var lines = ["    <Placemark>", "      <name>\(photo.name.escapedForXML)</name>"]
    if let camera = photo.camera { lines.append("      <description>\(camera.escapedForXML)</description>") }
    // A time without offset is allowed (XML Schema dateTime), and means what it says.
    if let time = photo.time { lines.append("      <TimeStamp><when>\(time)</when></TimeStamp>") }
    let mode = altitude.isEmpty ? "" : "<altitudeMode>absolute</altitudeMode>"
    lines.append(
      "      <Point>\(mode)<coordinates>\(place.longitude),\(place.latitude)\(altitude)</coordinates></Point>")
    return Array(((lines + ["    </Placemark>"]).joined(separator: "\n") + "\n").utf8)
  }
}
