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
      let reason = "the position in XMP \(isStructure ? "is written as a structure, and is not read" : "can't be read")"
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
            malformed.append(Sourced("\(name) in XMP is written as a structure", .xmp, tag: name))
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

  /// Metres per second in one unit of GPSSpeedRef: km/h, miles/h, knots.
  private static let speedUnits = ["K": 1 / 3.6, "M": 0.44704, "N": 1_852.0 / 3_600]

  private var speed: Double? {
    guard let speed = number("exif:GPSSpeed") else { return nil }
    return XMPPacket.speedUnits[value("exif:GPSSpeedRef") ?? "K"].map { speed * $0 }
  }

  /// The instant of EXIF's GPS date and time in one value, in UTC even without a zone.
  private var timestamp: Instant? {
    guard let text = value("exif:GPSTimeStamp"), case .time(let time, _) = XMPDate(text) else { return nil }
    return time.instant(at: time.offset ?? .utc)
  }
}
