/// Records of a table in text: RFC 4180, or with semicolons or tabs for its commas.
package struct DelimitedText {
  /// A record, and the line that it begins in, counted from 1.
  package struct Record {
    package let line: Int
    /// As they stand there, without the quotation marks round them.
    package let fields: [[UInt8]]
  }

  /// What stands between two fields: of the first line's marks the one that makes most columns.
  package let separator: UInt8
  private let bytes: [UInt8]
  private var at = 0
  private var line = 1

  private static let (quote, lineFeed, carriageReturn) = (UInt8(ascii: "\""), UInt8(0x0A), UInt8(0x0D))

  /// `bytes` in UTF-8, or names in other bytes.
  package init(_ bytes: [UInt8]) {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let heading = bytes[start...].prefix { $0 != DelimitedText.lineFeed && $0 != DelimitedText.carriageReturn }
    let marks = [UInt8](",;\t".utf8).map { mark in (mark, count: heading.count { $0 == mark }) }
    separator = marks.max { $0.count < $1.count }?.0 ?? UInt8(ascii: ",")
    self.bytes = bytes
    at = start
  }

  /// The next record; empty lines are none. Nil at the end.
  /// - Throws: `.malformed` where a field goes on behind its closing quotation mark, or never closes.
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
    // Quotation marks count only where a field begins: `48 deg 51' 24.00" N` is written bare, too.
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
