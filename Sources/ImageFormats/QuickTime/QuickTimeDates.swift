/// Changes of the dates in QuickTime metadata.
extension QuickTime {
  /// Changes dates in text form, and moves the headers of the movie, its tracks and their media by the same distance.
  func changeDates(
    _ change: DateChange, isDated: Bool, _ changes: inout QuickTimeChanges
  ) throws(FileError) {
    guard change != .keep else { return }
    guard !change.isPartial else {
      throw FileError(
        .dateOutOfRange, "is a movie, whose headers can't hold a date without a day and a time", remedy: .giveWholeDate)
    }
    for item in dates {
      guard let old = text(of: item), let new = try QuickTime.text(old, after: change) else { continue }
      changes.items[item] = .set(Array(new.utf8))
    }
    let written = believedText
    guard let old = written ?? (isDated ? nil : headerTime) else {
      return try dateFromNothing(change, isDated: isDated, &changes)
    }
    guard let new = old.applying(change) else { throw QuickTime.outOfRange }
    if written == nil, new.offset != nil, new.offset != old.offset || change.isSet {
      addDate(new, &changes)
    } else if written == nil {
      try QuickTime.requireBelieved(new)
    }
    try moveHeaders(change, from: old, to: new, isText: written != nil, &changes)
  }

  /// Refuses header times before 1970: many programs count a header's seconds from 1970, and readers interpret the
  /// first 66 years so.
  private static func requireBelieved(_ time: CaptureTime) throws(FileError) {
    guard time.instant(at: time.offset ?? .utc).seconds < 0 else { return }
    throw FileError(
      .dateOutOfRange, "would have a date before 1970 only in its movie headers, where many programs misread it",
      remedy: .setDateWithZone)
  }

  /// The preferred date, if it is in text form.
  private var believedText: CaptureTime? {
    for item in dates {
      if let text = text(of: item), case .time(let time, _) = XMPDate(text) { return time }
    }
    return nil
  }

  /// Changes a movie without a date of its own, or without a valid one.
  private func dateFromNothing(
    _ change: DateChange, isDated: Bool, _ changes: inout QuickTimeChanges
  ) throws(FileError) {
    switch change {
    case .keep, .setPartial: break
    case .set(let time, _):
      if time.offset != nil {
        addDate(time, &changes)
      } else if !isDated {
        try QuickTime.requireBelieved(time)
      }
      try setHeaders(time, &changes)
    case .adjust(let shift, let offset):
      // The header's time zone is unknown: it moves only if the change doesn't involve a zone.
      if isDated, offset == .keep, let distance = try headerDistance(of: shift) {
        try moveHeaders(by: distance, &changes)
      }
    }
  }

  private func moveHeaders(
    _ change: DateChange, from old: CaptureTime, to new: CaptureTime, isText: Bool, _ changes: inout QuickTimeChanges
  ) throws(FileError) {
    guard case .adjust = change else { return try setHeaders(new, &changes) }
    if let before = old.instant, let after = new.instant {
      try moveHeaders(by: after.seconds - before.seconds, &changes)
    } else if let after = new.instant, let header = data.headers.first.flatMap({ seconds($0.creation) }) {
      try moveHeaders(by: after.seconds - header, &changes)
    } else {
      try moveHeaders(by: new.civil.secondsSince1970 - old.civil.secondsSince1970, &changes)
    }
  }

  /// Returns the seconds by which the first valid header moves. All headers move by the same amount, so that tracks
  /// stay together.
  private func headerDistance(of shift: CalendarShift) throws(FileError) -> Int64? {
    guard let old = data.headers.lazy.compactMap({ seconds($0.creation) }).first else { return nil }
    guard let new = CivilTime(secondsSince1970: old).flatMap({ CaptureTime($0).adding(shift) }) else {
      throw QuickTime.outOfRange
    }
    return new.civil.secondsSince1970 - old
  }

  /// Sets the headers, in UTC if the offset is known; otherwise to the local time, as a header of unknown zone is read.
  private func setHeaders(_ time: CaptureTime, _ changes: inout QuickTimeChanges) throws(FileError) {
    let seconds = time.instant?.seconds ?? time.civil.secondsSince1970
    try changeHeaderTexts(&changes) { _ in CivilTime(secondsSince1970: seconds) }
    for header in data.headers {
      if let splice = try splice(header.creation, seconds) { changes.times.append(splice) }
    }
  }

