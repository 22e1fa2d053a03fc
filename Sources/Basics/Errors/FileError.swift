/// Why a photo was not read or not changed: a kind, a place in the file, and a sentence.
public struct FileError: Error, Hashable, Sendable {
  /// What sort of trouble it is.
  public enum Kind: String, Sendable, CaseIterable {
    /// The bytes end before the structure does.
    case truncated
    /// The bytes break their format's rules.
    case malformed
    /// A format, or a variant, that this version does not handle.
    case unsupported
    /// The change does not fit what the format can hold.
    case tooLarge
    /// Refused on purpose, to keep the photo from harm.
    case refused
    /// Someone else changed the file meanwhile.
    case conflict
    /// The system could not read or write.
    case io
  }

  /// What sort of trouble it is.
  public let kind: Kind
  /// Where in the file, in bytes from its start.
  public let offset: Int?
  /// What is wrong, and what helps; without the file's name.
  public let sentence: String

  /// An error about a photo.
  public init(_ kind: Kind, _ sentence: String, at offset: Int? = nil) {
    self.kind = kind
    self.offset = offset
    self.sentence = sentence
  }
}

extension FileError: CustomStringConvertible {
  /// `the Exif segment is longer than the file (offset 4410332)`.
  public var description: String { sentence + (offset.map { " (offset \($0))" } ?? "") }
}
