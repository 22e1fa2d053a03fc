/// Where a photo was taken, and what a receiver knew besides. What is nil isn't known. What photos tell is given as
/// they tell it; what is to be written to one has to be in the ranges given here, or is refused.
public struct Location: Hashable, Sendable {
  /// Where the camera stood.
  public var coordinate: Coordinate
  /// Metres above mean sea level; below it, negative. Zero is an altitude. Within `altitudes`.
  public var altitude: Double?
  /// Where the camera pointed.
  public var imageDirection: Direction?
  /// Where the receiver moved to.
  public var track: Direction?
  /// Metres per second over ground, not below 0.
  public var speed: Double?
  /// Radius of uncertainty in metres (EXIF GPSHPositioningError), not below 0.
  public var horizontalError: Double?
  /// Dilution of precision, as EXIF GPSDOP, not below 0.
  public var dilutionOfPrecision: Double?
  /// When the receiver fixed this position (EXIF GPSDateStamp and GPSTimeStamp, UTC).
  public var timestamp: Instant?
  /// How the position was found (EXIF GPSProcessingMethod): `GPS`, `CELLID`, `WLAN`, `MANUAL`. In ASCII.
  public var processingMethod: String?

  /// Metres above the sea that a photo may get: 100 km is beyond any photographer, and -11 km below any sea.
  public static let altitudes: ClosedRange<Double> = -11_000...100_000

  /// What speed, error and dilution may be: EXIF has room for a little more.
  package static let sizes: ClosedRange<Double> = 0...1e9

  /// A position about which nothing else is known.
  public init(_ coordinate: Coordinate, altitude: Double? = nil) {
    self.coordinate = coordinate
    self.altitude = altitude
  }
}

/// A compass direction.
public struct Direction: Hashable, Sendable {
  /// Against which north it is measured (EXIF `T` and `M`).
  public enum Reference: String, Sendable, CaseIterable {
    /// Geographic north.
    case trueNorth = "T"
    /// Magnetic north.
    case magneticNorth = "M"
  }

  /// Clockwise from north, 0..<360.
  public let degrees: Double
  /// Against which north.
  public let reference: Reference

  /// Any finite angle, brought into 0..<360; nil otherwise.
  public init?(degrees: Double, reference: Reference = .trueNorth) {
    guard degrees.isFinite else { return nil }
    let wrapped = degrees.truncatingRemainder(dividingBy: 360)
    let positive = wrapped < 0 ? wrapped + 360 : wrapped + 0.0
    self.degrees = positive < 360 ? positive : 0
    self.reference = reference
  }
}
