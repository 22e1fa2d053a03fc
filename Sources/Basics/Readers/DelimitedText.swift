/// A reader of table records in text: RFC 4180, or with semicolons or tabs instead of commas.
///
/// A quotation mark counts only at the start of a field, also after blanks: `48 deg 51' 24.00" N` also occurs unquoted.
/// Text after a closing quotation mark belongs to the field as it is, so that a stray mark never swallows the next
/// columns. A first line `sep=;`, as Excel writes it, states the separator.
package struct DelimitedText {
  /// A record of the table.
  package struct Record {
    /// The number of the line in which it begins, counted from 1.
    package let line: Int
    /// The number of the row, counted from 1, as a spreadsheet shows it: empty rows count, line ends in fields don't.
    package let row: Int
    /// The position in the text, in bytes.
    package let offset: Int
    /// Whether a line end follows.
    package let isWhole: Bool
    /// The fields as written, without enclosing quotation marks.
    package let fields: [[UInt8]]
  }

  /// The separator of fields: the stated one, otherwise the most frequent of tab, comma and semicolon in the first line
  /// that isn't empty.
  package let separator: UInt8
  private var input: InputWindow
  private let quotesSpanLines: Bool
  private var line = 1
  private var row = 1

  /// The largest size of a record in bytes.
  private static let longest = 16 << 20
  /// The largest number of fields in a record: as many as a spreadsheet has columns.
  private static let mostFields = 16_384
  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed: UInt8 = 0x0A
  private static let carriageReturn: UInt8 = 0x0D

  /// Creates a reader of text in UTF-8, or in another encoding that extends ASCII.
  ///
  /// - Parameter quotesSpanLines: Whether a field in quotation marks may contain line ends. If not, the line's end closes
  ///   it, so that a file that a logger left incomplete loses one line only.
  package init(_ input: InputWindow, quotesSpanLines: Bool = true) {
    self.input = input
    self.quotesSpanLines = quotesSpanLines
    let first = input.head.drop { Self.isLineEnd($0) }.prefix { !Self.isLineEnd($0) }
    if first.count == 5, first.starts(with: "sep=".utf8), let stated = first.last {
      separator = stated
      let lineEnds = input.head.prefix { Self.isLineEnd($0) }
      let after = input.head.dropFirst(lineEnds.count + first.count)
      line += Self.lineCount(lineEnds) + 1
      row = line
      self.input.at += lineEnds.count + first.count + (after.starts(with: [0x0D, 0x0A]) ? 2 : after.isEmpty ? 0 : 1)
    } else {
      separator = Self.separator(in: first)
    }
  }

  /// Creates a reader of a text in memory.
  package init(_ bytes: [UInt8], quotesSpanLines: Bool = true) {
    var input = InputWindow(bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { input.at = 3 }
    self.init(input, quotesSpanLines: quotesSpanLines)
  }

  /// The position in the text of the next record, in bytes.
  package var position: Int { input.position }

  /// Returns the next record, skipping empty lines; nil at the end.
  ///
  /// - Throws: `.malformed` if a quotation mark is never closed, or a record is longer than 16 MiB or has more than
  ///   16,384 fields.
  package mutating func next() throws(FileError) -> Record? {
    var wanted = 1 << 12
    while true {
      try input.fill(wanted)
      guard input.remaining > 0 else { return nil }
      if let found = try scan() {
        let record = Record(
          line: line, row: row, offset: input.position, isWhole: found.lineEnd > 0, fields: found.fields)
        input.at = found.end + found.lineEnd
        line += found.lines
        row += 1
        wanted = 1 << 12
        if found.fields != [[]] { return record }
        continue
      }
      guard !input.isComplete else {
        throw FileError(.malformed, "line \(line): unterminated quoted field", at: input.position)
      }
      guard input.remaining < Self.longest else {
        throw FileError(
          .malformed, "row \(row) exceeds 16 MB; a closing quotation mark may be missing", at: input.position)
      }
      wanted = input.remaining * 2
    }
  }

  /// Scans the record at the beginning of the window; returns nil if it doesn't end in the window.
  ///
  /// - Returns: The fields, the index of the record's end, the size of the line end that follows, and the number of line
  ///   ends in and after the record.
  private func scan() throws(FileError) -> (fields: [[UInt8]], end: Int, lineEnd: Int, lines: Int)? {
    let bytes = input.bytes
    var fields: [[UInt8]] = []
    var lines = 1
    var at = input.at
    while true {
      guard let field = field(in: bytes, at: &at, lines: &lines) else { return nil }
      guard fields.count < Self.mostFields else {
        throw FileError(.malformed, "row \(row) has more than \(Self.mostFields) columns", at: input.position)
      }
      fields.append(field)
      guard at < bytes.count else { return input.isComplete ? (fields, at, 0, lines) : nil }
      if bytes[at] == separator {
        at += 1
        continue
      }
      guard bytes[at] == Self.carriageReturn else { return (fields, at, 1, lines) }
      guard at + 1 < bytes.count || input.isComplete else { return nil }
      let isPair = at + 1 < bytes.count && bytes[at + 1] == Self.lineFeed
      return (fields, at, isPair ? 2 : 1, lines)
    }
  }

  /// Scans a field up to the separator or line end behind it, or to the end of the window; returns nil if a quotation
  /// mark isn't closed in the window.
  private func field(in bytes: [UInt8], at: inout Int, lines: inout Int) -> [UInt8]? {
    let start = at
    var end = start
    func endsField(_ index: Int) -> Bool { bytes[index] == separator || Self.isLineEnd(bytes[index]) }
    while end < bytes.count, bytes[end] == 0x20 { end += 1 }
    guard end < bytes.count, bytes[end] == Self.quote, separator != 0x20 else {
      while end < bytes.count, !endsField(end) { end += 1 }
      at = end
      return Array(bytes[start..<end])
    }
    var field: [UInt8] = []
    end += 1
    while end < bytes.count {
      let byte = bytes[end]
      if byte == Self.quote {
        guard end + 1 < bytes.count, bytes[end + 1] == Self.quote else {
          guard end + 1 < bytes.count || input.isComplete else { return nil }
          let rest = end + 1
          end = rest
          while end < bytes.count, !endsField(end) { end += 1 }
          at = end
          return field + bytes[rest..<end]
        }
        end += 1
      } else if Self.isLineEnd(byte) {
        if !quotesSpanLines { break }
        if byte == Self.lineFeed { lines += 1 }
      }
      field.append(byte)
      end += 1
    }
    guard !quotesSpanLines, end < bytes.count || input.isComplete else { return nil }
    at = end
    return field
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == lineFeed || byte == carriageReturn }

  private static func lineCount(_ lineEnds: ArraySlice<UInt8>) -> Int {
    zip(lineEnds, lineEnds.dropFirst() + [0]).count { $0 == lineFeed || $1 != lineFeed }
  }

  /// Returns the separator that is most frequent outside quotation marks. If two are equally frequent, it is the one that
  /// is less often followed by a blank, as a comma in a heading is: `name;lat, lon`.
  private static func separator(in heading: ArraySlice<UInt8>) -> UInt8 {
    var isQuoted = false
    var counts: [UInt8: (all: Int, tight: Int)] = [:]
    for index in heading.indices {
      let byte = heading[index]
      if byte == quote { isQuoted.toggle() }
      guard !isQuoted, byte == 0x09 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") else { continue }
      let isTight = index + 1 < heading.endIndex && heading[index + 1] != 0x20
      counts[byte, default: (0, 0)].all += 1
      if isTight { counts[byte, default: (0, 0)].tight += 1 }
    }
    let candidates = [0x09, UInt8(ascii: ","), UInt8(ascii: ";")]
    return candidates.filter { counts[$0] != nil }.max { (counts[$0] ?? (0, 0)) < (counts[$1] ?? (0, 0)) }
      ?? UInt8(ascii: ",")
  }
}
