/// One fix of a receiver. 64 bytes, as there may be millions.
public struct TrackPoint: Hashable, Sendable {
  /// When.
  public let instant: Instant
  /// Where.
  public let coordinate: Coordinate
  private let storedAltitude: Double
  private let storedSpeed: Double
  private let storedCourse: Double
  private let storedDilution: Double

  /// A fix; what is nil, or not a number, isn't known.
  public init(
    _ instant: Instant, _ coordinate: Coordinate, altitude: Double? = nil, speed: Double? = nil,
    course: Double? = nil, dilutionOfPrecision: Double? = nil
  ) {
    self.instant = instant
    self.coordinate = coordinate
    storedAltitude = .stored(altitude)
    storedSpeed = .stored(speed, from: 0)
    storedCourse = .stored(course.flatMap { Direction(degrees: $0)?.degrees })
    storedDilution = .stored(dilutionOfPrecision, from: 0)
  }

  /// Metres above mean sea level. Zero is an altitude.
  public var altitude: Double? { storedAltitude.known }
  /// Metres per second over ground.
  public var speed: Double? { storedSpeed.known }
  /// Where the receiver moved to, against true north.
  public var course: Direction? { storedCourse.known.flatMap { Direction(degrees: $0) } }
  /// Dilution of precision: in space where recorded (PDOP), else in the plane (HDOP).
  public var dilutionOfPrecision: Double? { storedDilution.known }
}

extension Double {
  /// Stands for nil where an optional would cost eight bytes more. Unlike NaN it is equal to itself.
  private static let unknown = -Double.greatestFiniteMagnitude
  fileprivate var known: Double? { self == .unknown ? nil : self }

  fileprivate static func stored(_ value: Double?, from least: Double = -1e9) -> Double {
    guard let value, value.isFinite, value >= least else { return unknown }
    return value + 0.0  // −0 + 0 is +0
  }
}
