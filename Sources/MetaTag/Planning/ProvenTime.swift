extension Metadata {
  /// What must be added to its dates, where the time of its position proves them wrong; nil where it proves nothing.
  ///
  /// A position from a track has the photo's own time. Any other may be older than the photo, and proves no time.
  public var clockError: TimeShift? {
    guard let taken = knownInstant, let proven = provenInstant(against: taken) else { return nil }
    return TimeShift(seconds: Int64(proven.timeInterval(since: taken).rounded()))
  }

  /// The same, by what the journal tells where its position has no time.
  public func clockError(told clock: DateFacts.KnownClock?) -> TimeShift? {
    if let clockError { return clockError }
    return fixTime == nil && knownInstant != nil ? clock?.error : nil
  }

  /// When it was taken, where that is not when its dates say; nil where these may be right.
  public var provenTime: CaptureTime? {
    guard let time = captureTime else { return nil }
    if let taken = knownInstant {
      guard let proven = provenInstant(against: taken), let offset = zonedCopy?.value.offset else { return nil }
      return try? CaptureTime(proven, at: offset)
    }
    guard hasTimeOfPhoto, let fix = location?.timestamp else { return nil }
    let ahead = time.civil.secondsSince1970 - fix.seconds
    let (zone, rest) = ahead.nearestQuarterHour
    guard !DateCheck.zones.contains(zone) || abs(rest) > DateCheck.shutterSeconds else { return nil }
    return try? CaptureTime(fix, at: .utc)
  }

  /// When it was taken by the time of its position, where that shows a reading of its dates to be wrong.
  func provenInstant(against taken: Instant) -> Instant? {
    guard hasTimeOfPhoto, let fix = location?.timestamp else { return nil }
    return abs(fix.timeInterval(since: taken)) > Double(DateCheck.shutterSeconds) ? fix : nil
  }

  /// The time of its position, where that is later than a reading of its dates: no photo is older than its position, so
  /// the clock was slow by at least the difference.
  func laterFix(than taken: Instant) -> Instant? {
    guard let fix = location?.timestamp else { return nil }
    let later = fix.timeInterval(since: taken)
    return later > Double(DateCheck.shutterSeconds) && later <= Double(DateCheck.widestZones) ? fix : nil
  }

  /// The receivers' times in EXIF and XMP: those of positions, then those without one.
  var fixes: [Sourced<Instant>] {
    let placed = locations.compactMap { copy in
      copy.value.timestamp.map { Sourced($0, copy.namespace, tag: "GPSTimeStamp") }
    }
    return (placed + satelliteTimes).filter { $0.namespace == .exif || $0.namespace == .xmp }
  }

  /// The first of them that contradicts a reading of its dates: it is later, or older than fixes that cameras use.
  func fixContradicting(_ taken: Instant) -> Sourced<Instant>? {
    let oldest = hasTimeOfPhoto ? DateCheck.shutterSeconds : DateCheck.fixSeconds
    return fixes.first { !(-DateCheck.shutterSeconds...oldest).contains(taken.seconds - $0.value.seconds) }
  }

  /// Whether the time of its position is when it was taken, as geotagging by a track writes it.
  var hasTimeOfPhoto: Bool {
    location?.processingMethod.map { ["GPS, interpolated", "GPS, nearest fix", "BORROWED"].contains($0) } ?? false
  }
}
