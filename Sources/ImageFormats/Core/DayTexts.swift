import Foundation

/// A search for known days as people and programs write them in texts: `2024/05/18`, `20240518`, `18.05.2024`, `18 May
/// 2024`, `Sat May 18 10:42:12 2024`, `1716018132`.
package struct DayTexts {
  /// The beginnings of each month's name in English, German, French, Spanish, Italian, Portuguese and Dutch, without
  /// accents.
  private static let months = [
    ["jan", "ene", "gen"], ["feb", "fev"], ["mar", "maa", "mrt"], ["apr", "avr", "abr"], ["may", "mai", "mag", "mei"],
    ["jun", "juin", "giu"], ["jul", "juil", "lug"], ["aug", "aou", "ago"], ["sep", "set"],
    ["oct", "okt", "ott", "out"],
    ["nov"], ["dec", "dez", "dic"],
  ]
  /// The full month names in these languages, without accents.
  private static let names = [
    "january januar janvier enero gennaio janeiro januari",
    "february februar fevrier febrero febbraio fevereiro februari",
    "march marz mars marzo marco maart mrt maerz", "april avril abril aprile", "may mai mayo maggio maio mei",
    "june juni juin junio giugno junho", "july juli juillet julio luglio julho", "august aout agosto augustus",
    "september septembre septiembre settembre setembro setiembre",
    "october oktober octobre octubre ottobre outubro", "november novembre noviembre novembro",
    "december dezember decembre diciembre dicembre dezembro",
  ].map { $0.split(separator: " ") }
  /// The most texts to report, each with the form in which it was found first.
  private static let most = 8
  /// The greatest distance of a day's other numbers from its year.
  private static let reach = 24
  private static let zones: Int64 = 14 * 3600

  private let times: [CivilTime]
  private let years: [[UInt8]]
  private let seconds: [Int64]
  private let starts: Set<[UInt8]>
  /// The texts as written, in the order found.
  package private(set) var found: [String] = []

  /// Creates a search for the texts of days.
  /// - Parameter times: The days to search for.
  package init(of times: [CivilTime]) {
    self.times = times
    years = Set(times.map { Array($0.year.padded(4).utf8) }).sorted { $0.lexicographicallyPrecedes($1) }
    seconds = times.map { $0.secondsSince1970 }.filter { $0 >= 1_000_000_000 && $0 < 9_999_000_000 }
    starts = Set(
      seconds.flatMap { second in
        [-Self.zones, 0, Self.zones].map { Array(String(second + $0).utf8.prefix(4)) }
      })
  }

  /// Whether the search needs no more bytes.
  package var isDone: Bool { times.isEmpty || found.count >= Self.most }

  /// Searches `bytes` around each year and at numbers of seconds.
  package mutating func look(in bytes: Bytes) {
    for year in years {
      var at = 0
      while !isDone, let start = bytes.firstIndex(of: year, from: at) {
        at = start + 4
        if let text = bytes.withUnsafeBytes({ day(around: start, in: $0) }) { add(text) }
      }
    }
    for start in starts {
      var at = 0
      while !isDone, let place = bytes.firstIndex(of: start, from: at) {
        at = place + 4
        if let text = bytes.withUnsafeBytes({ instant(from: place, in: $0) }) { add(text) }
      }
    }
  }

  private mutating func add(_ text: String) {
    if !found.contains(text) { found.append(text) }
  }

  /// Returns a matching number of seconds or milliseconds since 1970, in any time zone.
  private func instant(from start: Int, in bytes: UnsafeRawBufferPointer) -> String? {
    guard start == 0 || !Self.isDigit(bytes[start - 1]) else { return nil }
    var end = start
    while end < bytes.count, Self.isDigit(bytes[end]), end - start < 14 { end += 1 }
    guard end - start == 10 || end - start == 13 else { return nil }
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    guard let second = Int64(text.prefix(10)), seconds.contains(where: { abs($0 - second) <= Self.zones }) else {
      return nil
    }
    return text
  }

  /// Returns the matching day around the year at `start`.
  private func day(around start: Int, in bytes: UnsafeRawBufferPointer) -> String? {
    let year = bytes[start..<start + 4].reduce(0) { $0 * 10 + Int($1) - 0x30 }
    let days = times.filter { $0.year == year }
    func isDay(_ month: Token?, _ day: Token?) -> Bool {
      days.contains { $0.month == month?.month && $0.day == day?.day }
    }
    let end = start + 4
    // 20240518
    if end + 4 <= bytes.count, bytes[end..<end + 4].allSatisfy(Self.isDigit) {
      let pair = [end, end + 2].map { Token(bytes[$0..<$0 + 2]) }
      return isDay(pair[0], pair[1]) ? String(decoding: bytes[start..<end + 4], as: UTF8.self) : nil
    }
    let after = Self.tokens(in: bytes, from: end, isForward: true)
    if after.count >= 2, isDay(after[0], after[1]) {
      return String(decoding: bytes[start..<after[1].range.upperBound], as: UTF8.self)
    }
    guard start == 0 || !Self.isDigit(bytes[start - 1]) else { return nil }
    let before = Self.tokens(in: bytes, from: start, isForward: false)
    // A time may be between the day and its year.
    for skipped in [0, 2, 3] where before.count >= skipped + 2 {
      let (last, first) = (before[skipped], before[skipped + 1])
      guard skipped == 0 || first.isName, isDay(first, last) || isDay(last, first) else { continue }
      return String(decoding: bytes[first.range.lowerBound..<end], as: UTF8.self)
    }
    return nil
  }

  /// A number of at most two digits, or a month's name.
  struct Token {
    let range: Range<Int>
    private let number: Int?
    private let name: Int?
    /// The month, if the word is its full name or a usual abbreviation.
    let wholeMonth: Int?

    init(_ bytes: Slice<UnsafeRawBufferPointer>) {
      range = bytes.startIndex..<bytes.endIndex
      let text = String(decoding: bytes, as: UTF8.self)
        .folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil).drop { !$0.isLetter && !$0.isNumber }
      number = text.count <= 2 ? Int(text) : nil
      name = DayTexts.months.firstIndex { $0.contains { text.hasPrefix($0) } }.map { $0 + 1 }
      wholeMonth = name.flatMap { month in
        DayTexts.names[month - 1].contains { $0.hasPrefix(text) } ? month : nil
      }
    }

    var month: Int? { name ?? number }
    var day: Int? { number }
    var isName: Bool { name != nil }
  }

  /// Returns the numbers and names after `start`, or before it in reverse order, with only punctuation between them.
  static func tokens(in bytes: UnsafeRawBufferPointer, from start: Int, isForward: Bool) -> [Token] {
    let ending: Set<String> = ["st", "nd", "rd", "th", "of", "T", "de", "di", "do", "del", "er"]
    var tokens: [Token] = []
    var at = start
    func byte() -> UInt8? {
      let index = isForward ? at : at - 1
      return index >= 0 && index < bytes.count && abs(at - start) < reach ? bytes[index] : nil
    }
    while tokens.count < 6, let next = byte() {
      guard isDigit(next) || isLetter(next) else {
        guard " .,/-_:".utf8.contains(next) else { break }
        at += isForward ? 1 : -1
        continue
      }
      let from = at
      while let next = byte(), isDigit(next) == isDigit(bytes[isForward ? from : from - 1]),
        isDigit(next) || isLetter(next)
      { at += isForward ? 1 : -1 }
      let slice = bytes[min(from, at)..<max(from, at)]
      // For example 年 or a no-break space.
      guard slice.contains(where: { $0 < 0x80 }) else { continue }
      if !ending.contains(String(decoding: slice, as: UTF8.self)) { tokens.append(Token(slice)) }
    }
    return tokens
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  /// Whether the byte belongs to a letter, including letters with several bytes in UTF-8.
  private static func isLetter(_ byte: UInt8) -> Bool { byte >= 0x80 || (0x41...0x5A).contains(byte & 0xDF) }
}

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

