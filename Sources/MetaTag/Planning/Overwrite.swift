/// The treatment of a value that a photo already has: its location, its names of places, its date.
public enum Overwrite: String, Sendable, CaseIterable {
  /// The old value stays.
  case keep
  /// The new value replaces the old one.
  case replace
  /// The new location replaces the old one if both record their error in the same measure and the new error is less.
  case ifBetter = "if-better"
}

/// The error of a position, as far as it is recorded.
public struct PositionError: Hashable, Sendable {
  /// The radius of uncertainty in metres.
  public let metres: Double?
  /// The dilution of precision.
  public let dilution: Double?

  /// Creates the error that is recorded with `location`.
  init(of location: Location) {
    metres = location.horizontalError
    dilution = location.dilutionOfPrecision
  }

  /// Whether this error is less than `other`. Compares metres with metres, and dilutions only if neither records
  /// metres: they describe the satellites, not the distance of the camera from the fix. An unknown error is not
  /// greater.
  func isLess(than other: PositionError) -> Bool {
    if let metres, let others = other.metres { return metres < others }
    guard metres == nil, other.metres == nil, let dilution, let others = other.dilution else { return false }
    return dilution < others
  }
}

extension PositionError: CustomStringConvertible {
  /// A text such as `8 m`, `DOP 2.5` or `unknown`.
  public var description: String { metres.map { "\(Length($0))" } ?? dilution.map { "DOP \($0)" } ?? "unknown" }
}
