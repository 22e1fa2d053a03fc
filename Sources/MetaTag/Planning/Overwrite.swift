/// What becomes of what a photo already has: its location, its names of places, its date.
public enum Overwrite: String, Sendable, CaseIterable {
  /// It stays.
  case keep
  /// The new one takes its place.
  case replace
  /// The new one takes its place if both say how far they may be off, in the same measure, and it is by less.
  case ifBetter = "if-better"
}

/// How far a position may be off, as far as anybody said.
public struct PositionError: Hashable, Sendable {
  /// Radius of uncertainty in metres.
  public let metres: Double?
  /// Dilution of precision.
  public let dilution: Double?

  /// What is recorded with `location`.
  init(of location: Location) {
    metres = location.horizontalError
    dilution = location.dilutionOfPrecision
  }

  /// Whether this is less than `other`. Metres are compared with metres, and dilutions only where neither says metres:
  /// they tell of the satellites, not of how far the camera was from the fix. What nobody measured is not worse.
  func isLess(than other: PositionError) -> Bool {
    if let metres, let others = other.metres { return metres < others }
    guard metres == nil, other.metres == nil, let dilution, let others = other.dilution else { return false }
    return dilution < others
  }
}

extension PositionError: CustomStringConvertible {
  /// `8 m`, `DOP 2.5`, `unknown`.
  public var description: String { metres.map { "\(Length($0))" } ?? dilution.map { "DOP \($0)" } ?? "unknown" }
}
