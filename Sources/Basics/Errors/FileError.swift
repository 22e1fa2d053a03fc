public import Foundation

/// An error that explains why a file was not read or not changed: a code, a position in the file, a sentence, and what
/// helps.
public struct FileError: Error, Hashable, Sendable {
  /// The kinds of errors. Every code belongs to one.
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

  /// The problem.
  public let code: Code
  /// The position in the file, in bytes from its start; nil if not applicable.
  public let offset: Int?
  /// The problem in a sentence, without the file's name and without a remedy.
  public let description: String
  /// The remedy; nil if there is none, or if it is unknown.
  public let remedy: Remedy?

  /// The kind of error.
  public var kind: Kind { code.kind }

  /// Creates an error about a file.
  public init(_ code: Code, _ description: String, at offset: Int? = nil, remedy: Remedy? = nil) {
    self.code = code
    self.offset = offset
    self.description = description
    self.remedy = remedy
  }
}

extension FileError: CustomStringConvertible, LocalizedError {
  /// The problem in a sentence.
  public var errorDescription: String? { description }
}

extension FileError {
  /// Returns the same error, with another sentence around its own, and with `remedy` if it has none.
  package func reworded(_ description: String, remedy: Remedy? = nil) -> FileError {
    FileError(code, description, at: offset, remedy: self.remedy ?? remedy)
  }
}
