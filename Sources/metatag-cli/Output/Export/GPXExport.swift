import MetaTag

/// Waypoints of GPX 1.1. Its times are UTC, so that a photo without an offset has none there.
struct GPXExport: ExportFormat {
  let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="metatag" xmlns="http://www.topografix.com/GPX/1/1">

    """
  let tail = "</gpx>\n"
  let separator = ""

  func entry(_ photo: ExportedPhoto) -> [UInt8] {
    let place = photo.location.coordinate
    var lines = ["  <wpt lat=\"\(place.latitude)\" lon=\"\(place.longitude)\">"]
    if let altitude = photo.location.altitude { lines.append("    <ele>\(altitude)</ele>") }
    // The schema prescribes this order.
    if let time = photo.time?.instant?.inUTC { lines.append("    <time>\(time.replacing("+00:00", with: "Z"))</time>") }
    lines.append("    <name>\(photo.name.escapedForXML)</name>")
    if let camera = photo.camera { lines.append("    <desc>\(camera.escapedForXML)</desc>") }
    lines.append("    <link href=\"\(photo.path.uriReference.escapedForXML)\"/>")
    return Array(((lines + ["  </wpt>"]).joined(separator: "\n") + "\n").utf8)
  }
}
