import Foundation
import SystemPackage

/// Requests of a program, one a line: handed on as they come, without waiting for the end.
struct RequestLines {
  private let input: FileDescriptor
  /// Longer requests are none.
  private static let longest = 1 << 20

  init(input: FileDescriptor = .standardInput) { self.input = input }

  /// The request that a line is. A member that isn't known is refused: what it asks for would not be done.
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
        throw SetupError(
          "not a request: \"\(orphan.printable)\" is no member of it: there are \(known.joined(separator: ", "))")
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

  /// Writes what `answer` says of each line, in order, without its end, an empty one too: who counts lines waits for
  /// its answer. It goes out whenever there is no whole line left, before anyone waits for more. Ends when nobody reads
  /// the answers.
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
      if pending.count > Self.longest { throw SetupError("a request on standard input is longer than a megabyte") }
      console.flush()
      if console.isClosed { return }
    }
    if !pending.isEmpty { console.write(try answer(pending)) }
    try console.finish()
  }
}
