/// A receiver's time that contradicts a photo's date as it would be read in a zone.
public struct FixContradiction: Hashable, Sendable {
  /// The receiver's time.
  public let fix: Instant
  /// The shift that would make the date agree with it.
  public let missing: TimeShift
  /// The offset at which a clock showed the date at the receiver's time, or within the hour that a fix may be old.
  public let fitting: UTCOffset?
  /// Whether the contradiction proves an error of the clock, rather than an unusually old fix.
  public let isProof: Bool

  /// Creates the contradiction. Returns nil if the receiver's time doesn't contradict the reading, or if the reading is
  /// the instant that the photo already records and no error of the clock is proven.
  ///
  /// - Parameter shift: The shift of the date for that reading.
  init?(_ metadata: Metadata, _ taken: Instant, movedBy shift: TimeShift) {
    let proof = metadata.provenInstant(against: taken) ?? metadata.laterFix(than: taken)
    let isNew = metadata.knownInstant != taken
    guard let fix = proof ?? (isNew ? metadata.fixContradicting(taken)?.value : nil) else { return nil }
    self.fix = fix
    missing = TimeShift(seconds: Int64(fix.timeInterval(since: taken).rounded()))
    isProof = proof != nil
    guard shift == .zero, let shown = metadata.captureTime?.civil.secondsSince1970 else {
      fitting = nil
      return
    }
    let ahead = shown - fix.seconds
    let (quarter, rest) = ahead.nearestQuarterHour
    // Use a whole hour if the fix is some minutes old.
    let hour = (ahead + DateCheck.shutterSeconds).flooredDivision(by: 3_600).quotient * 3_600
    let isExact = abs(rest) <= DateCheck.shutterSeconds
    let zone = isExact ? quarter : hour
    let isZone = DateCheck.zones.contains(zone) && (isExact || !metadata.hasTimeOfPhoto())
    fitting = isZone ? UTCOffset(seconds: Int(zone)) : nil
  }
}

extension FixContradiction: CustomStringConvertible {
  /// `2024-07-01T03:00:00Z; +09:00 would fit`.
  public var description: String {
    let time = CivilTime(secondsSince1970: fix.seconds).map { "\($0)Z; " } ?? ""
    return switch (fitting, isProof) {
    case (let zone?, _): time + "\(zone) would fit"
    case (nil, true): time + "the clock was wrong by \(missing)"
    case (nil, false): time + "no time zone would fit"
    }
  }

  /// The remedy.
  public var remedy: Remedy {
    switch (fitting, isProof) {
    case (let zone?, _): .useOffset(zone, orShift: missing)
    case (nil, true): .shiftFirst(missing)
    case (nil, false): .setDateWithZone
    }
  }
}
