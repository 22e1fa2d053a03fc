import Foundation
import Glibc
import SystemPackage

/// Requests from a program on standard input, one per line, passed on as they arrive.
struct RequestLines {
  private let input: FileDescriptor
  /// The longest request, in bytes.
  private static let longest = 1 << 20

  init(input: FileDescriptor = .standardInput) { self.input = input }

  /// Decodes the request in a line. An unknown member is an error, because it would be ignored.
  static func request<Request: Decodable, Key: CodingKey & CaseIterable>(
    _ type: Request.Type, _ keys: Key.Type, in line: some Sequence<UInt8>
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
  /// - Parameters:
  ///   - prepare: Called with the ranges of all lines that have arrived, and the bytes, before they are answered.
  ///   - answer: Writes the answer to the line in a range of bytes.
  func answer(
    on console: Console, prepare: ([Range<Int>], [UInt8]) -> Void = { _, _ in },
    _ answer: (Range<Int>, [UInt8], inout JSONWriter) -> Void
  ) throws {
    var (writer, buffer) = (JSONWriter(.oneLine), LineBuffer())
    var isTooLong = false
    while try buffer.read(from: input) {
      let lines = buffer.takeLines()
      prepare(lines, buffer.bytes)
      for line in lines {
        if line.count > Self.longest { isTooLong = true }
        if isTooLong { Self.refuse(&writer) } else { answer(line, buffer.bytes, &writer) }
        isTooLong = false
        writer.flush(to: console, ifAtLeast: 1 << 16)
        if console.isClosed { return }
      }
      buffer.dropLines()
      if buffer.rest.count > Self.longest {
        isTooLong = true
        buffer.dropRest()
      }
      writer.flush(to: console)
      console.flush()
      if console.isClosed { return }
    }
    if isTooLong { Self.refuse(&writer) } else if !buffer.rest.isEmpty { answer(buffer.rest, buffer.bytes, &writer) }
    writer.flush(to: console)
    try console.finish()
  }

  private static func refuse(_ writer: inout JSONWriter) {
    writer.failure(RequestError(.malformedRequest, "not a request: the line exceeds 1 MB"), expected: "")
  }
}

/// A whole number in a request. A fraction is reported like any other wrong value.
struct WholeNumber: Decodable, Equatable {
  let value: Int

  init(_ value: Int) { self.value = value }

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
    "not a request: " + (flawOfMember.map { "\($0); " } ?? "") + expected
  }

  /// Describes what is wrong with a member: `"id" is missing`; nil if the text isn't an object.
  var flawOfMember: String? {
    let (path, wanted): ([any CodingKey], String) =
      switch self {
      case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
        (context.codingPath, "takes \(Self.words(for: type))")
      case .keyNotFound(let key, let context): (context.codingPath + [key], "is missing")
      case .dataCorrupted(let context): (context.codingPath, "is out of range")
      @unknown default: ([], "")
      }
    return path.first.map { "\"\($0.stringValue)\" \(wanted)" }
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
