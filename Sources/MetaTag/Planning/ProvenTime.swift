extension Metadata {
  /// What must be added to its dates, where the time of its position, or the journal, proves them wrong; nil where
  /// nothing is proven.
  ///
  /// A position from a track has the photo's own time. Any other may be older than the photo, and proves no time. Where
  /// the position has no time, it is what the run that placed the photo was told.
  ///
  /// A date without an offset can be right in any zone. It is wrong by what the run that placed it was told; or where no
  /// zone makes it the time of its position, by what is missing in `zone`.
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

  /// The time of its position, where that is the photo's own, and its date, which records no offset, shows it in no zone.
  func fixOfNoZone(recorded clock: DateFacts.KnownClock? = nil) -> Instant? {
    guard knownInstant == nil, let shown = captureTime?.civil.secondsSince1970, hasTimeOfPhoto(recorded: clock),
      let fix = location?.timestamp, !(shown - fix.seconds).isOfSomeZone
    else { return nil }
    return fix
  }

  /// When it was taken, where that is not when its dates say; nil where these may be right.
  package func provenTime(recorded clock: DateFacts.KnownClock? = nil) -> CaptureTime? {
    guard captureTime != nil else { return nil }
    if let taken = knownInstant {
      let proven = provenInstant(against: taken, recorded: clock)
      guard let proven, let offset = zonedCopy?.value.offset else { return nil }
      return try? CaptureTime(proven, at: offset)
    }
    return fixOfNoZone(recorded: clock).flatMap { try? CaptureTime($0, at: .utc) }
  }

  /// When it was taken by the time of its position, or else by the journal, where that shows a reading of its dates to
  /// be wrong.
  func provenInstant(against taken: Instant, recorded clock: DateFacts.KnownClock? = nil) -> Instant? {
    if fixTime == nil, let error = clock?.error { return taken.adding(error) }
    guard hasTimeOfPhoto(recorded: clock), let fix = location?.timestamp else { return nil }
    return abs(fix.timeInterval(since: taken)) > Double(DateCheck.shutterSeconds) ? fix : nil
  }

  /// The time of its position, where that is later than a reading of its dates: no photo is older than its position, so
  /// the clock was slow by at least the difference.
  func laterFix(than taken: Instant) -> Instant? {
    guard let fix = location?.timestamp else { return nil }
    let later = fix.timeInterval(since: taken)
    return later > Double(DateCheck.shutterSeconds) && later <= Double(DateCheck.widestZones) ? fix : nil
  }

  /// The receivers' times in EXIF, XMP and the sidecar: those of positions, then those without one.
  var fixes: [Sourced<Instant>] {
    let placed = locations.compactMap { copy in
      copy.value.timestamp.map { Sourced($0, copy.namespace, tag: "GPSTimeStamp") }
    }
    return (placed + satelliteTimes).filter { [.exif, .xmp, .sidecar].contains($0.namespace) }
  }

  /// The first of them that contradicts a reading of its dates: it is later, or older than fixes that cameras use.
  func fixContradicting(_ taken: Instant, recorded clock: DateFacts.KnownClock? = nil) -> Sourced<Instant>? {
    let oldest = hasTimeOfPhoto(recorded: clock) ? DateCheck.shutterSeconds : DateCheck.fixSeconds
    return fixes.first { !(-DateCheck.shutterSeconds...oldest).contains(taken.seconds - $0.value.seconds) }
  }

  /// Whether the time of its position is when it was taken: geotagging by a track writes it so, and says it in a way
  /// that no receiver does; or the journal tells that a track placed it.
  ///
  /// Version 0.1.0 called a position at a point of the track `GPS`, as cameras call their own: there only the journal
  /// tells.
  func hasTimeOfPhoto(recorded clock: DateFacts.KnownClock? = nil) -> Bool {
    if clock != nil { return true }
    let methods = ["GPS, track point", "GPS, interpolated", "GPS, nearest fix", "BORROWED"]
    return location?.processingMethod.map { methods.contains($0) } ?? false
  }
}

extension Int64 {
  /// Whether a clock of some zone may be so many seconds ahead of UTC.
  fileprivate var isOfSomeZone: Bool {
    let (zone, rest) = nearestQuarterHour
    return DateCheck.zones.contains(zone) && abs(rest) <= DateCheck.shutterSeconds
  }
}
