/// An XMP packet (ISO 16684-1) in UTF-8: its properties, and edits of its bytes.
///
/// The packet is never serialised again: values are replaced in place, and padding absorbs the difference in length.
package struct XMPPacket {
  package let bytes: [UInt8]
  package let properties: [XMPProperty]
  /// The end of the root element.
  let rootEnd: Int
  /// The element that holds the descriptions.
  let rdf: XMPReader.RDF

  /// Reads a packet. Anything may follow its root element.
  ///
  /// - Throws: `unsupported` for UTF-16 and UTF-32; `malformed`, `truncated` or `refused` with the offset of the part
  ///   that is not well-formed.
  package init(_ bytes: Bytes) throws(FileError) {
    let array = bytes.array
    if let encoding = XMPPacket.foreignEncoding(of: array) {
      throw FileError(
        .textEncoding, "the XMP packet is in \(encoding), not in UTF-8", at: bytes.base, remedy: .convertToUTF8)
    }
    do throws(FileError) {
      let reader = try XMPReader(array)
      guard let rdf = reader.rdf else { throw FileError(.malformed, "it has no rdf:RDF element", at: 0) }
      self.rdf = rdf
      self.bytes = array
      properties = reader.properties
      rootEnd = reader.rootEnd
    } catch {
      throw FileError(
        error.code, "the XMP packet can't be read: \(error.description)", at: bytes.base + (error.offset ?? 0))
    }
  }

  /// Returns the encoding, unless it is UTF-8 or a subset.
  private static func foreignEncoding(of bytes: [UInt8]) -> String? {
    // Every multi-byte encoding has a NUL next to the first '<', or a mark of its own.
    let marks: [[UInt8]] = [[0xFE, 0xFF], [0xFF, 0xFE], [0, 0, 0xFE, 0xFF]]
    let isMarked = marks.contains { bytes.starts(with: $0) }
    let zeros = bytes.prefix(4).count { $0 == 0 }
    if isMarked || zeros > 0 { return zeros >= (isMarked ? 2 : 3) ? "UTF-32" : "UTF-16" }
    // Few packets have a declaration, and a search in bytes takes a tenth of the time.
    guard let declaration = bytes.prefix(256).indices.first(where: { bytes[$0...].starts(with: "<?xml ".utf8) })
    else { return nil }
    let head = String(decoding: bytes[declaration...].prefix(256), as: UTF8.self)
    guard let start = head.firstRange(of: "<?xml "), let end = head[start.upperBound...].firstRange(of: "?>"),
      let word = head[start.upperBound..<end.lowerBound].firstRange(of: "encoding")
    else { return nil }
    let name = head[word.upperBound..<end.lowerBound].drop { " \t\r\n=\"'".contains($0) }
      .prefix { !" \t\r\n\"'".contains($0) }
    return ["UTF-8", "UTF8", "US-ASCII", "ASCII", ""].contains(name.uppercased()) ? nil : String(name)
  }

  /// Returns the first property of this name that belongs to the picture itself.
  package func own(_ name: String) -> XMPProperty? { properties.first { $0.isOwn && $0.name == name } }

  /// Returns a property's value; nil if it is missing or not simple.
  package func value(_ name: String) -> String? { own(name)?.value }
}

extension XMPPacket {
  static let captureDates = ["exif:DateTimeOriginal", "photoshop:DateCreated"]
  static let digitizedDates = ["exif:DateTimeDigitized", "xmp:CreateDate"]

