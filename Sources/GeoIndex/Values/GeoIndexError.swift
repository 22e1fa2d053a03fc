/// Why places can't be looked up.
public struct GeoIndexError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong, for programs.
  public enum Kind: Sendable, Hashable {
    /// The gazetteer that belongs to the program isn't where it should be.
    case missingGazetteer
    /// The gazetteer that belongs to the program is not what it should be.
    case damagedGazetteer
    /// The expanded gazetteer in the cache folder can't be written or read.
    case cache
    /// The expansion of the gazetteer was ended by what is told its progress.
    case cancelled
    /// The user's own places can't be read or written.
    case ownPlaces
    /// A file of places can't be imported.
    case badFile
    /// A coordinate that is not on Earth.
    case badCoordinate
    /// A country that places are to be in is none.
    case unknownCountry
  }

  /// What went wrong, for programs.
  public let kind: Kind
  /// What went wrong and what helps, as a sentence.
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
