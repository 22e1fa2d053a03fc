public import Basics
public import Foundation

/// An error that explains why places can't be looked up: a code, a sentence, and what helps.
public struct GeoIndexError: Error, Sendable, Hashable {
  /// The problems, as names that don't change from one version to the next.
  @nonexhaustive
  public enum Code: String, Sendable, CaseIterable {
    /// The gazetteer that belongs to the program is missing.
    case missingGazetteer
    /// The gazetteer that belongs to the program is damaged.
    case damagedGazetteer
    /// The expanded gazetteer in the cache folder, or in a folder to be prepared, can't be written or read.
    case cache
    /// The folder doesn't hold the gazetteer as this version of the program expands it.
    case notPrepared
    /// The progress callback cancelled the expansion of the gazetteer.
    case cancelled
    /// The user's own places can't be read or written.
    case userPlaces
    /// A file of places can't be imported.
    case badFile
    /// A coordinate is not on Earth.
    case badCoordinate
    /// The country to which a search is limited does not exist.
    case unknownCountry
  }

  /// The problem.
  public let code: Code
  /// The problem in a sentence, without a remedy.
  public let description: String
  /// The remedy; nil if there is none, or if the sentence says it.
  public let remedy: Remedy?

  init(_ code: Code, _ description: String, remedy: Remedy? = nil) {
    self.code = code
    self.description = description
    self.remedy = remedy
  }
}

extension GeoIndexError: CustomStringConvertible, LocalizedError {
  /// The problem in a sentence.
  public var errorDescription: String? { description }
}

extension GeoIndexError {
  /// The error for an expanded gazetteer whose bytes can't be read.
  static let unreadable = GeoIndexError(
    .cache, "the expanded gazetteer in the cache folder can't be read", remedy: .deleteCache)
}
