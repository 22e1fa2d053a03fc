import Glibc
import SystemPackage

/// The lines that an engine sends to a worker, in portions as they arrive.
struct WorkerLines {
  /// A line of input.
  struct Line: Sendable {
    /// Its number, from 1.
    let number: Int
    /// Its bytes without the line break; nil if there are too many.
    let bytes: [UInt8]?
  }

  private let input: FileDescriptor
  private let portion: Int
  private var buffer = LineBuffer()
  private var lines: ArraySlice<Line> = []
  private var count = 0
  private var isTooLong = false
  /// Whether all lines have been read.
  private(set) var isAtEnd = false

  /// The time without a new line after which the lines so far are a portion, in milliseconds: an engine may wait for
  /// their answers.
  private static let silence: CInt = 10
  /// The time after the first line of a portion at which it ends, even if lines still arrive one by one.
  private static let age = Duration.seconds(1)
  /// The time to wait for further lines once the user wants to stop, in milliseconds.
  private static let patience: CInt = 1_000
  /// The longest line, in bytes.
  private static let longest = 1 << 20

  /// Creates a reader of lines.
  /// - Parameter portion: The most lines in a portion.
  init(input: FileDescriptor = .standardInput, portion: Int = 512) { (self.input, self.portion) = (input, portion) }

  /// Waits for lines and returns them; none if there are no more, or if `stop` returns true and none arrive.
  mutating func next(until stop: () -> Bool) throws -> [Line] {
    var first: ContinuousClock.Instant?
    while lines.count < portion, !isAtEnd {
      if !lines.isEmpty {
        let since = first ?? .now
        if since.duration(to: .now) > Self.age { break }
        first = since
      }
      let isStopping = stop()
      let wait = isStopping ? Self.patience : Self.silence
      guard isReadable(within: wait) else {
        if lines.isEmpty, !isStopping { continue }
        break
      }
      try read()
    }
    defer { lines = lines.dropFirst(portion) }
    return Array(lines.prefix(portion))
  }

  /// Whether there is something to read, or the end, before the time is over.
  private func isReadable(within milliseconds: CInt) -> Bool {
    var descriptor = pollfd(fd: input.rawValue, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, milliseconds) > 0
  }

  private mutating func read() throws {
    do { isAtEnd = try !buffer.read(from: input) } catch {
      throw SetupError("can't read standard input: \(error.words)")
    }
    for line in buffer.takeLines() { add(Array(buffer.bytes[line])) }
    buffer.dropLines()
    if buffer.rest.count > Self.longest {
      isTooLong = true
      buffer.dropRest()
    }
    if isAtEnd, isTooLong || !buffer.rest.isEmpty { add(Array(buffer.bytes[buffer.rest])) }
  }

  private mutating func add(_ bytes: [UInt8]) {
    count += 1
    isTooLong = isTooLong || bytes.count > Self.longest
    lines.append(Line(number: count, bytes: isTooLong ? nil : bytes))
    isTooLong = false
  }
}