  private func moveHeaders(by distance: Int64, _ changes: inout QuickTimeChanges) throws(FileError) {
    try changeHeaderTexts(&changes) { $0.adding(seconds: distance) }
    for header in data.headers {
      guard let old = seconds(header.creation) else { continue }
      let (new, overflow) = old.addingReportingOverflow(distance)
      guard !overflow else { throw QuickTime.outOfRange }
      if let splice = try splice(header.creation, new) { changes.times.append(splice) }
    }
  }

  /// Changes texts that copy the header, with the same precision of a second.
  private func changeHeaderTexts(
    _ changes: inout QuickTimeChanges, to new: (CivilTime) -> CivilTime?
  ) throws(FileError) {
    for item in headerTexts {
      guard let text = text(of: item), case .time(let old, let zone) = XMPDate(text) else { continue }
      guard let civil = new(old.civil) else { throw QuickTime.outOfRange }
      guard civil != old.civil else { continue }
      changes.items[item] = .set(Array("\(CaptureTime(civil, fraction: old.fraction))\(zone)".utf8))
    }
  }

  private func addDate(_ time: CaptureTime, _ changes: inout QuickTimeChanges) {
    let text = "\(CaptureTime(time.civil))" + (time.offset.map { "\($0)".filter { $0 != ":" } } ?? "")
    let name: QuickTimeItem.Name = data.takesKeys ? .key(Key.date) : .userData(UserData.date)
    for item in items(name) {
      // The text is empty or has only a year.
      changes.items[item] = .set(Array(text.utf8))
      return
    }
    changes.added.append(.init(name: name, text: Array(text.utf8)))
  }

  /// Returns the new text of a date, with the zone in its old form: Apple omits the colon. Nil when it stays.
  package static func text(_ old: String, after change: DateChange) throws(FileError) -> String? {
    let date = XMPDate(old)
    // A year alone is the year of publication.
    if case .partial(let known) = date, known.day == nil { return nil }
    if date == .malformed { return nil }
    guard case .time(let time, let zone) = date else { return try date.text(after: change).map(withoutColon) }
    guard var new = time.applying(change) else { throw outOfRange }
    if time.fraction == nil { new.fraction = nil }
    if new == time { return nil }
    let offset = new.offset.map { zone.contains(":") ? "\($0)" : "\($0)".filter { $0 != ":" } } ?? ""
    return "\(CaptureTime(new.civil, fraction: new.fraction))" + (new.offset == time.offset ? zone : offset)
  }

  /// Returns `2024-05-23T18:38:41+09:00` without the zone's colon.
  private static func withoutColon(_ text: String) -> String {
    guard text.contains("T"), let sign = text.dropLast(5).last, sign == "+" || sign == "-" else { return text }
    return String(text.dropLast(3) + text.suffix(2))
  }

  private static let outOfRange = FileError(.dateOutOfRange, "a date of the movie would be outside the years 0 to 9999")
}

extension DateChange {
  fileprivate var isSet: Bool { if case .set = self { true } else { false } }
}

/// Header times of a picture in boxes (CR3, sequences in HEIF): they are never preferred, and change with the picture's
/// date.
extension QuickTime {
  /// Returns the splices for the new times, at the same length.
  ///
  /// - Parameter captured: The capture time before the change.
  package func headerTimes(after edit: MetadataEdit, from captured: CaptureTime?) throws(FileError) -> [Splice] {
    var own = MetadataEdit()
    own.erasesDates = edit.erasesDates
    if !edit.dates.isPartial, let old = captured, let new = old.applying(edit.dates) {
      // As they are in UTC, they stay if only the time zone becomes known.
      let seconds =
        if let before = old.instant, let after = new.instant {
          after.seconds - before.seconds
        } else {
          new.civil.secondsSince1970 - old.civil.secondsSince1970
        }
      own.dates = .adjust(TimeShift(seconds: seconds), offset: .keep)
    }
    return try changes(for: own, isDated: true).times
  }
}
