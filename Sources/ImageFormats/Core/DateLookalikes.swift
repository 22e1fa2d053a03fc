/// A search for texts that look like a day between 1800 and 2099, with or without a time: `2024:05:18`, `18.05.2024`,
/// `20240518_143120`, `18 May 2024`.
package struct DateLookalikes {
  /// The first text found, as written.
  package private(set) var found: String?
  /// The days that another note reports.
  private let known: [CivilTime]

  package init(besides known: [CivilTime] = []) { self.known = known }

  /// Searches `bytes` around everything that may be a year.
  package mutating func look(in bytes: Bytes) {
    for century in ["18", "19", "20"].map({ Array($0.utf8) }) {
      var at = 0
      while found == nil, let start = bytes.firstIndex(of: century, from: at) {
        at = start + 1
        found = bytes.withUnsafeBytes { bytes in
          DayScanner(bytes, known).day(around: start).map { String(decoding: bytes[$0], as: UTF8.self) }
        }
      }
    }
  }
}

/// A strict reader of days around a year in bytes: an ambiguous text doesn't count.
private struct DayScanner {
  private let bytes: UnsafeRawBufferPointer
  private let known: [CivilTime]

  init(_ bytes: UnsafeRawBufferPointer, _ known: [CivilTime]) { (self.bytes, self.known) = (bytes, known) }

  func day(around start: Int) -> Range<Int>? {
    let end = start + 4
    guard !isDigit(start - 1), let year = number(start..<end),
      let text = compact(start) ?? numeric(start, year) ?? named(start, year)
    else { return nil }
    return isPartOfXMP(start) ? nil : text
  }

  /// Matches `20240518_143120`, possibly followed by a fraction of a second.
  private func compact(_ start: Int) -> Range<Int>? {
    let (day, time) = (start + 8, start + 9)
    guard let year = number(start..<start + 4), let month = number(start + 4..<start + 6),
      let date = number(start + 6..<day), day < bytes.count, "_-T ".utf8.contains(bytes[day]),
      let hour = number(time..<time + 2), let minute = number(time + 2..<time + 4),
      let second = number(time + 4..<time + 6), hour < 24, minute < 60, second < 60, isDay(year, month, date)
    else { return nil }
    var end = time + 6
    while isDigit(end), end < time + 9 { end += 1 }
    return isDigit(end) ? nil : start..<end
  }

  /// Matches `2024-05-18`, `18.05.2024`, `5/18/2024`.
  private func numeric(_ start: Int, _ year: Int) -> Range<Int>? {
    let end = start + 4
    if end + 6 <= bytes.count, isSeparator(end), bytes[end + 3] == bytes[end], let month = number(end + 1..<end + 3),
      let day = number(end + 4..<end + 6), !isDigit(end + 6), isDay(year, month, day)
    {
      return start..<end + 6
    }
    guard !isDigit(end), isSeparator(start - 1), let last = shortNumber(endingAt: start - 1),
      isSeparator(last.start - 1), bytes[last.start - 1] == bytes[start - 1],
      let first = shortNumber(endingAt: last.start - 1), !isSeparator(first.start - 1),
      isDay(year, last.value, first.value) || isDay(year, first.value, last.value)
    else { return nil }
    return first.start..<end
  }

  /// Matches `18 May 2024`, `May 18, 2024`, `May 18 10:42:12 2024`, `2024 May 18`.
  private func named(_ start: Int, _ year: Int) -> Range<Int>? {
    let end = start + 4
    guard !isDigit(end) else { return nil }
    let before = DayTexts.tokens(in: bytes, from: start, isForward: false)
    for skipped in [0, 2, 3] where before.count >= skipped + 2 {
      let (last, first) = (before[skipped], before[skipped + 1])
      for (month, day) in [(last, first), (first, last)] where skipped == 0 || first.isName {
        if let month = month.wholeMonth, !day.isName, let day = day.day, isDay(year, month, day) {
          return first.range.lowerBound..<end
        }
      }
    }
    let after = DayTexts.tokens(in: bytes, from: end, isForward: true)
    if after.count >= 2, let month = after[0].wholeMonth, !after[1].isName, let day = after[1].day,
      isDay(year, month, day)
    {
      return start..<after[1].range.upperBound
    }
    return nil
  }

  /// Whether the date is part of XMP syntax: a namespace, or the name of the library that wrote it.
  private func isPartOfXMP(_ start: Int) -> Bool {
    let quotes = "\"'".utf8
    guard let quote = (max(0, start - Self.longestName)..<start).last(where: { quotes.contains(bytes[$0]) }),
      let name = (max(0, quote - Self.longestName)..<quote).last(where: { " \t\r\n<".utf8.contains(bytes[$0]) })
    else { return false }
    return ["xmlns", "x:xmptk"].contains { bytes[name + 1..<quote].starts(with: $0.utf8) }
  }

  private static let longestName = 128

  private func isDay(_ year: Int, _ month: Int, _ day: Int) -> Bool {
    (1800...2099).contains(year) && (1...12).contains(month) && (1...31).contains(day)
      && !known.contains { $0.year == year && $0.month == month && $0.day == day }
  }

  private func number(_ range: Range<Int>) -> Int? {
    guard range.lowerBound >= 0, range.upperBound <= bytes.count, range.allSatisfy(isDigit) else { return nil }
    return range.reduce(0) { $0 * 10 + Int(bytes[$1]) - 0x30 }
  }

  /// Reads a number of one or two digits.
  private func shortNumber(endingAt end: Int) -> (value: Int, start: Int)? {
    var start = end
    while isDigit(start - 1), end - start < 3 { start -= 1 }
    guard (1...2).contains(end - start), let value = number(start..<end) else { return nil }
    return (value, start)
  }

  private func isDigit(_ at: Int) -> Bool { bytes.indices.contains(at) && (0x30...0x39).contains(bytes[at]) }
  private func isSeparator(_ at: Int) -> Bool { bytes.indices.contains(at) && ":-./_".utf8.contains(bytes[at]) }
}
