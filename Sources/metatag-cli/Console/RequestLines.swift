import SystemPackage

/// Requests of a program, one a line: handed on as they come, without waiting for the end.
struct RequestLines {
  private let input: FileDescriptor
  /// Longer requests are none.
  private static let longest = 1 << 20

  init(input: FileDescriptor = .standardInput) { self.input = input }

  /// Calls `answer` with each line, in order, without its end, an empty one too: who counts lines waits for its answer. `idle` is
  /// called whenever there is no whole line left: what was answered must go out before anyone waits for more.
  func forEach(_ answer: ([UInt8]) throws -> Void, idle: () -> Void) throws {
    var (pending, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let count = try buffer.withUnsafeMutableBytes { try input.read(into: $0) }
      if count == 0 { break }
      pending += buffer[..<count]
      var start = 0
      while let end = pending[start...].firstIndex(of: 0x0A) {
        try answer(Array(pending[start..<end]))
        start = end + 1
      }
      pending.removeFirst(start)
      if pending.count > Self.longest { throw StartError("a request on standard input is longer than a megabyte") }
      idle()
    }
    if !pending.isEmpty { try answer(pending) }
    idle()
  }
}
