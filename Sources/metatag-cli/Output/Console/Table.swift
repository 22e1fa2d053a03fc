import Glibc
import SystemPackage

/// Columns of text, aligned by their width on a terminal.
struct Table {
  enum Alignment: Sendable { case left, right }

  /// How a column is shortened if the table is wider than the terminal.
  enum Shortening: Sendable, Hashable {
    /// Never: numbers, and words that can be typed again.
    case never
    /// At its end, down to this many columns.
    case atEnd(Int)
    /// At its start, down to this many columns: the file name is at the end of a path.
    case atStart(Int)
    /// By moving its text to lines below the row.
    case belowRow
  }

  struct Column: Sendable {
    let title: String
    let alignment: Alignment
    let shortening: Shortening

    init(_ title: String, _ alignment: Alignment = .left, _ shortening: Shortening = .never) {
      (self.title, self.alignment, self.shortening) = (title, alignment, shortening)
    }

    fileprivate var cutsStart: Bool { if case .atStart = shortening { true } else { false } }
  }

  let columns: [Column]
  private(set) var rows: [[String]] = []

  init(_ columns: [Column]) { self.columns = columns }

  /// Adds a row. Missing cells at the end are blank.
  mutating func add(_ cells: [String]) {
    rows.append(columns.indices.map { $0 < cells.count ? cells[$0].printable : "" })
  }

  /// Returns the titles and the rows. Columns are separated by two spaces; lines have no trailing spaces.
  /// - Parameter width: The width of the terminal, which no line may exceed; nil for no limit.
  func lines(fitting width: Int? = nil) -> [String] {
    let natural = columns.indices.map { column in
      rows.reduce(columns[column].title.displayWidth) { max($0, $1[column].displayWidth) }
    }
    let all = Array(columns.indices)
    guard let width, Self.total(all.map { natural[$0] }) > width else { return lines(all, natural, within: nil) }
    // Drop empty columns first, then move sentences below their rows.
    let filled = all.filter { column in rows.contains { !$0[column].isEmpty } }
    if Self.total(filled.map { natural[$0] }) <= width { return lines(filled, natural, within: width) }
    let shown = filled.filter { columns[$0].shortening != .belowRow }
    return lines(shown, widths(of: shown, natural, within: width), within: width)
  }

  private func lines(_ shown: [Int], _ widths: [Int], within width: Int?) -> [String] {
    var lines = [line(columns.map(\.title), shown, widths, within: width)]
    for row in rows {
      lines.append(line(row, shown, widths, within: width))
      guard let width else { continue }
      for column in columns.indices where columns[column].shortening == .belowRow && !shown.contains(column) {
        lines += row[column].folded(to: width - 2).map { "  \($0)" }
      }
    }
    return lines
  }

  private func line(_ cells: [String], _ shown: [Int], _ widths: [Int], within width: Int?) -> String {
    let line = shown.map { column in
      let text = cells[column]
      return (columns[column].cutsStart ? text.cutAtStart(to: widths[column]) : text.cut(to: widths[column]))
        .padded(to: widths[column], columns[column].alignment)
    }.joined(separator: "  ")
    let trimmed = String(line.reversed().drop { $0 == " " }.reversed())
    return width.map { trimmed.cut(to: $0) } ?? trimmed
  }

  /// Returns widths that fit. The widest columns that can be cut are shortened first; file names, which differ most,
  /// may be twice as wide as others.
  private func widths(of shown: [Int], _ natural: [Int], within width: Int) -> [Int] {
    let least = columns.indices.map { column in
      switch columns[column].shortening {
      case .never, .belowRow: natural[column]
      case .atEnd(let least), .atStart(let least): min(least, natural[column])
      }
    }
    var widths = least
    // Widen column by column until the space is used up.
    var room = width - Self.total(shown.map { least[$0] })
    let share = { (column: Int) in columns[column].cutsStart ? widths[column] / 2 : widths[column] }
    while room > 0, let narrowest = shown.filter({ widths[$0] < natural[$0] }).min(by: { share($0) < share($1) }) {
      widths[narrowest] += 1
      room -= 1
    }
    return widths
  }

  private static func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + 2 * max(0, widths.count - 1) }
}

extension Console {
  /// Prints a table, cut to the width of the terminal.
  func print(_ table: Table) { table.lines(fitting: columns).forEach { print($0) } }
}

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
