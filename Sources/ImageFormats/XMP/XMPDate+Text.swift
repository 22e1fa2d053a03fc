extension XMPDate {
  /// The limit in bytes of a date, including surrounding blanks.
  package static let longest = 64

  package init(_ text: String) {
    let text = String(text.trimmingBlanks)
    if text.utf8.allSatisfy({ "0-:T.Z+ ".utf8.contains($0) }) {
      self = .blank
      return
    }
    var rest = Array(text.utf8)[...]
    guard let year = rest.takeNumber(4) else {
      self = .malformed
      return
    }
    let parting = XMPDate.isEXIFText(text) ? ":" : "-"
    self =
      XMPDate.rest(year: year, &rest, parting) ?? PartialDate(exif: text).map { .partial($0) } ?? .malformed
  }

  /// Whether a date is written with EXIF's colons.
  static func isEXIFText(_ text: String) -> Bool { text.trimmingBlanks.utf8.dropFirst(4).first == UInt8(ascii: ":") }

  private static func rest(year: Int, _ rest: inout ArraySlice<UInt8>, _ parting: String) -> XMPDate? {
    if rest.isEmpty { return PartialDate(year: year).map { .partial($0) } }
    guard rest.take(parting), let month = rest.takeNumber(2) else { return nil }
    if rest.isEmpty { return PartialDate(year: year, month: month == 0 ? nil : month).map { .partial($0) } }
    guard rest.take(parting), let day = rest.takeNumber(2) else { return nil }
    if rest.isEmpty { return PartialDate(year: year, month: month, day: day).map { .partial($0) } }
    guard rest.take("T ") else { return nil }
    guard let hour = rest.takeNumber(2), rest.take(":"), let minute = rest.takeNumber(2) else { return nil }
    var second = 0
    var fraction: SecondFraction?
    if rest.take(":") {
      guard let number = rest.takeNumber(2) else { return nil }
      second = number
      if rest.take(".") {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        fraction = SecondFraction(digits: String(decoding: digits.prefix(9), as: UTF8.self))
        guard fraction != nil else { return nil }
        rest = rest.dropFirst(digits.count)
      }
    }
    let zone = String(decoding: rest, as: UTF8.self)
    let offset = UTCOffset(zone)
    guard zone.isEmpty || offset != nil,
      let civil = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    return .time(CaptureTime(civil, fraction: fraction, offset: offset), zone: zone)
  }

  /// Returns the new text for `old`; nil when that stays. A value that is set is written in XMP's form, even if EXIF's
  /// form already gives the same date.
  ///
  /// - Throws: `refused` when the date would leave the years 0…9999.
  package static func text(instead old: String, after change: DateChange) throws(FileError) -> String? {
    let date = XMPDate(old)
    if let new = try date.text(after: change) {
      guard case .adjust = change, case .time(let time, let zone) = date else { return new }
      return new.withoutSeconds(as: old, time, zone)
    }
    guard isEXIFText(old) else { return nil }
    switch (change, date) {
    case (.set, .time(let time, let zone)): return "\(CaptureTime(time.civil, fraction: time.fraction))\(zone)"
    case (.setPartial, .partial(let date)): return "\(date)"
    default: return nil
    }
  }

  /// Returns the text of this date after `change`.
  package func text(after change: DateChange) throws(FileError) -> String? {
    switch (change, self) {
    case (.keep, _): return nil
    case (.set, .time(let old, let zone)): return old.applying(change).flatMap { text($0, instead: old, zone) }
    case (.set(let time, _), _): return "\(time)"
    case (.setPartial(let wanted), _): return self == .partial(wanted) ? nil : "\(wanted)"
    case (.adjust(let shift, let offset), .time(let old, let zone)):
      guard var new = old.adding(shift) else { throw XMPDate.outOfRange }
      switch offset {
      case .keep: break
      case .set(let offset): new.offset = offset
      case .remove: new.offset = nil
      }
      return text(new, instead: old, zone)
    case (.adjust(let shift, _), .partial(let date)):
      guard let new = shift.moving(date) else { throw XMPDate.outOfRange }
      return new == date ? nil : "\(new)"
    case (.adjust, _): return nil
    }
  }

  package func text(_ new: CaptureTime, instead old: CaptureTime, _ zone: String) -> String? {
    guard new != old else { return nil }
    // `Z` and `+00:00` are one zone: the spelling stays.
    return "\(CaptureTime(new.civil, fraction: new.fraction))"
      + (new.offset == old.offset ? zone : new.offset.map { "\($0)" } ?? "")
  }

  fileprivate static let timeCount = "2024-05-23T18:38".count

  static let outOfRange = FileError(.dateOutOfRange, "an XMP date would leave the years 0 to 9999")
}

extension String {
  /// Returns a moved date without seconds, as precise as the `old` one.
  fileprivate func withoutSeconds(as old: String, _ time: CaptureTime, _ zone: String) -> String {
    let (zeros, start) = (":00", index(startIndex, offsetBy: XMPDate.timeCount))
    let hadNone = old.trimmingBlanks.count == XMPDate.timeCount + zone.count
    guard hadNone, time.fraction == nil, self[start...].hasPrefix(zeros) else { return self }
    let rest = self[start...].dropFirst(zeros.count)
    return rest.hasPrefix(".") ? self : String(self[..<start] + rest)
  }
}
