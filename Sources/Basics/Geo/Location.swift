/// The location of a photo, with what else a receiver recorded. A nil value is unknown. Values read from photos are
/// given as recorded, even out of range; a value to be written must be in the range given here, or is refused.
public struct Location: Hashable, Sendable {
  /// The position of the camera.
  public var coordinate: Coordinate
  /// The altitude in metres above mean sea level, negative below it. Zero is an altitude. Within `altitudes`.
  public var altitude: Double?
  /// The direction in which the camera pointed.
  public var imageDirection: Direction?
  /// The direction in which the receiver moved.
  public var track: Direction?
  /// The ground speed in metres per second, not negative.
  public var speed: Double?
  /// The radius of uncertainty in metres (EXIF GPSHPositioningError), not negative.
  public var horizontalError: Double?
  /// The dilution of precision (EXIF GPSDOP), not negative.
  public var dilutionOfPrecision: Double?
  /// The time of the position fix (EXIF GPSDateStamp and GPSTimeStamp, UTC).
  public var timestamp: Instant?
  /// The positioning method (EXIF GPSProcessingMethod) in ASCII: `GPS`, `CELLID`, `WLAN`, `MANUAL`.
  public var processingMethod: String?

  /// The altitudes in metres that can be written: 100 km is beyond any photographer, and −11 km below any sea.
  public static let altitudes: ClosedRange<Double> = -11_000...100_000

  /// The range of speed, error and dilution that can be written; EXIF could store slightly more.
  package static let sizes: ClosedRange<Double> = 0...1e9

  /// Creates a location of which only the position, and perhaps the altitude in metres, is known.
  public init(_ coordinate: Coordinate, altitude: Double? = nil) {
    self.coordinate = coordinate
    self.altitude = altitude
  }
}

/// A compass direction.
public struct Direction: Hashable, Sendable {
  /// The north against which a direction is measured (EXIF `T` and `M`).
  public enum Reference: String, Sendable, CaseIterable {
    /// Geographic north.
    case trueNorth = "T"
    /// Magnetic north.
    case magneticNorth = "M"
  }

  /// The angle clockwise from north, 0..<360.
  public let degrees: Double
  /// The north against which the angle is measured.
  public let reference: Reference

  /// Creates a direction from any finite angle, normalized to 0..<360; nil for other values.
  public init?(degrees: Double, reference: Reference = .trueNorth) {
    guard degrees.isFinite else { return nil }
    let wrapped = degrees.truncatingRemainder(dividingBy: 360)
    let positive = wrapped < 0 ? wrapped + 360 : wrapped + 0.0
    self.degrees = positive < 360 ? positive : 0
    self.reference = reference
  }
}
