extension EXIF {
  /// Reads the place that the picture points to (GPSDest…), which may have to stay private too.
  package static func destination(of block: TIFFBlock) -> PlaceReading {
    let tags = GPSTag.destination
    guard let gps = block.gps, gps[tags.latitude] != nil || gps[tags.longitude] != nil else { return .absent }
    guard let place = coordinate(tags, in: block) else {
      return .unusable("EXIF's position of the destination can't be read")
    }
    return .place(place)
  }

  /// A position without its companions.
  package enum PlaceReading: Hashable, Sendable {
    case absent
    case place(Coordinate)
    case unusable(String)
  }
}

extension XMPPacket {
  /// Positions other than the picture's own: destinations, places in structures, the namespaces of drone makers. The
  /// place is nil if it can't be read.
  package var additionalPlaces: [(tag: String, place: Coordinate?)] {
    properties.compactMap { property in
      let local = String(property.name.drop { $0 != ":" }.dropFirst())
      let isOwnPosition = property.isOwn && property.name == "exif:GPSLatitude"
      guard !isOwnPosition, let names = XMPPacket.longitudes(beside: local), property.value != nil else { return nil }
      let schema = String(property.name.prefix { $0 != ":" }) + ":"
      let other = properties.first {
        $0.name.hasPrefix(schema) && names.contains($0.name.dropFirst(schema.count).lowercased())
          && $0.outer == property.outer && $0.isOwn == property.isOwn
      }
      return (property.name, coordinate(property.value, other?.value))
    }
  }

  /// Returns the possible names of the longitude that belongs to a latitude of this name; nil if the name is no
  /// latitude.
  private static func longitudes(beside local: String) -> Set<String>? {
    let name = local.lowercased()
    // The W3C's vocabulary.
    if name == "lat" { return ["long"] }
    if name.hasSuffix("ref") || !XMPProperty.isPosition(local.utf8) { return nil }
    // DJI misspells it so.
    if name.contains("latitude") {
      return [name.replacing("latitude", with: "longitude"), name.replacing("latitude", with: "longtitude")]
    }
    return name == "lrftargetlat" ? ["lrftargetlon"] : nil
  }

  private func coordinate(_ latitude: String?, _ longitude: String?) -> Coordinate? {
    guard
      let latitude = latitude.flatMap({ Double(xmpAngle: $0, positive: "N", negative: "S", reference: nil) }),
      let longitude = longitude.flatMap({ Double(xmpAngle: $0, positive: "E", negative: "W", reference: nil) })
    else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }
}
