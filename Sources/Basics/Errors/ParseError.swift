/// An error that explains why a user's text could not be parsed: a sentence that says what is wrong and what would be
/// right.
public struct ParseError: Error, Hashable, Sendable {
  /// The problem, and what helps.
  public let sentence: String

  /// Creates an error about a text.
  public init(_ sentence: String) { self.sentence = sentence }
}

extension ParseError: CustomStringConvertible {
  /// The sentence.
  public var description: String { sentence }
}
