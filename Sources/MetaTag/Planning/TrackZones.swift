import Synchronization

/// Which zones a track went through: the zones that a clock which kept local time along it can have been in.
///
/// Borders are not this library's matter; whoever has them says which zone a place keeps.
final class TrackZones: Sendable {
  private let track: Track
  private let zone: @Sendable (Coordinate) -> Zone?
  private let found = Mutex<[Zone]?>(nil)

  init(of track: Track, by zone: @escaping @Sendable (Coordinate) -> Zone?) {
    self.track = track
    self.zone = zone
  }

  /// A reading of `time`, which has no offset, by the zone of the place where the track was when a clock there showed it:
  /// the zone leads to an instant, the instant to a place, and the place must be in a zone of the same offset.
  ///
  /// - Parameter place: Where the track was at an instant of the camera, and when that really was.
  /// - Throws: `.noZone` when no zone of the track fits, `.severalZones` when more than one instant does; when all zones
  ///   of the track mean the same instant, the reason why the track does not place it.
  func reading(
    of time: CaptureTime, placedBy place: (Instant) throws(Reason) -> (Coordinate, Instant)
  ) throws(Reason) -> ClockReading {
    var readings: [ClockReading] = []
    var reasons: [UTCOffset: Reason?] = [:]
    for offset in zones.flatMap({ $0.offsets(forCivil: time.civil).all }) where reasons[offset] == nil {
      do throws(Reason) {
        let (coordinate, instant) = try place(time.instant(at: offset))
        reasons[offset] = .some(nil)
        guard let zone = zone(coordinate), zone.offset(at: instant) == offset else { continue }
        readings.append(ClockReading(time: time, offset: offset, zone: zone, isOfPlace: true))
      } catch {
        reasons[offset] = error
      }
    }
    if let reading = readings.first {
      guard readings.count == 1 else {
        throw .severalZones(time, readings.map(\.offset).sorted { $0.seconds < $1.seconds })
      }
      return reading
    }
    if reasons.count == 1, let reason = reasons.values.first ?? nil { throw reason }
    throw .noZone(time)
  }

  /// In the order in which the track came to them.
  private var zones: [Zone] {
    found.withLock { found in
      if let found { return found }
      var zones: [Zone] = []
      var last: Coordinate?
      for point in track.segments.lazy.flatMap(\.points) {
        // Some five kilometres apart: who crossed a zone on less is not read by it.
        if let last, last.isWithin(0.05, of: point.coordinate) { continue }
        last = point.coordinate
        if let zone = zone(point.coordinate), !zones.contains(zone) { zones.append(zone) }
      }
      found = zones
      return zones
    }
  }
}

extension Zone.Offsets {
  /// None for a reading that was never shown.
  fileprivate var all: [UTCOffset] {
    switch self {
    case .one(let offset): [offset]
    case .ambiguous(let earlier, let later): [earlier, later]
    case .nonexistent: []
    }
  }
}

extension Coordinate {
  /// Whether the latitudes, and the longitudes, differ by at most so many degrees.
  fileprivate func isWithin(_ degrees: Double, of other: Coordinate) -> Bool {
    abs(latitude - other.latitude) <= degrees && abs(longitude - other.longitude) <= degrees
  }
}