  /// Appends the packet's data to `metadata`.
  package func read(into metadata: inout Metadata) {
    readDates(XMPPacket.captureDates, into: &metadata.captureTimes, malformed: &metadata.malformedDates)
    readDates(XMPPacket.digitizedDates, into: &metadata.digitizedTimes, malformed: &metadata.malformedDates)
    metadata.irregularDates += irregularDates
    metadata.partialDates += partialDates
    metadata.additionalDates += additionalDates
    if let location {
      metadata.locations.append(Sourced(location, .xmp, tag: "exif:GPSLatitude"))
    } else if !isWithoutFix,
      case let angles = ["exif:GPSLatitude", "exif:GPSLongitude"].compactMap(own)
        .filter({ $0.value != nil || $0.text == nil }), !angles.isEmpty
    {
      let isStructure = angles.contains { $0.text == nil }
      let reason = "the position in XMP \(isStructure ? "is a structure and is not read" : "can't be read")"
      metadata.add(unreadPlace: reason, .xmp, tag: "exif:GPSLatitude", isWhole: angles.count == 2)
    }
    for (tag, place) in additionalPlaces {
      if let place {
        metadata.additionalPlaces.append(Sourced(place, .xmp, tag: tag))
      } else {
        metadata.unreadPlaces.append(Sourced("\(tag) in XMP can't be read as a position", .xmp, tag: tag))
      }
    }
    if location == nil, value("exif:GPSStatus") != "V", let timestamp {
      metadata.satelliteTimes.append(Sourced(timestamp, .xmp, tag: "exif:GPSTimeStamp"))
    }
    metadata.digitizedDays += partialDates(XMPPacket.digitizedDates).compactMap(\.onDay)
    readNames(into: &metadata)
    readFields(into: &metadata)
    metadata.make = metadata.make ?? value("tiff:Make")
    metadata.model = metadata.model ?? value("tiff:Model")
    metadata.serialNumber = metadata.serialNumber ?? value("exifEX:BodySerialNumber") ?? value("aux:SerialNumber")
    metadata.lensModel = metadata.lensModel ?? value("exifEX:LensModel") ?? value("aux:Lens")
  }

  /// Whether a capture date is recorded.
  package var isDated: Bool {
    properties.contains { property in
      guard property.isOwn, XMPPacket.captureDates.contains(property.name), let text = property.value,
        case .time = XMPDate(text)
      else { return false }
      return true
    }
  }

  private func readDates(
    _ names: [String], into times: inout [Sourced<CaptureTime>], malformed: inout [Sourced<String>]
  ) {
    for name in names {
      for property in properties where property.isOwn && property.name == name {
        guard let text = property.value else {
          if property.text == nil, property.items.isEmpty {
            malformed.append(Sourced("\(name) in XMP is a structure", .xmp, tag: name))
          }
          continue
        }
        switch XMPDate(text) {
        case .blank, .partial: break
        case .time(let time, _): times.append(Sourced(time, .xmp, tag: name))
        case .malformed: malformed.append(Sourced(text, .xmp, tag: name))
        }
      }
    }
  }

  /// Dates that can be read but have EXIF's form.
  private var irregularDates: [Sourced<String>] {
    properties.compactMap { property in
      guard property.isOwn, (XMPPacket.captureDates + XMPPacket.digitizedDates).contains(property.name),
        let text = property.value, XMPDate.isEXIFText(text), ![.blank, .malformed].contains(XMPDate(text))
      else { return nil }
      return Sourced(text, .xmp, tag: property.name)
    }
  }

  package var partialDates: [Sourced<PartialDate>] { partialDates(XMPPacket.captureDates) }

  private func partialDates(_ names: [String]) -> [Sourced<PartialDate>] {
    properties.compactMap { property in
      guard property.isOwn, names.contains(property.name), let text = property.value,
        case .partial(let date) = XMPDate(text)
      else { return nil }
      return Sourced(date, .xmp, tag: property.name)
    }
  }

  /// The picture's own position and its companions (EXIF schema of XMP, ISO 16684-2).
  package var location: Location? {
    guard let coordinate, !isWithoutFix else { return nil }
    var location = Location(coordinate)
    location.altitude = altitude
    location.imageDirection = direction("exif:GPSImgDirection")
    location.track = direction("exif:GPSTrack")
    location.speed = speed
    location.horizontalError = number("exif:GPSHPositioningError")
    location.dilutionOfPrecision = number("exif:GPSDOP")
    location.timestamp = timestamp
    location.processingMethod = value("exif:GPSProcessingMethod")
    return location
  }

