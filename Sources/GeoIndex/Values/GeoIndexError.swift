/// An error that explains why places can't be looked up.
public struct GeoIndexError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Kind: Sendable, Hashable {
    /// The gazetteer that belongs to the program is missing.
    case missingGazetteer
    /// The gazetteer that belongs to the program is damaged.
    case damagedGazetteer
    /// The expanded gazetteer in the cache folder can't be written or read.
    case cache
    /// The progress callback cancelled the expansion of the gazetteer.
    case cancelled
    /// The user's own places can't be read or written.
    case ownPlaces
    /// A file of places can't be imported.
    case badFile
    /// A coordinate is not on Earth.
    case badCoordinate
    /// The country to which a search is limited does not exist.
    case unknownCountry
  }

  /// The kind of error.
  public let kind: Kind
  /// A sentence that describes the problem, and what helps.
  public let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

extension GeoIndexError {
  /// The error for an expanded gazetteer whose bytes can't be read.
  static let unreadable = GeoIndexError(
    .cache, "the expanded gazetteer in the cache folder can't be read: delete the folder, it will be made again")
}
