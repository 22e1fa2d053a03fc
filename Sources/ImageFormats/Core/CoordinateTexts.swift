import Foundation

/// A search for coordinates as people and programs write them in texts: `48.20857, 16.37214`, `48°12'30.9"N`, `N 48
/// 12.514`, `48,12.5142N`, `48,20857 N`.
package struct CoordinateTexts {
  /// The degrees by which two coordinates of one place may differ: about 50 metres.
  package static let tolerance = 5e-4

  /// The coordinates to remove and those to keep, in degrees without a sign.
  private let old: Set<Double>
  private let wanted: Set<Double>
  /// Whether to search for coordinates of any place too.
  private let seeksAny: Bool
  /// The first text with an old coordinate, and the first that looks like any coordinate, as written.
  package private(set) var oldText: String?
  package private(set) var anyText: String?

  package init(old: Set<Double>, wanted: Set<Double>, seeksAny: Bool) {
    (self.old, self.wanted, self.seeksAny) = (old, wanted, seeksAny)
  }

  /// Whether the search needs no more bytes.
  package var isDone: Bool { (old.isEmpty || oldText != nil) && (!seeksAny || anyText != nil) }

  /// Searches `bytes` at every decimal point and degree sign.
  package mutating func look(in bytes: Bytes) {
    bytes.withUnsafeBytes { bytes in
      let text = AngleScanner(bytes)
      for mark in [UInt8(ascii: "."), 0xB0, UInt8(ascii: ",")] {
        var at = 1
        while !isDone, let found = bytes.index(of: mark, from: at) {
          at = found + 1
          if mark == UInt8(ascii: ",") {
            // 47,5594 N: any number may have this form, so only known coordinates count.
            if let number = text.decimal(around: found) { add(number.value, number.range, isPrecise: false, in: text) }
          } else if let angle = text.sexagesimal(around: found) {
            add(angle.value, angle.range, isPrecise: angle.isPrecise, in: text)
          } else if mark == UInt8(ascii: "."), let number = text.decimal(around: found) {
            let pair = text.pair(after: number)
            add(number.value, number.range, isPrecise: false, in: text)
            guard let pair else { continue }
            let isPlace = max(number.value, pair.value) >= 2 && min(number.value, pair.value) <= 90
            let isKnown = [number.value, pair.value].contains { isNear($0, old) || isNear($0, wanted) }
            if isPlace, !isKnown {
              add(pair.value, number.range.lowerBound..<pair.range.upperBound, isPrecise: true, in: text)
            }
          }
        }
      }
    }
  }

  private mutating func add(_ value: Double, _ range: Range<Int>, isPrecise: Bool, in text: AngleScanner) {
    if isNear(value, old) {
      if oldText == nil { oldText = text.string(range) }
    } else if isPrecise, seeksAny, anyText == nil, !isNear(value, wanted) {
      anyText = text.string(range)
    }
  }

  private func isNear(_ value: Double, _ values: Set<Double>) -> Bool {
    values.contains { abs($0 - value) < Self.tolerance }
  }
}

/// A reader of angles around a position in bytes.
private struct AngleScanner {
  struct Angle {
    let value: Double
    let range: Range<Int>
    /// Whether the text can hardly mean anything else.
    var isPrecise = true
  }

  private static let fewestDecimals = 4
  private static let longest = 24
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  func string(_ range: Range<Int>) -> String {
    let slice = bytes[range]
    // A degree sign without its first UTF-8 byte is Latin-1.
    return String(validating: slice, as: UTF8.self)
      ?? String(String.UnicodeScalarView(slice.map { Unicode.Scalar($0) }))
  }

  /// Returns the number around a decimal point, if it has enough decimals for a coordinate.
  func decimal(around point: Int) -> Angle? {
    var start = point
    while start > 0, isDigit(start - 1), point - start < 4 { start -= 1 }
    let end = digits(from: point + 1)
    guard start < point, end - point > Self.fewestDecimals, let value = number(start..<end), value <= 180 else {
      return nil
    }
    return Angle(value: value, range: start..<end)
  }

  /// Returns the second number of a pair.
  func pair(after first: Angle) -> Angle? {
    var at = first.range.upperBound
    while at < bytes.count, at < first.range.upperBound + 8, !isDigit(at) {
      guard " ,;/+-\tNSEW".utf8.contains(bytes[at]) || [0xC2, 0xB0].contains(bytes[at]) else { return nil }
      at += 1
    }
    guard at > first.range.upperBound else { return nil }
    let point = digits(from: at)
    guard point < bytes.count, bytes[point] == UInt8(ascii: "."), let second = decimal(around: point),
      second.range.lowerBound == at
    else { return nil }
    return second
  }

