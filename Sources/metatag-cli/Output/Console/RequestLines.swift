import Foundation
import SystemPackage

/// Requests from a program on standard input, one per line, passed on as they arrive.
struct RequestLines {
  private let input: FileDescriptor
  /// The longest request, in bytes.
  private static let longest = 1 << 20

  init(input: FileDescriptor = .standardInput) { self.input = input }

  /// Decodes the request in a line. An unknown member is an error, because it would be ignored.
  static func request<Request: Decodable, Key: CodingKey & CaseIterable>(
    _ type: Request.Type, _ keys: Key.Type, in line: [UInt8]
  ) throws -> Request {
    try JSONDecoder().decode(KnownMembers<Request, Key>.self, from: Data(line)).request
  }

  private struct KnownMembers<Request: Decodable, Key: CodingKey & CaseIterable>: Decodable {
    let request: Request

    init(from decoder: any Decoder) throws {
      let known = Key.allCases.map(\.stringValue)
      let members = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
      if let orphan = members.first(where: { !known.contains($0) }) {
        throw RequestError(
          .unknownMember,
          "not a request: unknown member \"\(orphan.printable)\"; members are \(known.joined(separator: ", "))")
      }
      request = try Request(from: decoder)
    }
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Writes the answer to each line in order, also to an empty one, for programs that count lines. Output is flushed
  /// whenever no complete line is left to read. Ends when the reader of the answers is gone.
  func answer(on console: Console, _ answer: ([UInt8]) throws -> [UInt8]) throws {
    var (pending, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let count = try buffer.withUnsafeMutableBytes { try input.read(into: $0) }
      if count == 0 { break }
      pending += buffer[..<count]
      var start = 0
      while let end = pending[start...].firstIndex(of: 0x0A) {
        console.write(try answer(Array(pending[start..<end])))
        if console.isClosed { return }
        start = end + 1
      }
      pending.removeFirst(start)
      if pending.count > Self.longest { throw SetupError("a request on standard input exceeds 1 MB") }
      console.flush()
      if console.isClosed { return }
    }
    if !pending.isEmpty { console.write(try answer(pending)) }
    try console.finish()
  }
}

/// A whole number in a request. A fraction is reported like any other wrong value.
struct WholeNumber: Decodable {
  let value: Int

  init(from decoder: any Decoder) throws {
    do {
      value = try decoder.singleValueContainer().decode(Int.self)
    } catch {
      // The decoder doesn't say where a fraction is.
      throw DecodingError.typeMismatch(Int.self, .init(codingPath: decoder.codingPath, debugDescription: ""))
    }
  }
}

extension DecodingError {
  /// Describes what is wrong with a request, after `not a request: `: the member, and what it takes.
  /// - Parameter expected: The expected form, for text that isn't an object.
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
