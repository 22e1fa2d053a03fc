/// Comparison of the copies of a photo's capture time.
extension CaptureTime {
  /// Returns the seconds from `other` to this time: between instants if both are known, otherwise between the civil
  /// times.
  func distance(from other: CaptureTime) -> Int64 {
    guard let instant, let others = other.instant else {
      return civil.secondsSince1970 - other.civil.secondsSince1970
    }
    return instant.seconds - others.seconds
  }

  /// Whether both show the same civil time.
  func isShowing(_ other: CaptureTime) -> Bool {
    abs(civil.secondsSince1970 - other.civil.secondsSince1970) <= DateCheck.copySeconds
  }

  /// Returns the kind of contradiction with a copy in `namespace`; nil when the copy agrees or is only less precise.
  func disagreement(with copy: CaptureTime, of namespace: Namespace) -> DateFinding.Kind? {
    let apart = abs(civil.secondsSince1970 - copy.civil.secondsSince1970)
    if apart <= DateCheck.copySeconds || knowsLess(copy) {
      // IPTC requires an offset, so writers make one up.
      guard namespace != .iptc, let offset, let others = copy.offset, offset != others else { return nil }
      return .offset
    }
    if instant != nil, copy.instant != nil {
      return abs(distance(from: copy)) <= DateCheck.copySeconds ? nil : .captureTime
    }
    // A time written in UTC is the same time in some zone.
    let ahead = civil.secondsSince1970 - copy.civil.secondsSince1970
    let isInUTC = offset == nil && copy.offset == .utc
    if isInUTC, namespace != .iptc, case let (zone, rest) = ahead.nearestQuarterHour, DateCheck.zones.contains(zone),
      abs(rest) <= DateCheck.copySeconds
    {
      return nil
    }
    return .captureTime
  }

  /// Returns `.offset` for an IPTC copy with another offset. The format requires an offset, and writers use UTC if they
  /// know none; any other offset is intended.
  func strayOffset(in copy: Sourced<CaptureTime>) -> DateFinding.Kind? {
    guard copy.namespace == .iptc, civil == copy.value.civil, let offset, let theirs = copy.value.offset,
      theirs != .utc, offset != theirs
    else { return nil }
    return .offset
  }

  /// Whether `copy` can be this time without its seconds, or without its time of day.
  private func knowsLess(_ copy: CaptureTime) -> Bool {
    guard copy.civil.second == 0, copy.fraction == nil, civil.isSameDay(as: copy.civil) else { return false }
    let isMidnight = copy.civil.hour == 0 && copy.civil.minute == 0
    return isMidnight || civil.hour == copy.civil.hour && civil.minute == copy.civil.minute
  }
}

extension Metadata {
  /// The capture time that takes precedence; if it has no offset, an XMP copy that shows the same time with one. Nil
  /// without such a copy.
  var zonedCopy: Sourced<CaptureTime>? {
    guard let believed = captureTimes.first, believed.value.offset == nil else { return captureTimes.first }
    return captureTimes.first {
      [.xmp, .sidecar].contains($0.namespace) && $0.value.civil == believed.value.civil && $0.value.offset != nil
    }
  }

  /// The instant of the photo, if its offset is known.
  var knownInstant: Instant? { zonedCopy?.value.instant }
}

extension Int64 {
  /// The nearest quarter of an hour and the remainder.
  var nearestQuarterHour: (quarter: Int64, rest: Int64) {
    let quarter = (self + 450).flooredDivision(by: 900).quotient * 900
    return (quarter, self - quarter)
  }

  /// Whether a difference of so many seconds is a difference of time zones.
  var isOfOtherZone: Bool {
    let (quarter, rest) = nearestQuarterHour
    return quarter != 0 && abs(quarter) <= DateCheck.widestZones && abs(rest) <= 2 && quarter % 1_800 == 0
  }
}

extension String {
  /// Whether the name is typical of pictures saved by a messenger, a browser or a screenshot tool, perhaps long after
  /// they were taken.
  var isNameOfSavedPicture: Bool {
    let name = lowercased()
    return ["signal-", "fb_img_", "received_", "photo_", "video_", "screenshot", "telegram", "messenger", "mmexport"]
      .contains { name.hasPrefix($0) } || ["whatsapp", "viber_image_", "-wa"].contains { name.contains($0) }
  }
}

extension CaptureTime {
  /// Parses a text that isn't a valid date if it can mean only one time: parts in the order of ISO 8601, with any
  /// separators, without leading zeros, without seconds (0 is used). The year must have four digits, and days and times
  /// must exist.
  init?(lenient text: String) {
    let numbers: [Int]
    let (fraction, offset): (Substring?, Substring?)
    if let match = text.wholeMatch(of: Pattern.separated) {
      numbers = [match.1, match.2, match.3, match.4, match.5, match.6 ?? "0"].compactMap { Int($0) }
      (fraction, offset) = (match.7, match.8)
    } else if let match = text.wholeMatch(of: Pattern.digits) {
      numbers = [match.1, match.2, match.3, match.4, match.5, match.6].compactMap { Int($0) }
      (fraction, offset) = (nil, nil)
    } else {
      return nil
    }
    guard numbers.count == 6,
      let civil = CivilTime(
        year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4], second: numbers[5])
    else { return nil }
    self.init(
      civil, fraction: fraction.flatMap { SecondFraction(digits: $0) }, offset: offset.flatMap { UTCOffset($0) })
  }
}

extension Metadata {
  /// The capture time in words, as precisely as it is known: the preferred time, otherwise the year, month or day.
  public var takenText: String? { captureTime?.description ?? partialDates.first?.value.description }

  /// Every copy of the capture and digitized times in words, by tag and namespace; includes invalid texts.
  public var dateCopies: [String: String] {
    let copies =
      (captureTimes + digitizedTimes).map { DateFinding.Statement($0) }
      + partialDates.map { DateFinding.Statement($0) } + additionalDates.map { DateFinding.Statement($0) }
      + captureTexts.map { DateFinding.Statement($0) }
    return Dictionary(copies.map { ("\($0.tag) (\($0.source))", $0.value) }) { first, _ in first }
  }

  /// The raw invalid texts in tags for capture and digitized times. Excludes EXIF DateTime, the time of the file's last
  /// change.
  public var captureTexts: [Sourced<String>] {
    malformedDates.filter { $0.tag != EXIF.DateTags.modified.name }
  }
}

/// Patterns that are compiled once.
private enum Pattern {
  nonisolated(unsafe) static let separated =
    /\s*([0-9]{4})[-:\/. ]([0-9]{1,2})[-:\/. ]([0-9]{1,2})[T ,]+([0-9]{1,2})[:.]([0-9]{1,2})(?:[:.]([0-9]{1,2}))?(?:[.,]([0-9]{1,9}))?\s*(Z|[+-][0-9]{2}:?[0-9]{2})?\s*/
  nonisolated(unsafe) static let digits = /\s*([0-9]{4})([0-9]{2})([0-9]{2})[T ]?([0-9]{2})([0-9]{2})([0-9]{2})\s*/
}