  /// Returns degrees and minutes, possibly with seconds, and a compass letter, around `mark`.
  func sexagesimal(around mark: Int) -> Angle? {
    // Check cheaply first: most bytes are no mark.
    let isSign = bytes[mark] == 0xB0
    let before = isSign && bytes[mark - 1] == 0xC2 ? mark - 2 : mark - 1
    guard before >= 0, isDigit(before), isSign || mark + 1 < bytes.count && isDigit(mark + 1) else { return nil }
    var start = before
    while start > 0, mark - start < Self.longest, isPart(bytes[start - 1]) { start -= 1 }
    for from in start...before where isDigit(from) && (from == 0 || !isDigit(from - 1)) {
      if let angle = angle(from: from), angle.range.contains(mark) { return angle }
    }
    return nil
  }

  private func angle(from start: Int) -> Angle? {
    var at = digits(from: start)
    guard at - start <= 3, let degrees = number(start..<at), degrees <= 180 else { return nil }
    guard let behindDegrees = skip(["°", "\u{B0}", "deg", "d", ",", ":"], from: at) else { return nil }
    let hasSign = [0xC2, 0xB0, 0x64].contains(bytes[at]) || at + 1 < bytes.count && bytes[at + 1] == 0x64
    let minutesStart = behindDegrees
    at = decimals(from: minutesStart)
    guard at > minutesStart, at - minutesStart <= 12, var value = number(minutesStart..<at), value < 60 else {
      return nil
    }
    var places = places(minutesStart..<at)
    value /= 60
    if places == 0, let secondsStart = skip(["'", "&#39;", "&apos;", "′", "’", "m", ",", ":"], from: at) {
      let end = decimals(from: secondsStart)
      if end > secondsStart, end - secondsStart <= 12, let seconds = number(secondsStart..<end), seconds < 60 {
        value += seconds / 3600
        places = self.places(secondsStart..<end) + 2
        at = end
      }
    }
    let end = skip(["\"", "&quot;", "″", "”", "''", "'", "&#39;", "′", "’"], from: at) ?? at
    let isPrecise = hasSign && places > 0 || places > 1
    var letter = start - 1
    while letter > 0, bytes[letter] == 0x20, start - letter < 3 { letter -= 1 }
    let leads = letter >= 0 && isLetter(letter) && (letter == 0 || !isWord(letter - 1))
    // The letter may belong to the previous angle.
    var last = letter - 1
    while leads, last > 0, bytes[last] == 0x20 { last -= 1 }
    let isOthers = leads && last >= 0 && (isDigit(last) || "\"'".utf8.contains(bytes[last]))
    if leads, !isOthers { return Angle(value: degrees + value, range: letter..<at, isPrecise: isPrecise) }
    if end < bytes.count, isLetter(end), end + 1 == bytes.count || !isWord(end + 1) {
      return Angle(value: degrees + value, range: start..<end + 1, isPrecise: isPrecise)
    }
    return leads ? Angle(value: degrees + value, range: letter..<at, isPrecise: isPrecise) : nil
  }

  /// Returns the position after one of `marks` with optional spaces around it, or after spaces alone.
  private func skip(_ marks: [String], from start: Int) -> Int? {
    var at = start
    while at < bytes.count, bytes[at] == 0x20, at - start < 3 { at += 1 }
    for mark in marks {
      let units = mark == "\u{B0}" && bytes.count > at && bytes[at] == 0xB0 ? [0xB0] : Array(mark.utf8)
      guard at + units.count <= bytes.count, bytes[at..<at + units.count].elementsEqual(units) else { continue }
      at += units.count
      break
    }
    let behind = at
    while at < bytes.count, bytes[at] == 0x20, at - behind < 3 { at += 1 }
    return at > start ? at : nil
  }

  private func digits(from start: Int) -> Int {
    var end = start
    while end < bytes.count, isDigit(end), end - start < Self.longest { end += 1 }
    return end
  }

  private func decimals(from start: Int) -> Int {
    let end = digits(from: start)
    guard end > start, end + 1 < bytes.count, bytes[end] == UInt8(ascii: "."), isDigit(end + 1) else { return end }
    return digits(from: end + 1)
  }

  /// Returns the number of decimals.
  private func places(_ range: Range<Int>) -> Int {
    range.firstIndex { bytes[$0] == UInt8(ascii: ".") }.map { range.upperBound - range[$0] - 1 } ?? 0
  }

  private func number(_ range: Range<Int>) -> Double? {
    Double(String(decoding: bytes[range].map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }, as: UTF8.self))
  }
  private func isDigit(_ at: Int) -> Bool { (0x30...0x39).contains(bytes[at]) }
  private func isLetter(_ at: Int) -> Bool { "NSEWO".utf8.contains(bytes[at]) }
  private func isWord(_ at: Int) -> Bool { (0x41...0x5A).contains(bytes[at] & 0xDF) }

  /// Whether the byte may occur within an angle: digits, spaces, degree and minute signs in UTF-8, `deg`.
  private func isPart(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || " ,:'deg&#;".utf8.contains(byte)
      || [0xC2, 0xB0, 0xE2, 0x80, 0xB2, 0x99].contains(byte)
  }
}
