import Foundation

/// Tables as text (RFC 4180): columns separated by commas, semicolons or tabs, with headings in the first row.
struct DelimitedPlaces: PlaceFormat {
  let name = "CSV"

  /// Accepts any text except XML: the headings will show whether it is a table.
  func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    let first = head.first { !" \t\r\n".utf8.contains($0) }
    return !head.isEmpty && !head.contains(0) && first != UInt8(ascii: "<")
  }

  func read(_ bytes: inout ByteStream, _ take: (ImportedPlace) throws -> Void) throws {
    let head = try bytes.head()
    let stated = DelimitedRecords.statedDelimiter(of: head)
    var records = DelimitedRecords(delimiter: stated ?? DelimitedRecords.delimiter(of: head))
    if stated != nil { _ = try records.next(&bytes) }
    guard let headings = try records.next(&bytes) else { throw GeoIndexError(.badFile, "the file is empty") }
    let fields = headings.map { String(validating: $0, as: UTF8.self).flatMap { PlaceField($0) } }
    guard fields.contains(.name),
      fields.contains(.position) || fields.contains(.latitude) && fields.contains(.longitude)
    else {
      let found = headings.prefix(20).map { String(decoding: $0, as: UTF8.self) }.joined(separator: ", ")
      throw GeoIndexError(
        .badFile, "the first row must name the columns, among them name, latitude and longitude; it has: \(found)")
    }
    while let record = try records.next(&bytes) {
      let entry = "row \(records.row)"
      // Skip empty lines.
      if record.allSatisfy(\.isEmpty) { continue }
      guard record.count <= fields.count || record[fields.count...].allSatisfy(\.isEmpty) else {
        try take(.bad(entry: entry, why: "it has \(record.count) columns, the first row \(fields.count)"))
        continue
      }
      var (draft, isText) = (PlaceDraft(), true)
      for (field, value) in zip(fields, record) {
        guard let field else { continue }
        guard let text = String(validating: value, as: UTF8.self) else {
          isText = false
          break
        }
        draft[field] = text
      }
      try take(
        isText ? .place(draft, entry: entry) : .bad(entry: entry, why: "it is not UTF-8: save the file as UTF-8"))
    }
  }
}

/// The rows of a table.
struct DelimitedRecords {
  private let delimiter: UInt8
  /// The number of the last row; the headings are row 1. A line end within quotes does not end a row, as in a
  /// spreadsheet.
  private(set) var row = 0
  private var follows: UInt8?

  private static let longest = 1 << 20
  private static let quote = UInt8(ascii: "\"")

  init(delimiter: UInt8) { self.delimiter = delimiter }

  /// Returns the delimiter that a line `sep=;` before the headings specifies, as used by Excel.
  static func statedDelimiter(of head: ArraySlice<UInt8>) -> UInt8? {
    let line = head.prefix { $0 != 0x0A && $0 != 0x0D }
    return line.count == 5 && line.starts(with: "sep=".utf8) ? line.last : nil
  }

  /// Returns the most frequent of tab, semicolon and comma in the first line.
  static func delimiter(of head: ArraySlice<UInt8>) -> UInt8 {
    let line = head.prefix { $0 != 0x0A && $0 != 0x0D }
    func count(_ byte: UInt8) -> Int { line.count { $0 == byte } }
    return [0x09, UInt8(ascii: ";"), UInt8(ascii: ",")].max { count($0) < count($1) } ?? UInt8(ascii: ",")
  }

  /// Returns the fields of the next row; nil at the end.
  mutating func next(_ bytes: inout ByteStream) throws(GeoIndexError) -> [[UInt8]]? {
    var (fields, field, length) = ([[UInt8]](), [UInt8](), 0)
    var (isQuoted, wasQuoted) = (false, false)
    guard var byte = try take(&bytes) else { return nil }
    row += 1
    while true {
      length += 1
      guard length <= Self.longest else {
        throw GeoIndexError(.badFile, "row \(row) is longer than a megabyte: a quotation mark may be missing")
      }
      switch byte {
      case Self.quote where isQuoted:
        // Two quotation marks denote one; a single one ends the field.
        isQuoted = false
        wasQuoted = true
      case Self.quote where wasQuoted:
        field.append(byte)
        (isQuoted, wasQuoted) = (true, false)
      case Self.quote where field.isEmpty: isQuoted = true
      case _ where isQuoted: field.append(byte)
      case delimiter:
        fields.append(field)
        (field, wasQuoted) = ([], false)
      case 0x0A, 0x0D:
        if byte == 0x0D, let after = try bytes.next(), after != 0x0A { follows = after }
        return fields + [field]
      default: field.append(byte)
      }
      guard let following = try take(&bytes) else { break }
      byte = following
    }
    guard !isQuoted else { throw GeoIndexError(.badFile, "the quotation mark in row \(row) is never closed") }
    return fields + [field]
  }

  private mutating func take(_ bytes: inout ByteStream) throws(GeoIndexError) -> UInt8? {
    if let byte = follows {
      follows = nil
      return byte
    }
    return try bytes.next()
  }
}
