import Glibc
import Synchronization
import SystemPackage

/// The user's terminal in raw mode, with a screen of its own that is removed at the end. It is opened by itself,
/// because standard input and output may be redirected.
struct Screen: ~Copyable {
  let descriptor: FileDescriptor
  private let before: termios

  /// Opens the terminal.
  /// - Parameter environment: With `TERM=dumb`, there is no cursor to move.
  init(environment: [String: String]) throws {
    guard environment["TERM"] != "dumb",
      let descriptor = try? FileDescriptor.open("/dev/tty", .readWrite, options: .closeOnExec)
    else { throw Self.missing }
    var state = termios()
    guard tcgetattr(descriptor.rawValue, &state) == 0 else {
      try? descriptor.close()
      throw Self.missing
    }
    before = state
    self.descriptor = descriptor
    cfmakeraw(&state)
    tcsetattr(descriptor.rawValue, TCSADRAIN, &state)
    // Switch to the alternate screen and bracketed paste (xterm control sequences).
    write("\u{1B}[?1049h\u{1B}[?2004h")
  }

  deinit {
    write("\u{1B}[?2004l\u{1B}[?1049l")
    var state = before
    tcsetattr(descriptor.rawValue, TCSADRAIN, &state)
    try? descriptor.close()
  }

  var size: TerminalSize { TerminalSize(of: descriptor) ?? .usual }

  /// Replaces everything on the screen by these lines.
  func draw(_ lines: [String], cursor: Int) {
    let body = lines.enumerated().map { "\u{1B}[\($0 + 1);1H\($1)\u{1B}[K" }.joined()
    write("\(body)\u{1B}[J\u{1B}[1;\(cursor + 1)H")
  }

  private func write(_ text: String) { _ = try? descriptor.writeAll(text.utf8) }

  private static let missing = SetupError(
    "'place pick' requires a terminal; 'metatag place search' works without one")
}

/// Signals as bytes on a pipe; each byte is the number of the signal. Only one can exist in a process.
///
/// Dispatch's signal sources don't work here: on Linux they see a signal only if every thread blocks it.
struct SignalPipe: ~Copyable {
  /// The end to read from.
  let descriptor: CInt
  private let numbers: [CInt]

  private static let end = Atomic<CInt>(-1)

  /// Starts to handle the signals.
  init(_ numbers: [CInt]) throws {
    self.numbers = numbers
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SetupError("could not create a pipe for signals: \(Errno(rawValue: errno))") }
    // A handler must not block.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    descriptor = ends[0]
    Self.end.store(ends[1], ordering: .relaxed)
    for number in numbers {
      signal(number) { number in
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        write(SignalPipe.end.load(ordering: .relaxed), &byte, 1)
        errno = before
      }
    }
  }

  /// Restores the default effect of the signals.
  deinit {
    for number in numbers { signal(number, SIG_DFL) }
    close(Self.end.exchange(-1, ordering: .relaxed))
    close(descriptor)
  }
}
