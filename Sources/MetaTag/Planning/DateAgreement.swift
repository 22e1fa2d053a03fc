extension CaptureTime {
  /// Seconds from `other` to this: of instants where both are some, else of what clocks showed.
  func distance(from other: CaptureTime) -> Int64 {
    guard let instant, let others = other.instant else {
      return civil.secondsSince1970 - other.civil.secondsSince1970
    }
    return instant.seconds - others.seconds
  }

  /// Whether clocks showed the same.
  func isShowing(_ other: CaptureTime) -> Bool {
    abs(civil.secondsSince1970 - other.civil.secondsSince1970) <= DateCheck.copySeconds
  }

  /// In what a copy in `namespace` contradicts this; nil when it says the same, or only knows less.
  func disagreement(with copy: CaptureTime, of namespace: Namespace) -> DateFinding.Kind? {
    let apart = abs(civil.secondsSince1970 - copy.civil.secondsSince1970)
    if apart <= DateCheck.copySeconds || knowsLess(copy) {
      // IPTC demands an offset, so that writers make it up.
      guard namespace != .iptc, let offset, let others = copy.offset, offset != others else { return nil }
      return .offset
    }
    if instant != nil, copy.instant != nil {
      return abs(distance(from: copy)) <= DateCheck.copySeconds ? nil : .captureTime
    }
    // What is written in UTC is the same time in some zone.
    let ahead = civil.secondsSince1970 - copy.civil.secondsSince1970
    let isInUTC = offset == nil && copy.offset == .utc
    if isInUTC, namespace != .iptc, case let (zone, rest) = ahead.nearestQuarterHour, DateCheck.zones.contains(zone),
      abs(rest) <= DateCheck.copySeconds
    {
      return nil
    }
    return .captureTime
  }

  /// In IPTC, which demands an offset, writers make up that of UTC where they know none; any other is meant.
  func strayOffset(in copy: Sourced<CaptureTime>) -> DateFinding.Kind? {
    guard copy.namespace == .iptc, civil == copy.value.civil, let offset, let theirs = copy.value.offset,
      theirs != .utc, offset != theirs
    else { return nil }
    return .offset
  }

  /// Whether `copy` can be this without its seconds, or without its time of day.
  private func knowsLess(_ copy: CaptureTime) -> Bool {
    guard copy.civil.second == 0, copy.fraction == nil, civil.isSameDay(as: copy.civil) else { return false }
    let isMidnight = copy.civil.hour == 0 && copy.civil.minute == 0
    return isMidnight || civil.hour == copy.civil.hour && civil.minute == copy.civil.minute
  }
}

extension Metadata {
  /// The capture time that is believed, where it has no offset a copy in XMP that shows the same and has one; nil if
  /// there is none.
  var zonedCopy: Sourced<CaptureTime>? {
    guard let believed = captureTimes.first, believed.value.offset == nil else { return captureTimes.first }
    return captureTimes.first {
      [.xmp, .sidecar].contains($0.namespace) && $0.value.civil == believed.value.civil && $0.value.offset != nil
    }
  }

  /// When it was taken, if the offset is known so.
  var knownInstant: Instant? { zonedCopy?.value.instant }
}

extension Int64 {
  /// The nearest quarter of an hour, and what is left.
  var nearestQuarterHour: (quarter: Int64, rest: Int64) {
    let quarter = (self + 450).flooredDivision(by: 900).quotient * 900
    return (quarter, self - quarter)
  }

  /// Whether two times so far apart are one time in two zones.
  var isOfOtherZone: Bool {
    let (quarter, rest) = nearestQuarterHour
    return quarter != 0 && abs(quarter) <= DateCheck.widestZones && abs(rest) <= 2 && quarter % 1_800 == 0
  }
}

extension String {
  /// Whether a file of this name was saved when a messenger, a browser or a screen showed it, perhaps long after it was
  /// taken.
  var isNameOfSavedPicture: Bool {
    let name = lowercased()
    return ["signal-", "fb_img_", "received_", "photo_", "video_", "screenshot", "telegram", "messenger", "mmexport"]
      .contains { name.hasPrefix($0) } || ["whatsapp", "viber_image_", "-wa"].contains { name.contains($0) }
  }
}
