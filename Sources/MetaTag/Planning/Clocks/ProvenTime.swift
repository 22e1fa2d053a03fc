/// Clock errors that the time of the position proves.
extension Metadata {
  /// Returns the correction of the dates that the time of the position, or the journal, proves; nil if nothing is
  /// proven.
  ///
  /// A position from a track has the photo's own time. Any other position may be older than the photo, and proves no
  /// time. If the position has no time, the correction is the one given to the run that placed the photo.
  ///
  /// A date without an offset can be right in any zone. Its correction is the one given to the run that placed it; or,
  /// if no zone makes it the time of its position, the difference in `zone`.
  package func clockError(recorded clock: DateFacts.KnownClock? = nil, readIn zone: Zone? = nil) -> TimeShift? {
    guard let taken = knownInstant else { return clockErrorWithoutZone(recorded: clock, readIn: zone) }
    guard fixTime != nil else { return clock?.error }
    guard let proven = provenInstant(against: taken, recorded: clock) else { return nil }
    return TimeShift(seconds: Int64(proven.timeInterval(since: taken).rounded()))
  }

  private func clockErrorWithoutZone(recorded clock: DateFacts.KnownClock?, readIn zone: Zone?) -> TimeShift? {
    guard let shown = captureTime?.civil.secondsSince1970 else { return nil }
    guard let fix = fixTime else { return clock?.error }
    if let error = clock?.error, (shown + error.seconds - fix.seconds).isOfSomeZone { return error }
    guard let fix = fixOfNoZone(recorded: clock), let zone else { return nil }
    return TimeShift(seconds: fix.seconds + Int64(zone.offset(at: fix).seconds) - shown)
  }

  /// Returns the time of the position if it is the photo's own time, and if the date, which has no offset, doesn't
  /// match it in any zone.
  func fixOfNoZone(recorded clock: DateFacts.KnownClock? = nil) -> Instant? {
    guard knownInstant == nil, let shown = captureTime?.civil.secondsSince1970, hasTimeOfPhoto(recorded: clock),
      let fix = location?.timestamp, !(shown - fix.seconds).isOfSomeZone
    else { return nil }
    return fix
  }

  /// Returns the time at which the photo was taken, if its dates are proven wrong; nil if they may be right.
  package func provenTime(recorded clock: DateFacts.KnownClock? = nil) -> CaptureTime? {
    guard captureTime != nil else { return nil }
    if let taken = knownInstant {
      let proven = provenInstant(against: taken, recorded: clock)
      guard let proven, let offset = zonedCopy?.value.offset else { return nil }
      return try? CaptureTime(proven, at: offset)
    }
    return fixOfNoZone(recorded: clock).flatMap { try? CaptureTime($0, at: .utc) }
  }

  /// Returns the instant at which the photo was taken if the time of its position, or otherwise the journal, proves a
  /// reading of its dates wrong.
  func provenInstant(against taken: Instant, recorded clock: DateFacts.KnownClock? = nil) -> Instant? {
    if fixTime == nil, let error = clock?.error { return taken.adding(error) }
    guard hasTimeOfPhoto(recorded: clock), let fix = location?.timestamp else { return nil }
    return abs(fix.timeInterval(since: taken)) > Double(DateCheck.shutterSeconds) ? fix : nil
  }

  /// Returns the time of the position if it is later than a reading of the dates. A photo is never older than its
  /// position, so the clock was slow by at least the difference.
  func laterFix(than taken: Instant) -> Instant? {
    guard let fix = location?.timestamp else { return nil }
    let later = fix.timeInterval(since: taken)
    return later > Double(DateCheck.shutterSeconds) && later <= Double(DateCheck.widestZones) ? fix : nil
  }

  /// The receivers' times in EXIF, XMP and the sidecar: those of positions first, then those without a position.
  var fixes: [Sourced<Instant>] {
    let placed = locations.compactMap { copy in
      copy.value.timestamp.map { Sourced($0, copy.namespace, tag: "GPSTimeStamp") }
    }
    return (placed + satelliteTimes).filter { [.exif, .xmp, .sidecar].contains($0.namespace) }
  }

  /// Returns the first receiver's time that contradicts a reading of the dates: it is later, or older than the fixes
  /// that cameras use.
  func fixContradicting(_ taken: Instant, recorded clock: DateFacts.KnownClock? = nil) -> Sourced<Instant>? {
    let oldest = hasTimeOfPhoto(recorded: clock) ? DateCheck.shutterSeconds : DateCheck.fixSeconds
    return fixes.first { !(-DateCheck.shutterSeconds...oldest).contains(taken.seconds - $0.value.seconds) }
  }

  /// Whether the time of the position is the photo's own time. Geotagging by a track writes such a time, with a
  /// processing method that no receiver uses; or the journal records that a track placed the photo.
  ///
  /// Version 0.1.0 wrote `GPS` for a position at a point of the track, as cameras do for their own: then only the
  /// journal decides.
  func hasTimeOfPhoto(recorded clock: DateFacts.KnownClock? = nil) -> Bool {
    clock != nil || location?.hasMethodOfTrack ?? false
  }
}

extension Location {
  /// The processing methods that geotagging by a track writes.
  static let methodsOfTrack = ["GPS, track point", "GPS, interpolated", "GPS, nearest fix", "BORROWED"]

  /// Whether the processing method is that of geotagging by a track.
  var hasMethodOfTrack: Bool { processingMethod.map(Location.methodsOfTrack.contains) ?? false }
}

extension Int64 {
  /// Whether the clock of some zone may be so many seconds ahead of UTC.
  fileprivate var isOfSomeZone: Bool {
    let (zone, rest) = nearestQuarterHour
    return DateCheck.zones.contains(zone) && abs(rest) <= DateCheck.shutterSeconds
  }
}
