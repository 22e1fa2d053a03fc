/// A reader of table records in text: RFC 4180, or with semicolons or tabs instead of commas.
package struct DelimitedText {
  /// A record, and the number of the line in which it begins, starting at 1.
  package struct Record {
    package let line: Int
    /// The fields as written, without enclosing quotation marks.
    package let fields: [[UInt8]]
  }

  /// The field separator: of comma, semicolon and tab, the one that occurs most often in the first line.
  package let separator: UInt8
  private let bytes: [UInt8]
  private var at = 0
  private var line = 1

  private static let (quote, lineFeed, carriageReturn) = (UInt8(ascii: "\""), UInt8(0x0A), UInt8(0x0D))

  /// Creates a reader of `bytes`: UTF-8, or another encoding that extends ASCII.
  package init(_ bytes: [UInt8]) {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let heading = bytes[start...].prefix { $0 != DelimitedText.lineFeed && $0 != DelimitedText.carriageReturn }
    let marks = [UInt8](",;\t".utf8).map { mark in (mark, count: heading.count { $0 == mark }) }
    separator = marks.max { $0.count < $1.count }?.0 ?? UInt8(ascii: ",")
    self.bytes = bytes
    at = start
  }

  /// Returns the next record, skipping empty lines; nil at the end.
  ///
  /// - Throws: `.malformed` if a field continues after its closing quotation mark, or never closes.
  package mutating func next() throws(FileError) -> Record? {
    while at < bytes.count {
      let first = line
      var fields = [try field()]
      while at < bytes.count, bytes[at] == separator {
        at += 1
        fields.append(try field())
      }
      endLine()
      if fields != [[]] { return Record(line: first, fields: fields) }
    }
    return nil
  }

  private mutating func endLine() {
    if at < bytes.count, bytes[at] == DelimitedText.carriageReturn { at += 1 }
    if at < bytes.count, bytes[at] == DelimitedText.lineFeed { at += 1 }
    line += 1
  }

  private var endsField: Bool {
    at == bytes.count || [separator, DelimitedText.lineFeed, DelimitedText.carriageReturn].contains(bytes[at])
  }

  private mutating func field() throws(FileError) -> [UInt8] {
    let start = at
    // Quotation marks count only at the start of a field: `48 deg 51' 24.00" N` also occurs unquoted.
    guard at < bytes.count, bytes[at] == DelimitedText.quote else {
      while !endsField { at += 1 }
      return Array(bytes[start..<at])
    }
    let opened = line
    var field: [UInt8] = []
    at += 1
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      if byte == DelimitedText.lineFeed { line += 1 }
      guard byte == DelimitedText.quote else {
        field.append(byte)
        continue
      }
      if at < bytes.count, bytes[at] == DelimitedText.quote {
        field.append(byte)
        at += 1
      } else {
        guard endsField else {
          throw FileError(.malformed, "line \(line): a field goes on behind its closing quotation mark", at: at)
        }
        return field
      }
    }
    throw FileError(.malformed, "line \(opened): a quotation mark is never closed", at: start)
  }
}
