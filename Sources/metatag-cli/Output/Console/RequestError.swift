import GeoIndex
import MetaTag

/// An error in a request on standard input.
struct RequestError: Error {
  /// The problems, as names that don't change from one version to the next.
  enum Code: String, CaseIterable {
    /// The line is not a JSON object, or a member is missing or has another type.
    case malformedRequest
    /// The request has a member that doesn't exist.
    case unknownMember
    /// The value of a member can't be used.
    case invalidMember
    /// A row comes from another version of metatag.
    case otherVersion
  }

  let code: Code
  let description: String

  init(_ code: Code, _ description: String) { (self.code, self.description) = (code, description) }

  /// Requires that this version, apart from the last number, made a row.
  static func requireVersion(_ version: String) throws {
    func significant(_ version: String) -> [Substring] { Array(version.split(separator: ".").prefix(2)) }
    guard significant(version) == significant(Console.version) else {
      throw RequestError(
        .otherVersion,
        "version \(version.printable) made the row, and this is \(Console.version). Plan again, or use one version on all "
          + "machines.")
    }
  }
}

extension JSONWriter {
  /// Writes the answer, in one line, to a request that failed.
  /// - Parameter expected: The expected form of a request.
  mutating func failure(_ error: any Error, expected: String) {
    let failure = error.inRequest(expected)
    object { writer in
      writer.member("error", failure.sentence)
      writer.member("code", failure.code)
    }
    endLine()
  }
}

extension Error {
  fileprivate func inRequest(_ expected: String) -> (code: String, sentence: String) {
    switch self {
    case let error as GeoIndexError: (error.code.rawValue, error.words)
    case let error as RequestError: (error.code.rawValue, error.description)
    // The time of a request.
    case let error as ParseError: (RequestError.Code.invalidMember.rawValue, error.words)
    case let error as DecodingError: (RequestError.Code.malformedRequest.rawValue, error.flaw(expected))
    default: (RequestError.Code.malformedRequest.rawValue, "not a request: \(expected)")
    }
  }
}
