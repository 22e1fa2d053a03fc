/// A whole number in a request. What is a number and not whole is told like any other wrong value.
struct WholeNumber: Decodable {
  let value: Int

  init(from decoder: any Decoder) throws {
    do {
      value = try decoder.singleValueContainer().decode(Int.self)
    } catch {
      // Of a fraction the decoder doesn't say where it stands.
      throw DecodingError.typeMismatch(Int.self, .init(codingPath: decoder.codingPath, debugDescription: ""))
    }
  }
}

extension DecodingError {
  /// What is wrong with a request, after `not a request: `: the member, and what it takes.
  /// - Parameter expected: what is said of text that is no object.
  func flaw(_ expected: String) -> String {
    let (path, wanted): ([any CodingKey], String) =
      switch self {
      case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
        (context.codingPath, "takes \(Self.words(for: type))")
      case .keyNotFound(let key, let context): (context.codingPath + [key], "is missing")
      case .dataCorrupted(let context): (context.codingPath, "is out of range")
      @unknown default: ([], "")
      }
    return "not a request: " + (path.first.map { "\"\($0.stringValue)\" \(wanted); " } ?? "") + expected
  }

  private static func words(for type: any Any.Type) -> String {
    switch type {
    case is String.Type: "text"
    case is Int.Type: "a whole number"
    case is Double.Type: "a number"
    case is Bool.Type: "true or false"
    default: "a list"
    }
  }
}
