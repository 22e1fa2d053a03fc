/// Capture dates in namespaces of single programs. They are never preferred, and change with the preferred one.
extension XMPPacket {
  private static let additionalDates: Set<String> = [
    "acdsee:datetime", "xmpDM:shotDate", "GPano:FirstPhotoDate", "GPano:LastPhotoDate", "dwc:eventDate",
  ]

  /// The dates in these properties.
  package var additionalDates: [Sourced<XMPDate>] {
    properties.compactMap { property in
      guard XMPPacket.isFurtherDate(property), let text = property.value else { return nil }
      let date = XMPDate(text)
      return [.blank, .malformed].contains(date) ? nil : Sourced(date, .xmp, tag: property.name)
    }
  }

  /// Whether the property is such a date. Darwin Core's date is in a structure.
  private static func isFurtherDate(_ property: XMPProperty) -> Bool {
    additionalDates.contains(property.name) && (property.isOwn || property.name.hasPrefix("dwc:"))
  }

  /// Moves these dates and other copies of the photo's date: in unknown namespaces, and `dc:date`, which may be any
  /// date. A day may be named for many reasons, so in an unknown namespace only an equal time of day identifies a copy.
  func additionalSplices(_ change: DateChange, _ captured: () -> CaptureTime?) throws(FileError) -> [Splice] {
    guard change != .keep else { return [] }
    let candidates = properties.filter {
      XMPPacket.isFurtherDate($0) || $0.isOwn && ($0.name == "dc:date" || $0.name.hasPrefix(":") && $0.isWholeTime)
    }
    guard !candidates.isEmpty else { return [] }
    let captured = captured()
    var splices: [Splice] = []
    for property in candidates {
      guard let old = property.value else {
        splices += try itemSplices(of: property, change, captured)
        continue
      }
      let date = XMPDate(old)
      guard XMPPacket.isFurtherDate(property) && date != .malformed || date.isCopy(of: captured),
        let new = try date.text(following: change, of: captured, isSpan: property.name.hasPrefix("GPano:"))
      else { continue }
      splices.append(try replacement(of: property, with: new))
    }
    return splices
  }

  /// Returns the splices for dates in an array.
  private func itemSplices(
    of property: XMPProperty, _ change: DateChange, _ captured: CaptureTime?
  ) throws(FileError) -> [Splice] {
    var splices: [Splice] = []
    for item in property.items {
      let date = XMPDate(item.text)
      guard let content = item.content, date.isCopy(of: captured),
        let new = try date.text(following: change, of: captured, isSpan: false)
      else { continue }
      splices.append(Splice(trimmed(content), XMLScanner.escaped(new)))
    }
    return splices
  }

  /// Returns a range without surrounding blanks.
  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    let start = bytes[range].firstIndex { !$0.isXMLBlank } ?? range.upperBound
    let last = bytes[range].lastIndex { !$0.isXMLBlank } ?? start - 1
    return start..<last + 1
  }
}

extension XMPDate {
  /// Whether the date equals the photo's date, at least in the day.
  fileprivate func isCopy(of captured: CaptureTime?) -> Bool {
    guard let captured else { return false }
    switch self {
    case .time(let time, _): return time.isExactCopy(of: captured)
    case .partial(let date): return date.day != nil && date.contains(captured.civil)
    case .blank, .malformed: return false
    }
  }

  /// Returns the new text when the photo's date, `captured`, changes. A time from another clock (UTC) and the ends of a
  /// span move as far as the photo's date.
  fileprivate func text(
    following change: DateChange, of captured: CaptureTime?, isSpan: Bool
  ) throws(FileError) -> String? {
    guard case .time(let old, let zone) = self, let captured, old.civil != captured.civil, !change.isPartial else {
      return try text(after: change)
    }
    if case .set = change, !isSpan, !old.isExactCopy(of: captured) { return try text(after: change) }
    guard let target = captured.applying(change) else { throw XMPDate.outOfRange }
    let distance: TimeShift
    if old.offset != nil, let from = captured.instant, let to = target.instant {
      distance = TimeShift(seconds: to.seconds - from.seconds, nanoseconds: to.nanoseconds - from.nanoseconds)
    } else {
      distance = TimeShift(
        seconds: target.civil.secondsSince1970 - captured.civil.secondsSince1970,
        nanoseconds: (target.fraction?.nanoseconds ?? 0) - (captured.fraction?.nanoseconds ?? 0))
    }
    guard let new = old.adding(CalendarShift(distance)) else { throw XMPDate.outOfRange }
    return text(new, instead: old, zone)
  }
}

