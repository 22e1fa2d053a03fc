/// An error that explains why a photo was not read or not changed: a kind, a position in the file, and a sentence.
public struct FileError: Error, Hashable, Sendable {
  /// The kinds of errors.
  public enum Kind: String, Sendable, CaseIterable {
    /// The bytes end before the structure does.
    case truncated
    /// The bytes violate the rules of their format.
    case malformed
    /// The format, or its variant, is not supported by this version.
    case unsupported
    /// The change does not fit into what the format can hold.
    case tooLarge
    /// The change was refused, to protect the photo.
    case refused
    /// Another program changed the file in the meantime.
    case conflict
    /// The system could not read or write.
    case io
  }

  /// The kind of error.
  public let kind: Kind
  /// The position in the file, in bytes from its start; nil if not applicable.
  public let offset: Int?
  /// The problem, and what helps, without the file's name.
  public let sentence: String

  /// Creates an error about a photo.
  public init(_ kind: Kind, _ sentence: String, at offset: Int? = nil) {
    self.kind = kind
    self.offset = offset
    self.sentence = sentence
  }
}

extension FileError: CustomStringConvertible {
  /// The sentence, with the offset if there is one: `the Exif segment is longer than the file (offset 4410332)`.
  public var description: String { sentence + (offset.map { " (offset \($0))" } ?? "") }
}
