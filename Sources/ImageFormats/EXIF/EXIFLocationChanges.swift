/// Changes of the location in an EXIF block.
extension EXIF {
  /// Puts a position into the GPS directory. A value is always written together with its reference.
  static func setLocation(
    _ new: Location, keepsCompanions: Bool, in block: TIFFBlock?, _ changes: inout TIFFChanges
  ) {
    let gps = block?.gps
    var old: Location?
    if case .place(let location)? = block.map(location(of:)) { old = location }
    let stays = old?.coordinate.isWritten(like: new.coordinate) ?? false
    var wanted = tags(of: new)
    var stale = stays ? [] : GPSTag.companions
    if stays {
      for tag in [GPSTag.latitudeRef, GPSTag.latitude, GPSTag.longitudeRef, GPSTag.longitude] { wanted[tag] = nil }
    } else if gps?[GPSTag.mapDatum] != nil {
      wanted[GPSTag.mapDatum] = .ascii("WGS-84")
    }
    for field in fields(old, new) {
      if field.new != nil, field.old == field.new {
        for tag in field.tags { wanted[tag] = nil }
        stale.subtract(field.tags)
      } else if field.old != nil, field.new == nil {
        stale.formUnion(field.tags)
      }
    }
    if gps?.entries.isEmpty ?? true { wanted[GPSTag.versionID] = .bytes([2, 3, 0, 0]) }
    for (tag, value) in wanted where block?.value(of: tag, in: .gps) != value {
      changes.set(tag, in: .gps, to: value)
    }
    // The status "V" means that the receiver had no fix. It doesn't apply to a position given now.
    if keepsCompanions { stale = block?.text(of: GPSTag.status, in: .gps) == "V" ? [GPSTag.status] : [] }
    for tag in stale where wanted[tag] == nil && gps?[tag] != nil { changes.remove(tag, in: .gps) }
  }

  /// The companions that we can decode, before and after. The camera's direction is excluded: it stays valid at a new
  /// place.
  private static func fields(
    _ old: Location?, _ new: Location
  ) -> [(tags: [UInt16], old: AnyHashable?, new: AnyHashable?)] {
    [
      ([GPSTag.altitudeRef, GPSTag.altitude], old?.altitude, new.altitude),
      ([GPSTag.speedRef, GPSTag.speed], old?.speed, new.speed),
      ([GPSTag.trackRef, GPSTag.track], old?.track, new.track),
      (
        [GPSTag.imageDirectionRef, GPSTag.imageDirection], new.imageDirection.flatMap { _ in old?.imageDirection },
        new.imageDirection
      ),
      ([GPSTag.dilutionOfPrecision], old?.dilutionOfPrecision, new.dilutionOfPrecision),
      ([GPSTag.horizontalError], old?.horizontalError, new.horizontalError),
      ([GPSTag.dateStamp, GPSTag.timeStamp], old?.timestamp, new.timestamp),
      ([GPSTag.processingMethod], old?.processingMethod, new.processingMethod),
    ]
  }

  /// Returns a position and its companions as tags.
  private static func tags(of location: Location) -> [UInt16: TIFFValue] {
    let coordinate = location.coordinate
    var tags: [UInt16: TIFFValue] = [
      GPSTag.latitudeRef: .ascii(coordinate.latitude < 0 ? "S" : "N"),
      GPSTag.latitude: .rational(sexagesimal(coordinate.latitude)),
      GPSTag.longitudeRef: .ascii(coordinate.longitude < 0 ? "W" : "E"),
      GPSTag.longitude: .rational(sexagesimal(coordinate.longitude)),
    ]
    if let altitude = location.altitude.flatMap({ Rational(abs($0)) }) {
      tags[GPSTag.altitudeRef] = .bytes([(location.altitude ?? 0) < 0 ? 1 : 0])
      tags[GPSTag.altitude] = .rational([altitude])
    }
    if let speed = location.speed.flatMap({ Rational($0 * 3.6) }) {
      tags[GPSTag.speedRef] = .ascii("K")
      tags[GPSTag.speed] = .rational([speed])
    }
    for (direction, tag, reference) in [
      (location.track, GPSTag.track, GPSTag.trackRef),
      (location.imageDirection, GPSTag.imageDirection, GPSTag.imageDirectionRef),
    ] {
      guard let direction, let degrees = Rational(direction.degrees) else { continue }
      tags[reference] = .ascii(direction.reference.rawValue)
      tags[tag] = .rational([degrees])
    }
    tags[GPSTag.dilutionOfPrecision] = location.dilutionOfPrecision.flatMap { Rational($0) }.map { .rational([$0]) }
    tags[GPSTag.horizontalError] = location.horizontalError.flatMap { Rational($0) }.map { .rational([$0]) }
    if let method = location.processingMethod, method.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
      tags[GPSTag.processingMethod] = .undefined(Array("ASCII\0\0\0\(method)".utf8))
    }
    if let instant = location.timestamp, let clock = CivilTime(secondsSince1970: instant.seconds) {
      tags[GPSTag.dateStamp] = .ascii("\(clock.year.padded(4)):\(clock.month.padded(2)):\(clock.day.padded(2))")
      tags[GPSTag.timeStamp] = .rational([
        Rational(UInt32(clock.hour), 1), Rational(UInt32(clock.minute), 1),
        Rational(Double(clock.second) + Double(instant.nanoseconds) / 1e9) ?? Rational(UInt32(clock.second), 1),
      ])
    }
    return tags
  }

  /// Returns whole degrees, whole minutes, and seconds in 1/10000 (3 mm). Neither minutes nor seconds reach 60.
  static func sexagesimal(_ degrees: Double) -> [Rational] {
    let units = UInt64((abs(degrees) * 36_000_000).rounded())
    return [
      Rational(UInt32(units / 36_000_000), 1), Rational(UInt32(units / 600_000 % 60), 1),
      Rational(UInt32(units % 600_000), 10_000),
    ]
  }
}

extension Coordinate {
  /// Whether EXIF writes both positions alike: closer than a hundred-millionth of a degree, about a millimetre.
  fileprivate func isWritten(like other: Coordinate) -> Bool {
    abs(latitude - other.latitude) <= 1e-8 && abs(longitude - other.longitude) <= 1e-8
  }
}

extension Rational {
  /// Creates the decimal fraction with the fewest digits that represents `value` to a millionth: 12.5 is 125/10.
  /// Returns nil when it is negative, not a number, or too large.
  init?(_ value: Double) {
    guard value >= 0, value <= Double(UInt32.max) else { return nil }
    var best = Rational(UInt32(value.rounded(.down)), 1)
    var denominator: UInt32 = 1
    while denominator <= 1_000_000 {
      let scaled = (value * Double(denominator)).rounded()
      guard scaled <= Double(UInt32.max) else { break }
      best = Rational(UInt32(scaled), denominator)
      if abs(scaled / Double(denominator) - value) < 1e-9 { break }
      denominator *= 10
    }
    self = best
  }
}