  private var coordinate: Coordinate? {
    guard let latitude = value("exif:GPSLatitude").flatMap(latitude(of:)),
      let longitude = value("exif:GPSLongitude").flatMap(longitude(of:))
    else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  package func latitude(of text: String) -> Double? {
    Double(xmpAngle: text, positive: "N", negative: "S", reference: value("exif:GPSLatitudeRef"))
  }

  package func longitude(of text: String) -> Double? {
    Double(xmpAngle: text, positive: "E", negative: "W", reference: value("exif:GPSLongitudeRef"))
  }

  /// Whether the receiver had no fix: the status is `V`, and some then write zeros.
  private var isWithoutFix: Bool {
    value("exif:GPSStatus") == "V" && coordinate?.isNoFix == true
  }

  private func number(_ name: String) -> Double? { value(name).flatMap { Double(xmp: $0) } }

  private var altitude: Double? {
    guard let height = number("exif:GPSAltitude") else { return nil }
    return value("exif:GPSAltitudeRef") == "1" ? -abs(height) : height + 0.0
  }

  private func direction(_ name: String) -> Direction? {
    guard let degrees = number(name) else { return nil }
    return Direction(degrees: degrees, reference: value(name + "Ref") == "M" ? .magneticNorth : .trueNorth)
  }

  private var speed: Double? {
    guard let speed = number("exif:GPSSpeed") else { return nil }
    let unit = value("exif:GPSSpeedRef") ?? "K"
    return unit.count == 1 ? unit.first.flatMap { Units.gpsSpeeds[$0] }.map { speed * $0 } : nil
  }

  /// The instant of EXIF's GPS date and time in one value, in UTC even without a zone.
  private var timestamp: Instant? {
    guard let text = value("exif:GPSTimeStamp"), case .time(let time, _) = XMPDate(text) else { return nil }
    return time.instant(at: time.offset ?? .utc)
  }
}

extension Double {
  /// Reads an XMP number: a rational (`25/2`), or a decimal number with or without sign.
  package init?(xmp text: some StringProtocol) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let numerator = parts.first.flatMap({ Double(plain: $0) }) else { return nil }
    guard parts.count == 2 else {
      self = numerator
      return
    }
    guard let denominator = Double(plain: parts[1]), denominator != 0 else { return nil }
    self = numerator / denominator
  }

  /// Reads only `[+-]digits[.digits]`: no `inf`, no `0x1p3`, no exponent.
  private init?(plain text: some StringProtocol) {
    let digits = text.utf8.first == UInt8(ascii: "-") || text.utf8.first == UInt8(ascii: "+") ? 1 : 0
    guard text.utf8.count <= 40, text.utf8.count > digits,
      text.utf8.dropFirst(digits).allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    self.init(String(text))
  }

  /// The number as a rational with the smallest terms that are exact to a millionth: 12.5 is `25/2`. Nil when it is
  /// negative or larger than EXIF's rationals.
  var xmpRational: String? {
    guard self >= 0, self <= Swift.Double(UInt32.max) else { return nil }
    var (numerator, denominator) = (UInt64(0), UInt64(1))
    while true {
      let scaled = (self * Swift.Double(denominator)).rounded()
      numerator = UInt64(scaled)
      if denominator == 1_000_000 || abs(scaled / Swift.Double(denominator) - self) < 1e-9 { break }
      denominator *= 10
    }
    var (a, b) = (numerator, denominator)
    while b != 0 { (a, b) = (b, a % b) }
    return "\(numerator / a)/\(denominator / a)"
  }

  /// Reads a GPSCoordinate of XMP: `33,27.40734072S`, `33,27,24.4S`. Also accepts decimal degrees, which some write
  /// instead, with a letter, a sign, or `reference`, a letter from a separate property.
  package init?(xmpAngle text: String, positive: Character, negative: Character, reference: String?) {
    var number = text[...]
    var letter = reference?.uppercased().first
    if let last = text.last, last.isLetter {
      letter = last.uppercased().first
      number = number.dropLast().trimmingBlanks
    }
    guard letter == nil || letter == positive || letter == negative else { return nil }
    let parts = number.split(separator: ",", omittingEmptySubsequences: false).map { Double(plain: $0.trimmingBlanks) }
    guard parts.count <= 3, let first = parts.first, let degrees = first else { return nil }
    guard parts.count == 1 || letter != nil, letter == nil || number.first?.isNumber == true else { return nil }
    var sum = degrees
    for (part, scale) in zip(parts.dropFirst(), [60.0, 3_600]) {
      guard let part, part >= 0, part < 60 || scale == 3_600 && part == 60 else { return nil }
      sum += part / scale
    }
    self = letter == negative ? -sum : sum
  }

  /// Returns the angle in XMP's form with up to eight decimals of a minute: `33,27.40734072S`.
  func xmpAngle(positive: Character, negative: Character) -> String {
    // In hundred-millionths of a minute, so that rounding never gives sixty minutes.
    let units = UInt64((abs(self) * 6e9).rounded())
    var decimals = Substring((units % 100_000_000).padded(8))
    while decimals.utf8.count > 1, decimals.last == "0" { decimals.removeLast() }
    let letter = self < 0 ? negative : positive
    return "\(units / 6_000_000_000),\(units / 100_000_000 % 60).\(decimals)\(letter)"
  }
}
