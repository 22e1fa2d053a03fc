import Glibc

/// The location of a photo, with what else a receiver recorded. A nil value is unknown. Values read from photos are
/// given as recorded, even out of range; a value to be written must be in the range given here, or is refused.
public struct Location: Hashable, Codable, Sendable {
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

/// A position on the Earth in WGS 84, in decimal degrees.
///
/// The initializers are the only place in the project where the range of a coordinate is checked.
public struct Coordinate: Hashable, Sendable {
  /// Degrees north of the equator, −90…90. Never −0.
  public let latitude: Double
  /// Degrees east of Greenwich, −180…180. Never −0.
  public let longitude: Double

  /// Returns nil if a value is NaN or out of range.
  public init?(latitude: Double, longitude: Double) {
    guard latitude >= -90, latitude <= 90, longitude >= -180, longitude <= 180 else { return nil }
    self.latitude = latitude + 0.0  // −0 + 0 is +0
    self.longitude = longitude + 0.0
  }

  /// Creates the nearest coordinate: a value out of range becomes the limit that it exceeds. For values that are known to
  /// be in range, such as those of an index.
  @inlinable
  package init(clampingLatitude latitude: Double, longitude: Double) {
    self.latitude = min(90, max(-90, latitude)) + 0.0
    self.longitude = min(180, max(-180, longitude)) + 0.0
  }
}

extension Coordinate {
  /// Whether it is 0, 0, which devices write when they have no fix.
  public var isNoFix: Bool { latitude == 0 && longitude == 0 }

  /// Whether two recorded positions are the same: within 10⁻⁵ degrees (about a metre), also across the antimeridian.
  package func isSame(as other: Coordinate) -> Bool {
    let east = abs(longitude - other.longitude)
    return abs(latitude - other.latitude) <= 1e-5 && min(east, 360 - east) <= 1e-5
  }
}

extension Coordinate: CustomStringConvertible {
  /// The coordinate as text: `31.2304, 121.4737`, with as many decimals as the values need.
  public var description: String { "\(latitude), \(longitude)" }
}

/// The precision to which a location is reduced: the height and width of a grid's cells.
public struct Coarseness: Hashable, Sendable {
  /// The allowed sizes: below a metre a location counts as exact, and above this a cell would exceed a hemisphere.
  public static let range: ClosedRange<Double> = 1...5_000_000

  /// The size in metres.
  public let metres: Double

  /// Returns nil outside `range` and for NaN, so that a location neither stays exact nor becomes meaningless.
  public init?(metres: Double) {
    guard Coarseness.range.contains(metres) else { return nil }
    self.metres = metres
  }
}

extension Coordinate {
  /// Returns the center of the cell that contains this position, in a grid of cells of about this height and width. All
  /// positions of a cell have the same center, and the center of a cell stays unchanged when it is coarsened again.
  package func coarsened(to coarseness: Coarseness) -> Coordinate {
    let step = min(coarseness.metres / (Coordinate.meanRadius * .pi / 180), 180)
    let north = min(max(((latitude / step).rounded(.down) + 0.5) * step, -90), 90)
    // A whole number of cells around the circle of latitude, so that none is cut at the antimeridian.
    let cells = max((360 * cos(north * .pi / 180) / step).rounded(.down), 1)
    let east = min(((longitude + 180) / 360 * cells).rounded(.down), cells - 1)
    return Coordinate(latitude: north, longitude: (east + 0.5) / cells * 360 - 180) ?? self
  }
}
