public import Foundation

/// An error that explains why a user's text could not be parsed: a sentence that says what is wrong, and what helps.
public struct ParseError: Error, Hashable, Sendable {
  /// The problem in a sentence, without a remedy.
  public let description: String
  /// The remedy; nil if there is none, or if the sentence makes it obvious.
  public let remedy: Remedy?

  /// Creates an error about a text.
  public init(_ description: String, remedy: Remedy? = nil) {
    self.description = description
    self.remedy = remedy
  }
}

extension ParseError: CustomStringConvertible, LocalizedError {
  /// The problem in a sentence.
  public var errorDescription: String? { description }
}