/// A search for dates as EXIF and XMP write them (`2024:05:23 18:38:41`, `2024-05-23T18:38:41+09:00`), by their form
/// alone.
enum DateText {
  /// `2024:05:23`.
  static let shortest = 10
  private static let longest = 32
  private static let windowCount = 1 << 20

  /// Returns the dates in `range`, each including the time and the zone that follow it.
  static func ranges(in range: Range<Int>, of source: any ByteSource) throws(FileError) -> [Range<Int>] {
    var found: [Range<Int>] = []
    for start in stride(from: range.lowerBound, to: range.upperBound, by: windowCount) {
      let window = try source.bytes(start..<min(start + windowCount + longest, range.upperBound))
      for local in window.withUnsafeBytes({ ranges(in: $0) }) where local.lowerBound < windowCount {
        let end = found.last?.upperBound ?? 0
        if start + local.lowerBound >= end { found.append(start + local.lowerBound..<start + local.upperBound) }
      }
    }
    return found
  }

  private static func ranges(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
    var found: [Range<Int>] = []
    // Test the separator after the year first: few bytes are one.
    var at = 4
    while at + 6 <= bytes.count {
      let separator = bytes[at]
      guard separator == UInt8(ascii: ":") || separator == UInt8(ascii: "-"), bytes[at + 3] == separator,
        [-4, -3, -2, -1, 1, 2, 4, 5].allSatisfy({ isDigit(bytes[at + $0]) }),
        [0x31, 0x32].contains(bytes[at - 4])
      else {
        at += 1
        continue
      }
      let start = at - 4
      var end = start + shortest
      while end < bytes.count, end - start < longest, isRest(bytes[end]) { end += 1 }
      found.append(start..<end)
      at = end + 4
    }
    return found
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Whether the byte may belong to a time and a zone.
  private static func isRest(_ byte: UInt8) -> Bool { isDigit(byte) || " T:.+-Z".utf8.contains(byte) }
}
