/// One fix of a receiver. 40 bytes, as there may be millions: times are kept to the microsecond, altitudes to the
/// millimetre, speed and course to four decimals, precision to three digits.
public struct TrackPoint: Hashable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  private(set) var microseconds: Int64
  /// Where.
  public let coordinate: Coordinate
  private let storedAltitude: Float
  private let storedSpeed: Float
  private let storedCourse: Float
  private let storedDilution: Float16
  private let storedAccuracy: Float16

  /// A fix; what is nil, or not a number, isn't known, nor is an altitude that no photo may get (`Location.altitudes`).
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

  /// The same fix at another time, 292,000 years being the limit.
  func moved(by shift: TimeShift) -> TrackPoint {
    var moved = self
    moved.microseconds = instant.adding(shift).microseconds
    return moved
  }

  /// An order of points that differ.
  var rank: (Int64, Double, Double, Double) {
    (microseconds, coordinate.latitude, coordinate.longitude, storedAltitude.known ?? -.infinity)
  }

  /// When.
  public var instant: Instant {
    let (seconds, rest) = microseconds.flooredDivision(by: 1_000_000)
    return Instant(seconds: seconds, nanoseconds: Int32(rest) * 1_000)
  }

  /// Metres above mean sea level. Zero is an altitude.
  public var altitude: Double? { storedAltitude.known?.rounded(decimals: 3) }
  /// Metres per second over ground.
  public var speed: Double? { storedSpeed.known?.rounded(decimals: 4) }
  /// Where the receiver moved to, against true north.
  public var course: Direction? {
    storedCourse.known.flatMap { Direction(degrees: $0.rounded(decimals: 4)) }
  }
  /// Dilution of precision: in space where recorded (PDOP), else in the plane (HDOP).
  public var dilutionOfPrecision: Double? { storedDilution.known?.roundedToThreeDigits }
  /// Radius of uncertainty in metres, as the receiver estimated it.
  public var accuracy: Double? { storedAccuracy.known?.roundedToThreeDigits }
}

extension Instant {
  /// Microseconds since 1970-01-01T00:00:00Z, rounded down; beyond 292,000 years, the last or first there is.
  var microseconds: Int64 {
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, overflows) = whole.addingReportingOverflow(Int64(nanoseconds / 1_000))
    return overflow || overflows ? (seconds < 0 ? .min : .max) : sum
  }
}

extension BinaryFloatingPoint {
  /// Stands for nil where an optional would cost as much again. Unlike NaN it is equal to itself.
  private static var unknown: Self { -.greatestFiniteMagnitude }
  fileprivate var known: Double? { self == .unknown ? nil : Double(self) }

  fileprivate static func stored(_ value: Double?, in range: ClosedRange<Double>) -> Self {
    guard let value, value >= range.lowerBound else { return unknown }
    // More than the range holds is as good as the most it holds; −0 + 0 is +0. Infinity is no measurement.
    return value.isFinite ? Self(Swift.min(value, range.upperBound)) + 0 : unknown
  }
}

extension Double {
  fileprivate func rounded(decimals: Int) -> Double {
    let scale = decimals == 3 ? 1e3 : 1e4
    return (self * scale).rounded() / scale
  }

  /// A half holds three digits and a bit; the rest is noise.
  fileprivate var roundedToThreeDigits: Double {
    var scale = 1.0
    while self * scale >= 1_000 { scale /= 10 }
    while self * scale < 100, scale < 1e4 { scale *= 10 }
    return (self * scale).rounded() / scale
  }
}
