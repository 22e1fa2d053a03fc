/// Parsing of numbers and times directly from bytes, so that millions of points need no strings.
package enum PlainText {
  /// Returns `range` without XML white space at either end.
  package static func trimmed(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, isBlank(bytes[start]) { start += 1 }
    while start < end, isBlank(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  /// Parses `[+-]digits[.digits][e[+-]digits]` to the nearest `Double`; nil for anything else.
  package static func number(_ bytes: [UInt8], _ range: Range<Int>) -> Double? {
    let range = trimmed(bytes, range)
    var at = range.lowerBound
    let end = range.upperBound
    let isNegative = at < end && bytes[at] == UInt8(ascii: "-")
    if at < end, isNegative || bytes[at] == UInt8(ascii: "+") { at += 1 }
    var (digits, significant, decimals, isFraction) = (0, UInt64(0), 0, false)
    while at < end {
      let byte = bytes[at]
      if (0x30...0x39).contains(byte) {
        digits += 1
        if digits <= 18 { significant = significant * 10 + UInt64(byte - 0x30) }
        if isFraction { decimals += 1 }
      } else if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else {
        break
      }
      at += 1
    }
    guard digits > 0, range.count <= 100 else { return nil }
    if at == end, significant < 1 << 53, digits <= 18, decimals < powersOfTen.count {
      // Both numbers are exact, so one division rounds only once, to the nearest value (Clinger's fast path).
      let value = Double(significant) / powersOfTen[decimals]
      return isNegative ? -value : value
    }
    // An exponent, or more digits than a double can hold.
    guard at == end || bytes[at] | 0x20 == UInt8(ascii: "e") else { return nil }
    return Double(String(decoding: bytes[range], as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  /// Parses a time of XML Schema (`dateTime`): `2024-05-01T10:02:30.25+02:00`; nil for anything else.
  ///
  /// Also accepts a blank instead of the `T`, lower-case letters, a comma before the fraction, and an offset without a
  /// colon. Digits of the fraction beyond the ninth are ignored.
  package static func dateTime(_ bytes: [UInt8], _ range: Range<Int>) -> (
    time: CivilTime, nanoseconds: Int32, offset: Int?
  )? {
    var text = Cursor(bytes: bytes, range: trimmed(bytes, range))
    guard let year = text.digits(4), text.skip("-"), let month = text.digits(2), text.skip("-"),
      let day = text.digits(2), text.skip("Tt "), let hour = text.digits(2), text.skip(":"),
      let minute = text.digits(2), text.skip(":"), let second = text.digits(2),
      let time = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    var nanoseconds: Int32 = 0
    if text.skip(".,") {
      guard let fraction = text.nanoseconds() else { return nil }
      nanoseconds = fraction
    }
    if text.isAtEnd { return (time, nanoseconds, nil) }
    if text.skip("Zz") { return text.isAtEnd ? (time, nanoseconds, 0) : nil }
    let isWest = text.skip("-")
    guard isWest || text.skip("+"), let hours = text.digits(2), hours < 24 else { return nil }
    var minutes = 0
    if !text.isAtEnd {
      _ = text.skip(":")
      guard let two = text.digits(2), two < 60, text.isAtEnd else { return nil }
      minutes = two
    }
    return (time, nanoseconds, (isWest ? -1 : 1) * (hours * 3_600 + minutes * 60))
  }

  private struct Cursor {
    let bytes: [UInt8]
    var range: Range<Int>

    var isAtEnd: Bool { range.isEmpty }

    /// Consumes one byte if it is among `wanted`; returns whether it did.
    mutating func skip(_ wanted: StaticString) -> Bool {
      guard !isAtEnd else { return false }
      let byte = bytes[range.lowerBound]
      for index in 0..<wanted.utf8CodeUnitCount where wanted.utf8Start[index] == byte {
        range = range.lowerBound + 1..<range.upperBound
        return true
      }
      return false
    }

    mutating func digits(_ count: Int) -> Int? {
      guard range.count >= count else { return nil }
      var value = 0
      for byte in bytes[range.lowerBound..<range.lowerBound + count] {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      range = range.lowerBound + count..<range.upperBound
      return value
    }

    mutating func nanoseconds() -> Int32? {
      var (value, scale, any): (Int32, Int32, Bool) = (0, 100_000_000, false)
      while let digit = digits(1) {
        any = true
        value += Int32(digit) * scale
        scale /= 10
      }
      return any ? value : nil
    }
  }
}

extension ArraySlice<UInt8> {
  /// Consumes one byte if it is among `wanted`; returns whether it did.
  package mutating func take(_ wanted: String) -> Bool {
    guard let first, wanted.utf8.contains(first) else { return false }
    removeFirst()
    return true
  }

  /// Consumes a number of exactly `count` ASCII digits; nil if there are fewer.
  package mutating func takeNumber(_ count: Int) -> Int? {
    let digits = prefix(count)
    guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    removeFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
  }
}
