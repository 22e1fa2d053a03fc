/// Reading of the location in an EXIF block.
extension EXIF {
  /// The content of a GPS directory.
  package enum LocationReading: Hashable, Sendable {
    case absent
    case place(Location)
    /// Data that gives no position: a sentence with the reason, and whether latitude and longitude are both present.
    case unusable(String, isWhole: Bool)
  }

  /// Reads the position and its companions.
  package static func location(of block: TIFFBlock) -> LocationReading {
    guard block.gps != nil else { return .absent }
    let latitude = degrees(of: GPSTag.latitude, in: block)
    let longitude = degrees(of: GPSTag.longitude, in: block)
    guard let latitude, let longitude else {
      switch (
        latitude != nil || holds(GPSTag.latitude, in: block), longitude != nil || holds(GPSTag.longitude, in: block)
      ) {
      case (false, false): return .absent
      case (true, true):
        let isText = [GPSTag.latitude, GPSTag.longitude].contains { block.gps?[$0]?.type == TIFFType.ascii }
        return .unusable(
          "the EXIF GPS position can't be read\(isText ? ": it is written as text" : "")", isWhole: true)
      default: return .unusable("the EXIF GPS position lacks its latitude or longitude", isWhole: false)
      }
    }
    guard isNegative(GPSTag.latitudeRef, positive: "N", negative: "S", in: block) != nil,
      isNegative(GPSTag.longitudeRef, positive: "E", negative: "W", in: block) != nil
    else {
      // Devices without a fix write zeros without a hemisphere.
      let isWhole = latitude != 0 || longitude != 0
      return .unusable("the EXIF GPS position has no hemisphere reference (N, S, E, W)", isWhole: isWhole)
    }
    guard let coordinate = coordinate(GPSTag.position, in: block) else {
      return .unusable("the EXIF GPS position is out of range", isWhole: true)
    }
    if coordinate.isNoFix, letter(of: GPSTag.status, in: block) == "V" { return .absent }
    return .place(location(at: coordinate, in: block))
  }

  /// Returns the position in these tags; nil when it can't be read.
  package static func coordinate(_ tags: GPSTag.PositionTags, in block: TIFFBlock) -> Coordinate? {
    guard let latitude = degrees(of: tags.latitude, in: block), let longitude = degrees(of: tags.longitude, in: block),
      let south = isNegative(tags.latitudeRef, positive: "N", negative: "S", in: block),
      let west = isNegative(tags.longitudeRef, positive: "E", negative: "W", in: block)
    else { return nil }
    return Coordinate(latitude: south ? -latitude : latitude, longitude: west ? -longitude : longitude)
  }

  /// Returns the satellites' time of a block without a position.
  /// - Parameter place: The block's position, as it was read.
  static func timeWithoutPlace(_ place: LocationReading, of block: TIFFBlock) -> Instant? {
    if case .place = place { return nil }
    return letter(of: GPSTag.status, in: block) == "V" ? nil : timestamp(in: block)
  }

  private static func location(at coordinate: Coordinate, in block: TIFFBlock) -> Location {
    var location = Location(coordinate)
    location.altitude = altitude(in: block)
    location.imageDirection = direction(GPSTag.imageDirection, GPSTag.imageDirectionRef, in: block)
    location.track = direction(GPSTag.track, GPSTag.trackRef, in: block)
    location.speed = speed(in: block)
    location.horizontalError = number(of: GPSTag.horizontalError, in: block)
    location.dilutionOfPrecision = number(of: GPSTag.dilutionOfPrecision, in: block)
    location.timestamp = timestamp(in: block)
    location.processingMethod = processingMethod(in: block)
    return location
  }

  /// Returns degrees from degrees, minutes and seconds, any of which may have a fraction. Nil when a part has the
  /// denominator zero.
  private static func degrees(of tag: UInt16, in block: TIFFBlock) -> Double? {
    let parts = block.fractions(of: tag, in: .gps).prefix(3)
    let numbers = parts.compactMap(\.self)
    guard let whole = numbers.first, numbers.count == parts.count else { return nil }
    // Round only once, so that 46° 1′ 12″ becomes the number nearest to 46.02.
    let seconds = zip(numbers.dropFirst(), [60.0, 1]).reduce(0) { $0 + $1.0 * $1.1 }
    return whole + seconds / 3_600
  }

