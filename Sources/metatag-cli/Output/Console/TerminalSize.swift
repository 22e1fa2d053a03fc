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

extension String {
  /// The width of the text on a terminal, in columns. Glibc's `wcwidth` works only in a UTF-8 locale, and output must
  /// not depend on the locale.
  var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

  /// Returns the text padded with spaces to `width` columns.
  func padded(to width: Int, _ alignment: Table.Alignment) -> String {
    let blanks = String(repeating: " ", count: max(0, width - displayWidth))
    return alignment == .left ? self + blanks : blanks + self
  }

  /// Returns the start of the text that fits into `width` columns, with an ellipsis if it is cut.
  func cut(to width: Int) -> String {
    guard displayWidth > width else { return self }
    var (text, room) = ("", width - 1)
    for character in self {
      room -= character.displayWidth
      if room < 0 { break }
      text.append(character)
    }
    return width > 0 ? text + "…" : ""
  }

  /// Returns the end of the text that fits into `width` columns, with an ellipsis if it is cut.
  func cutAtStart(to width: Int) -> String {
    guard displayWidth > width else { return self }
    var (text, room) = ([Character](), width - 1)
    for character in reversed() {
      room -= character.displayWidth
      if room < 0 { break }
      text.append(character)
    }
    return width > 0 ? "…" + String(text.reversed()) : ""
  }

  /// Returns the text in lines of at most `width` columns, broken at spaces if possible.
  func folded(to width: Int) -> [String] {
    guard !isEmpty, width > 0 else { return [] }
    var (lines, line) = ([String](), "")
    for word in split(separator: " ", omittingEmptySubsequences: false).map(String.init) {
      let longer = line.isEmpty ? word : "\(line) \(word)"
      if longer.displayWidth <= width {
        line = longer
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = ""
      for character in word {
        if line.displayWidth + character.displayWidth > width, !line.isEmpty {
          lines.append(line)
          line = ""
        }
        line.append(character)
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}

extension Character {
  fileprivate var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    // U+FE0F selects the wide emoji form of a character.
    if unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return wide.contains { $0.contains(first.value) } ? 2 : 1
    }
  }
}

/// Blocks of wide and fullwidth characters (Unicode Standard Annex 11).
private let wide: [ClosedRange<UInt32>] = [
  0x1100...0x115F,  // Hangul Jamo
  0x231A...0x231B, 0x23E9...0x23EC, 0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x26A1...0x26A1,
  0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26D4...0x26D4, 0x26EA...0x26EA, 0x26F2...0x26F5,
  0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728, 0x274C...0x274C, 0x2753...0x2757, 0x2795...0x2797,
  0x2B1B...0x2B1C, 0x2B50...0x2B55,
  0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,  // CJK, kana
  0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,  // Yi, Hangul
  0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,  // compatibility and full-width forms
  0x1F1E6...0x1F1FF, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF,  // pictographs
  0x20000...0x3FFFD,  // CJK extensions
]
