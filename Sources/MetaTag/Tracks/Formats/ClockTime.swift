/// A time of day without a date, as receivers write it. Dates arrive separately, now and then.
struct ClockTime: Hashable {
  /// The nanoseconds since midnight; a leap second counts to the next day.
  let nanoseconds: Int64
  static let day: Int64 = 86_400 * 1_000_000_000

  /// Parses `hhmmss` and a fraction: `235959.25`; nil for anything else.
  init?(_ text: ArraySlice<UInt8>) {
    guard let number = Int64(digits: text.prefix(6)), text.count >= 6, number / 10_000 < 24,
      number / 100 % 100 < 60, number % 100 <= 60
    else { return nil }
    var fraction: Int64 = 0
    if text.count > 6 {
      let digits = text.dropFirst(7)
      guard text[text.startIndex + 6] == UInt8(ascii: "."), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return nil
      }
      var unit: Int64 = 100_000_000
      for digit in digits.prefix(9) {
        fraction += Int64(digit - 0x30) * unit
        unit /= 10
      }
    }
    let seconds = number / 10_000 * 3_600 + number / 100 % 100 * 60 + number % 100
    nanoseconds = seconds * 1_000_000_000 + fraction
  }

  /// Returns this time on the day that begins at `midnight`, in seconds since 1970.
  func instant(onDay midnight: Int64) -> Instant {
    Instant(seconds: midnight + nanoseconds / 1_000_000_000, nanoseconds: Int32(nanoseconds % 1_000_000_000))
  }

  /// Whether midnight passed between `earlier` and this time: the clock went back by more than half a day.
  func isDayAfter(_ earlier: ClockTime) -> Bool { earlier.nanoseconds - nanoseconds > ClockTime.day / 2 }
}

extension Int64 {
  /// Parses decimal digits and nothing else, 15 at most.
  init?(digits: ArraySlice<UInt8>) {
    guard (1...15).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self = digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  /// Parses `ddmmyy` to its midnight in seconds since 1970. Two-digit years from 80 on are in the last century.
  init?(ddmmyy text: ArraySlice<UInt8>) {
    guard text.count == 6, let number = Int64(digits: text) else { return nil }
    let year = Int(number % 100)
    guard
      let day = CivilTime(
        year: year + (year < 80 ? 2_000 : 1_900), month: Int(number / 100 % 100), day: Int(number / 10_000))
    else { return nil }
    self = day.secondsSince1970
  }
}
