/// Why a text that a person wrote could not be read: a sentence that says what is wrong and what would be right.
public struct ParseError: Error, Hashable, Sendable {
  /// What is wrong, and what helps.
  public let sentence: String

  /// An error about a text.
  public init(_ sentence: String) { self.sentence = sentence }
}

extension ParseError: CustomStringConvertible {
  /// The sentence.
  public var description: String { sentence }
}