extension CaptureTime {
  /// Whether the civil time equals that of `other`, or both are the same instant.
  package func isExactCopy(of other: CaptureTime) -> Bool {
    if let own = instant, let theirs = other.instant { return own.seconds == theirs.seconds }
    return civil == other.civil
  }
}

extension Metadata {
  /// The dates of single programs that have a time of day.
  package var additionalTimes: [Sourced<CaptureTime>] {
    additionalDates.compactMap { copy in
      guard case .time(let time, _) = copy.value else { return nil }
      return Sourced(time, copy.namespace, tag: copy.tag)
    }
  }
}

extension XMPDate: CustomStringConvertible {
  /// The text to display.
  package var description: String {
    switch self {
    case .blank, .malformed: ""
    case .partial(let date): "\(date)"
    case .time(let time, _): "\(time)"
    }
  }
}

extension XMPPacket {
  /// Whether XMP that isn't edited seems to record a date: by the names and values of its properties, or, if it can't
  /// be parsed, by any text that looks like a day.
  package static func mayContainDate(in bytes: Bytes) -> Bool {
    if let packet = try? XMPPacket(bytes) {
      return packet.properties.contains { $0.holdsDate || $0.text.map(holdsFile) ?? false }
    }
    // UTF-16 and UTF-32 are ASCII between NULs.
    let text = bytes.array.filter { $0 != 0 }
    return holdsDay(text) || holdsFile(String(decoding: text, as: UTF8.self))
  }

  /// Whether the text has `2024-05-23` or `2024:05:23`, or a name with `Date` in it.
  private static func holdsDay(_ text: [UInt8]) -> Bool {
    let form: [UInt8?] = Array("dddd-dd-dd".utf8).map { $0 == UInt8(ascii: "d") ? nil : $0 }
    for start in text.indices.dropLast(form.count - 1) {
      let isDay = form.indices.allSatisfy { index in
        let byte = text[start + index]
        return form[index] == nil ? (0x30...0x39).contains(byte) : byte == 0x2D || byte == 0x3A
      }
      if isDay { return true }
    }
    return Bytes(text).firstIndex(of: Array("Date".utf8)) != nil
  }

  /// Whether the text has a JPEG or PNG in base64, which may contain any date.
  private static func holdsFile(_ text: String) -> Bool { text.contains("/9j/") || text.contains("iVBORw0KGgo") }
}

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
    let separator = XMPDate.isEXIFText(text) ? ":" : "-"
    self =
      XMPDate.rest(year: year, &rest, separator) ?? PartialDate(exif: text).map { .partial($0) } ?? .malformed
  }

  /// Whether a date is written with EXIF's colons.
  static func isEXIFText(_ text: String) -> Bool { text.trimmingBlanks.utf8.dropFirst(4).first == UInt8(ascii: ":") }

  private static func rest(year: Int, _ rest: inout ArraySlice<UInt8>, _ separator: String) -> XMPDate? {
    if rest.isEmpty { return PartialDate(year: year).map { .partial($0) } }
    guard rest.take(separator), let month = rest.takeNumber(2) else { return nil }
    if rest.isEmpty { return PartialDate(year: year, month: month == 0 ? nil : month).map { .partial($0) } }
    guard rest.take(separator), let day = rest.takeNumber(2) else { return nil }
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

  static let outOfRange = FileError(.dateOutOfRange, "an XMP date would be outside the years 0 to 9999")
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
