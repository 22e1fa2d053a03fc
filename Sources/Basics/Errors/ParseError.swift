public import Foundation

/// An error that explains why a user's text could not be parsed: a sentence that says what is wrong and what would be
/// right.
public struct ParseError: Error, Hashable, Sendable {
  /// The problem in a sentence.
  public let description: String

  /// Creates an error about a text.
  public init(_ description: String) { self.description = description }
}

extension ParseError: CustomStringConvertible, LocalizedError {
  /// The problem in a sentence.
  public var errorDescription: String? { description }
}
