import Glibc
import SystemPackage

/// The terminal the user sits at, taken over: keys come one by one, and what it showed comes back in the end. It is
/// opened by itself, since standard input and output may be something else.
struct Screen: ~Copyable {
  let descriptor: FileDescriptor
  private let before: termios

  /// - Parameter environment: `TERM=dumb` has no cursor to move.
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
    // Another screen, and pasted text between brackets (xterm's control sequences).
    write("\u{1B}[?1049h\u{1B}[?2004h")
  }

  deinit {
    write("\u{1B}[?2004l\u{1B}[?1049l")
    var state = before
    tcsetattr(descriptor.rawValue, TCSADRAIN, &state)
    try? descriptor.close()
  }

  var size: TerminalSize { TerminalSize(of: descriptor) ?? .usual }

  /// Shows these lines in place of all there is.
  func draw(_ lines: [String], cursor: Int) {
    let body = lines.enumerated().map { "\u{1B}[\($0 + 1);1H\($1)\u{1B}[K" }.joined()
    write("\(body)\u{1B}[J\u{1B}[1;\(cursor + 1)H")
  }

  private func write(_ text: String) { _ = try? descriptor.writeAll(text.utf8) }

  private static let missing = SetupError(
    "there is no terminal to pick a place on; 'metatag place search' answers without one")
}
