/// One fix of a receiver. It has 40 bytes, since there may be millions: times are kept to the microsecond, altitudes to
/// the millimetre, speed and course to four decimals, precision to three digits.
public struct TrackPoint: Hashable, Sendable {
  /// The time in microseconds since 1970-01-01T00:00:00Z.
  private(set) var microseconds: Int64
  /// The position.
  public let coordinate: Coordinate
  private let storedAltitude: Float
  private let storedSpeed: Float
  private let storedCourse: Float
  private let storedDilution: Float16
  private let storedAccuracy: Float16

  /// Creates a fix. Values that are nil or not a number aren't known; nor is an altitude that no photo may get
  /// (`Location.altitudes`). Units are metres, metres per second and degrees from true north.
  public init(
    _ instant: Instant, _ coordinate: Coordinate, altitude: Double? = nil, speed: Double? = nil,
    course: Double? = nil, dilutionOfPrecision: Double? = nil, accuracy: Double? = nil
  ) {
    microseconds = instant.microseconds
    self.coordinate = coordinate
    let isHeight = altitude.map(Location.altitudes.contains) ?? false
    storedAltitude = .stored(isHeight ? altitude : nil, in: Location.altitudes)
    storedSpeed = .stored(speed, in: 0...1e9)
    storedCourse = .stored(course.flatMap { Direction(degrees: $0)?.degrees }, in: 0...360)
    storedDilution = .stored(dilutionOfPrecision, in: 0...60_000)
    storedAccuracy = .stored(accuracy, in: 0...60_000)
  }

  /// Returns the same fix at another time, limited to 292,000 years from 1970.
  func moved(by shift: TimeShift) -> TrackPoint {
    var moved = self
    moved.microseconds = instant.adding(shift).microseconds
    return moved
  }

  /// The sort key, which differs for points that differ.
  var rank: (Int64, Double, Double, Double) {
    (microseconds, coordinate.latitude, coordinate.longitude, storedAltitude.known ?? -.infinity)
  }

  /// The time of the fix.
  public var instant: Instant {
    let (seconds, rest) = microseconds.flooredDivision(by: 1_000_000)
    return Instant(seconds: seconds, nanoseconds: Int32(rest) * 1_000)
  }

  /// The altitude in metres above mean sea level. Zero is an altitude.
  public var altitude: Double? { storedAltitude.known?.rounded(decimals: 3) }
  /// The speed over ground in metres per second.
  public var speed: Double? { storedSpeed.known?.rounded(decimals: 4) }
  /// The direction of movement, from true north.
  public var course: Direction? {
    storedCourse.known.flatMap { Direction(degrees: $0.rounded(decimals: 4)) }
  }
  /// The dilution of precision: in three dimensions if recorded (PDOP), otherwise horizontal (HDOP).
  public var dilutionOfPrecision: Double? { storedDilution.known?.roundedToThreeDigits }
  /// The radius of uncertainty in metres, as estimated by the receiver.
  public var accuracy: Double? { storedAccuracy.known?.roundedToThreeDigits }
}

extension Instant {
  /// The microseconds since 1970-01-01T00:00:00Z, rounded down and limited to ±292,000 years.
  var microseconds: Int64 {
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, overflows) = whole.addingReportingOverflow(Int64(nanoseconds / 1_000))
    return overflow || overflows ? (seconds < 0 ? .min : .max) : sum
  }
}

extension BinaryFloatingPoint {
  /// The value for nil, where an optional would take twice the space. Unlike NaN it equals itself.
  private static var unknown: Self { -.greatestFiniteMagnitude }
  fileprivate var known: Double? { self == .unknown ? nil : Double(self) }

  fileprivate static func stored(_ value: Double?, in range: ClosedRange<Double>) -> Self {
    guard let value, value >= range.lowerBound else { return unknown }
    // Values above the range are limited to its upper bound; −0 + 0 is +0. Infinity is not a measurement.
    return value.isFinite ? Self(Swift.min(value, range.upperBound)) + 0 : unknown
  }
}

extension Double {
  fileprivate func rounded(decimals: Int) -> Double {
    let scale = decimals == 3 ? 1e3 : 1e4
    return (self * scale).rounded() / scale
  }

  /// The number rounded to three digits. A half-precision number holds a bit more than that; the rest is noise.
  fileprivate var roundedToThreeDigits: Double {
    var scale = 1.0
    while self * scale >= 1_000 { scale /= 10 }
    while self * scale < 100, scale < 1e4 { scale *= 10 }
    return (self * scale).rounded() / scale
  }
}