  /// Whether a tag has a value: devices without a fix write nothing, blanks or 0/0.
  private static func holds(_ tag: UInt16, in block: TIFFBlock) -> Bool {
    guard let entry = block.gps?[tag], entry.count > 0 else { return false }
    guard let raw = block.raw(entry) else { return true }
    return raw.array.contains { $0 != 0 && $0 != 0x20 }
  }

  /// Whether the hemisphere is the negative one. Also accepts `n`, `North` and ` N`. Nil when it isn't recorded.
  private static func isNegative(
    _ tag: UInt16, positive: Character, negative: Character, in block: TIFFBlock
  ) -> Bool? {
    switch letter(of: tag, in: block) {
    case positive: false
    case negative: true
    default: nil
    }
  }

  private static func letter(of tag: UInt16, in block: TIFFBlock) -> Character? {
    block.text(of: tag, in: .gps)?.uppercased().first
  }

  private static func number(of tag: UInt16, in block: TIFFBlock) -> Double? {
    block.fractions(of: tag, in: .gps).first ?? nil
  }

  private static func altitude(in block: TIFFBlock) -> Double? {
    guard let height = number(of: GPSTag.altitude, in: block) else { return nil }
    // 0 is above and 1 below sea level; EXIF 3.0 adds 2 and 3, above and below the ellipsoid. Some write digits.
    let reference = block.gps?[GPSTag.altitudeRef].flatMap { block.raw($0) }.flatMap { try? $0.u8(0) } ?? 0
    return (reference & ~0x30) & 1 == 1 ? -height : height + 0.0
  }

  private static func direction(_ tag: UInt16, _ reference: UInt16, in block: TIFFBlock) -> Direction? {
    guard let degrees = number(of: tag, in: block) else { return nil }
    return Direction(
      degrees: degrees, reference: letter(of: reference, in: block) == "M" ? .magneticNorth : .trueNorth)
  }

  private static func speed(in block: TIFFBlock) -> Double? {
    guard let speed = number(of: GPSTag.speed, in: block) else { return nil }
    return Units.gpsSpeeds[letter(of: GPSTag.speedRef, in: block) ?? "K"].map { speed * $0 }
  }

  /// The instant of GPSDateStamp and GPSTimeStamp together, in UTC.
  private static func timestamp(in block: TIFFBlock) -> Instant? {
    let time = block.fractions(of: GPSTag.timeStamp, in: .gps).compactMap { $0 }
    guard time.count == 3, let date = block.text(of: GPSTag.dateStamp, in: .gps),
      let day = CivilTime(exif: date.replacing("-", with: ":") + " 00:00:00")
    else { return nil }
    let seconds = time[0] * 3_600 + time[1] * 60 + time[2]
    guard seconds >= 0, seconds < 86_401 else { return nil }
    let nanoseconds = (seconds * 1e6).rounded() * 1e3
    let whole = Int64(nanoseconds / 1e9)
    return Instant(
      seconds: day.secondsSince1970 + whole, nanoseconds: Int32(nanoseconds - Double(whole) * 1e9))
  }

  private static func processingMethod(in block: TIFFBlock) -> String? {
    guard let raw = block.gps?[GPSTag.processingMethod].flatMap({ block.raw($0) }) else { return nil }
    return comment(raw, block.order)
  }
}

extension EXIF {
  /// Reads the place that the picture points to (GPSDest…), which may have to stay private too.
  package static func destination(of block: TIFFBlock) -> PlaceReading {
    let tags = GPSTag.destination
    guard let gps = block.gps, gps[tags.latitude] != nil || gps[tags.longitude] != nil else { return .absent }
    guard let place = coordinate(tags, in: block) else {
      return .unusable("the destination position in EXIF can't be read")
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
