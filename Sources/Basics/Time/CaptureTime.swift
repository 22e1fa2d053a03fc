import Glibc

/// The time at which a photo was taken, with no more than is known: a civil time, perhaps with a fraction, perhaps with
/// an offset from UTC. It denotes an instant only if the offset is known.
public struct CaptureTime: Hashable, Sendable {
  /// The time that the camera's clock showed.
  public var civil: CivilTime
  /// The decimal fraction of the second, with as many digits as were recorded; nil if none was recorded.
  public var fraction: SecondFraction?
  /// The clock's offset from UTC; nil if unknown.
  public var offset: UTCOffset?

  /// Creates the reading of a camera's clock.
  public init(_ civil: CivilTime, fraction: SecondFraction? = nil, offset: UTCOffset? = nil) {
    self.civil = civil
    self.fraction = fraction
    self.offset = offset
  }

  /// The instant; nil if the offset isn't known. Nothing is assumed.
  public var instant: Instant? { offset.map { instant(at: $0) } }

  /// Returns the instant, given the clock's offset.
  public func instant(at offset: UTCOffset) -> Instant {
    Instant(seconds: civil.secondsSince1970 - Int64(offset.seconds), nanoseconds: fraction?.nanoseconds ?? 0)
  }
}

extension CaptureTime: CustomStringConvertible {
  /// The time in ISO 8601: `2024-05-23T18:38:41.601+09:00`, without the parts that aren't known.
  public var description: String {
    "\(civil)" + (fraction.map { ".\($0.digits)" } ?? "") + (offset.map { "\($0)" } ?? "")
  }
}

/// A point in time: POSIX time with nanoseconds.
public struct Instant: Hashable, Comparable, Sendable {
  /// The seconds since 1970-01-01T00:00:00Z, rounded down.
  public let seconds: Int64
  /// The nanoseconds within the second, 0…999,999,999.
  public let nanoseconds: Int32

  /// Creates an instant. Nanoseconds outside 0…999,999,999 are carried into the seconds.
  public init(seconds: Int64, nanoseconds: Int32 = 0) {
    let (carry, rest) = nanoseconds.flooredDivision(by: 1_000_000_000)
    self.seconds = seconds + Int64(carry)
    self.nanoseconds = rest
  }

  /// Compares by time: the earlier comes first.
  public static func < (a: Instant, b: Instant) -> Bool { (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds) }

  /// Returns the seconds from `other` to this instant; negative if this is the earlier one.
  public func timeInterval(since other: Instant) -> Double {
    Double(seconds - other.seconds) + Double(nanoseconds - other.nanoseconds) / 1e9
  }

  /// The current time by this computer's clock: for the journal and for warnings about dates in the future, never for
  /// a photo.
  public static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }

  /// Returns this instant moved by `shift`.
  public func adding(_ shift: TimeShift) -> Instant {
    Instant(seconds: seconds + shift.seconds, nanoseconds: nanoseconds + shift.nanoseconds)
  }
}

/// A span by which clocks are shifted, exact to the nanosecond.
public struct TimeShift: Hashable, Codable, Sendable {
  /// The whole seconds, rounded down: −0.5 s is −1 s and 500,000,000 ns.
  public let seconds: Int64
  /// The nanoseconds within the second, 0…999,999,999.
  public let nanoseconds: Int32

  /// Creates a span. Nanoseconds outside 0…999,999,999 are carried into the seconds.
  public init(seconds: Int64, nanoseconds: Int32 = 0) {
    let (carry, rest) = nanoseconds.flooredDivision(by: 1_000_000_000)
    // The sum is out of range only for the shortest span there is.
    self.seconds = seconds.addingReportingOverflow(Int64(carry)).overflow ? seconds : seconds + Int64(carry)
    self.nanoseconds = rest
  }

  /// The zero span.
  public static let zero = TimeShift(seconds: 0)
}

/// The offset of a civil clock from UTC, positive to the east. EXIF writes whole minutes.
public struct UTCOffset: Hashable, Sendable {
  // A run keeps several offsets of each photo.
  private let smallSeconds: Int32

  /// The offset in seconds: a multiple of 60, within ±23:59.
  public var seconds: Int { Int(smallSeconds) }

  /// Returns nil if the value is not whole minutes, or is a day or more.
  public init?(seconds: Int) {
    guard seconds % 60 == 0, abs(seconds) < 86_400 else { return nil }
    smallSeconds = Int32(seconds)
  }

  /// Parses `+09:00`, `-03`, `+0545`, `Z`; nil for anything else (blanks mean unknown in EXIF 2.31, 4.6.5).
  @inlinable public init?(_ text: some StringProtocol) {
    if text == "Z" || text == "z" {
      self.init(seconds: 0)
      return
    }
    let bytes = Array(text.utf8)
    guard let sign = bytes.first, sign == 0x2B || sign == 0x2D else { return nil }
    var digits = Array(bytes.dropFirst())
    if digits.count == 5, digits[2] == 0x3A { digits.remove(at: 2) }
    guard digits.count == 2 || digits.count == 4, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let numbers = digits.map { Int($0) - 0x30 }
    let hours = numbers[0] * 10 + numbers[1]
    let minutes = numbers.count == 4 ? numbers[2] * 10 + numbers[3] : 0
    guard hours < 24, minutes < 60 else { return nil }
    self.init(seconds: (sign == 0x2D ? -1 : 1) * (hours * 3_600 + minutes * 60))
  }

