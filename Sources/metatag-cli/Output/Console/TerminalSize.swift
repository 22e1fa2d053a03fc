import Glibc
import SystemPackage

/// The size of a terminal in columns and lines.
struct TerminalSize: Equatable {
  let columns: Int
  let lines: Int

  /// The size to assume if it is unknown.
  static let usual = TerminalSize(columns: 80, lines: 24)

  /// Creates the size of the terminal at `descriptor`; nil if it isn't a terminal or has no size.
  init?(of descriptor: FileDescriptor) {
    var size = winsize()
    guard ioctl(descriptor.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    self.init(columns: Int(size.ws_col), lines: Int(size.ws_row))
  }

  private init(columns: Int, lines: Int) { (self.columns, self.lines) = (columns, lines) }

  /// Returns the number of columns that the user wants (`COLUMNS`, POSIX base definitions 8.3).
  static func columns(in environment: [String: String]) -> Int? {
    environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
  }
}
