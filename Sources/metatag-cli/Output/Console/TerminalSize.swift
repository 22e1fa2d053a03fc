import Glibc
import SystemPackage

/// Columns and lines of a terminal.
struct TerminalSize: Equatable {
  let columns: Int
  let lines: Int

  /// The size that nearly every terminal has at least, where none is known.
  static let usual = TerminalSize(columns: 80, lines: 24)

  /// The size of the terminal that is open there; nil where there is none, or it doesn't say.
  init?(of descriptor: FileDescriptor) {
    var size = winsize()
    guard ioctl(descriptor.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    self.init(columns: Int(size.ws_col), lines: Int(size.ws_row))
  }

  private init(columns: Int, lines: Int) { (self.columns, self.lines) = (columns, lines) }

  /// Columns that the user wants instead (`COLUMNS`, POSIX base definitions 8.3).
  static func columns(in environment: [String: String]) -> Int? {
    environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
  }
}