  /// The offset of UTC itself.
  public static let utc = UTCOffset(wholeMinutes: 0)

  private init(wholeMinutes: Int32) { smallSeconds = wholeMinutes * 60 }
}

extension UTCOffset: CustomStringConvertible {
  /// The offset in the form of EXIF's OffsetTime tags: `+09:00`.
  public var description: String {
    let minutes = abs(seconds) / 60
    return (seconds < 0 ? "-" : "+") + (minutes / 60).padded(2) + ":" + (minutes % 60).padded(2)
  }
}

/// The digits after the decimal point of a second, as in EXIF's SubSecTime tags: `5` is half a second, `050` a
/// twentieth.
public struct SecondFraction: Hashable, Sendable {
  // A run keeps several times of each photo.
  @usableFromInline let value: UInt32
  @usableFromInline let count: UInt8

  /// The digits: one to nine in ASCII.
  public var digits: String { Int(value).padded(Int(count)) }

  /// Returns nil for anything but one to nine ASCII digits.
  @inlinable public init?(digits: some StringProtocol) {
    let digits = digits.utf8
    guard (1...9).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    value = digits.reduce(0) { $0 * 10 + UInt32($1) - 0x30 }
    count = UInt8(digits.count)
  }

  /// Creates the fraction for `nanoseconds`, with at least `minimumDigits` digits and as many as necessary. Values
  /// outside 0…999,999,999 are clamped.
  public init(nanoseconds: Int32, minimumDigits: Int = 1) {
    var (value, count) = (min(max(0, nanoseconds), 999_999_999), 9)
    while count > max(1, minimumDigits), value.isMultiple(of: 10) {
      value /= 10
      count -= 1
    }
    (self.value, self.count) = (UInt32(value), UInt8(count))
  }

  /// The fraction in nanoseconds, 0…999,999,999.
  public var nanoseconds: Int32 { Int32(value) * SecondFraction.scale[Int(count)] }

  private static let scale: [Int32] = [
    1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1_000, 100, 10, 1,
  ]
}

extension CaptureTime {
  /// Whether no clock can have shown this time yet at `now`, wherever the photo was taken: no clock is a day ahead of
  /// UTC.
  package func isFuture(at now: Instant) -> Bool { instant(at: offset ?? .utc).timeInterval(since: now) > 86_400 }
}

extension CaptureTime {
  /// Returns this time shifted by civil arithmetic, with the fraction carried exactly; nil outside the years 0…9999.
  ///
  /// The fraction keeps its number of digits and gets more only if necessary. A time without a fraction gets one only
  /// if necessary.
  package func adding(_ shift: TimeShift) -> CaptureTime? {
    let sum = (fraction?.nanoseconds ?? 0) + shift.nanoseconds
    let (carry, nanoseconds) = sum.flooredDivision(by: 1_000_000_000)
    let (seconds, overflow) = shift.seconds.addingReportingOverflow(Int64(carry))
    guard !overflow, let civil = civil.adding(seconds: seconds) else { return nil }
    var new = CaptureTime(civil, fraction: fraction, offset: offset)
    if shift.nanoseconds != 0 {
      new.fraction =
        fraction == nil && nanoseconds == 0
        ? nil : SecondFraction(nanoseconds: nanoseconds, minimumDigits: (fraction?.count).map(Int.init) ?? 1)
    }
    return new
  }

  /// Returns this time shifted by months, then by a span; nil outside the years 0…9999.
  ///
  /// A time without a fraction, in the same second as the anchor, is a truncated copy of the anchor and stays one: next
  /// to an anchor of 10:00:00.75, half a second later, 10:00:00 becomes 10:00:01. The same applies to a time without
  /// seconds in the anchor's minute: next to an anchor of 10:00:07, a minute and 40 seconds later, 10:00 becomes 10:01
  /// (the anchor 10:01:47).
  package func adding(_ shift: CalendarShift) -> CaptureTime? {
    if fraction == nil, civil.second == 0, shift.span.seconds % 60 != 0 || shift.span.nanoseconds != 0,
      let anchor = shift.anchor?.civil, anchor.second != 0, anchor.adding(seconds: -Int64(anchor.second)) == civil
    {
      return shift.anchor?.adding(shift).flatMap { moved in
        moved.civil.adding(seconds: -Int64(moved.civil.second)).map { CaptureTime($0, offset: offset) }
      }
    }
    if shift.span.nanoseconds != 0, fraction == nil, let anchor = shift.anchor, anchor.fraction != nil,
      anchor.civil == civil
    {
      return anchor.adding(shift).map { CaptureTime($0.civil, offset: offset) }
    }
    guard let civil = civil.adding(months: shift.months) else { return nil }
    return CaptureTime(civil, fraction: fraction, offset: offset).adding(shift.span)
  }
}
