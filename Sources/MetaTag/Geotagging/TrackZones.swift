/// The time zones along a track: those in which a clock that kept local time can have been.
///
/// The zone at a place comes from the caller, as this library has no borders.
final class TrackZones: Sendable {
  private let track: Track
  private let zone: @Sendable (Coordinate) -> Zone?
  private let found = Lazily<[Zone]>()

  init(of track: Track, by zone: @escaping @Sendable (Coordinate) -> Zone?) {
    self.track = track
    self.zone = zone
  }

  /// Returns the offset of clocks at a place.
  func offset(of place: Coordinate, at instant: Instant) -> UTCOffset? { zone(place)?.offset(at: instant) }

  /// Returns the offsets at which clocks along the track can have shown `civil`.
  func offsets(of civil: CivilTime) -> Set<UTCOffset> { Set(zones.flatMap { $0.offsets(forCivil: civil).all }) }

  /// Returns a reading of `time`, which has no offset, by the zone of the place where the track was when a clock there
  /// showed it. Each zone of the track gives an instant, the instant gives a place, and the place must be in a zone of
  /// the same offset.
  ///
  /// - Parameters:
  ///   - correction: The shift to add to the clock's time.
  ///   - place: Returns the position of the track at an instant.
  /// - Throws: `.severalZones` when more than one instant fits, including breaks of the track that began or ended in
  ///   such a zone within some hours; `.nonexistentTime` when clocks there skipped the time; `.noZone` when no zone of
  ///   the track fits. If only one instant is possible, the reason why the track doesn't place it.
  func reading(
    of time: CaptureTime, correctedBy correction: TimeShift, placedBy place: (Instant) throws(Reason) -> Coordinate
  ) throws(Reason) -> ClockReading {
    var readings: [ClockReading] = []
    var unplaced: [(offset: UTCOffset, reason: Reason)] = []
    var reasons: [UTCOffset: Reason?] = [:]
    for offset in zones.flatMap({ $0.offsets(forCivil: time.civil).all }) where reasons[offset] == nil {
      let instant = time.instant(at: offset).adding(correction)
      do throws(Reason) {
        let coordinate = try place(instant)
        reasons[offset] = .some(nil)
        guard let zone = zone(coordinate), zone.offset(at: instant) == offset else { continue }
        readings.append(ClockReading(time: time, offset: offset, zone: zone, isOfPlace: true))
      } catch {
        reasons[offset] = error
        if error.isInBreak, zonesNear(instant).contains(where: { $0.offset(at: instant) == offset }) {
          unplaced.append((offset, error))
        }
      }
    }
    let fitting = readings.map(\.offset) + unplaced.map(\.offset)
    if fitting.count > 1 { throw .severalZones(time, fitting.sorted { $0.seconds < $1.seconds }) }
    if let reading = readings.first { return reading }
    if let reason = unplaced.first?.reason { throw reason }
    if let reason = jump(over: time, correctedBy: correction) { throw reason }
    if reasons.count == 1, let reason = reasons.values.first ?? nil { throw reason }
    throw .noZone(time)
  }

  /// Hours before or after a fix in which its zone may still apply.
  private static let nearHours = 4.0

  private func zonesNear(_ instant: Instant) -> [Zone] {
    track.fixes(around: instant)
      .filter { abs($0.instant.timeInterval(since: instant)) <= TrackZones.nearHours * 3_600 }
      .compactMap { zone($0.coordinate) }
  }

  /// Returns the reason for a time that clocks in the track's zone skipped when they were set forward.
  private func jump(over time: CaptureTime, correctedBy correction: TimeShift) -> Reason? {
    for zone in zones {
      guard case .nonexistent(let before, let after) = zone.offsets(forCivil: time.civil) else { continue }
      if zonesNear(time.instant(at: before).adding(correction)).contains(zone) {
        return .nonexistentTime(time.civil, zone, before: before, after: after)
      }
    }
    return nil
  }

  /// The zones in the order in which the track reached them.
  private var zones: [Zone] {
    found.get {
      var zones: [Zone] = []
      var last: Coordinate?
      for point in track.segments.lazy.flatMap(\.points) {
        // Check points about five kilometres apart. Photos aren't read by a zone that the track crossed on a shorter
        // way.
        if let last, last.isWithin(0.05, of: point.coordinate) { continue }
        last = point.coordinate
        if let zone = zone(point.coordinate), !zones.contains(zone) { zones.append(zone) }
      }
      return zones
    }
  }
}

extension Reason {
  /// Whether the instant lies in a break of the track.
  fileprivate var isInBreak: Bool {
    switch self {
    case .noMatch(.inGap, _, _), .noMatch(.betweenSegments, _, _): true
    default: false
    }
  }

  /// The offsets between which a photo's time is in doubt.
  var doubtfulOffsets: [UTCOffset] {
    switch self {
    case .severalZones(_, let offsets): offsets
    case .ambiguousTime(_, _, let earlier, let later): [earlier, later]
    case .nonexistentTime(_, _, let before, let after): [before, after]
    default: []
    }
  }
}

extension Zone.Offsets {
  /// All offsets at which the time was shown; empty if it never was.
  fileprivate var all: [UTCOffset] {
    switch self {
    case .one(let offset): [offset]
    case .ambiguous(let earlier, let later): [earlier, later]
    case .nonexistent: []
    }
  }
}

extension Coordinate {
  /// Whether latitudes and longitudes differ by at most `degrees`.
  fileprivate func isWithin(_ degrees: Double, of other: Coordinate) -> Bool {
    abs(latitude - other.latitude) <= degrees && abs(longitude - other.longitude) <= degrees
  }
}
