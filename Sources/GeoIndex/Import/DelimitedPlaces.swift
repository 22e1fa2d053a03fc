import Basics

/// Tables as text (RFC 4180): columns separated by commas, semicolons or tabs, with headings in the first row.
struct DelimitedPlaces: PlaceFormat {
  let name = "CSV"

  /// Accepts any text except XML: the headings will show whether it is a table.
  func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    let first = head.first { !" \t\r\n".utf8.contains($0) }
    return !head.isEmpty && !head.contains(0) && first != UInt8(ascii: "<")
  }

  func read(_ file: PlaceFile, _ take: (ImportedPlace) throws -> Void) throws {
    var text = DelimitedText(file.window)
    guard let headings = try text.next()?.fields else { throw GeoIndexError(.badFile, "the file is empty") }
    var fields = headings.map { String(validating: $0, as: UTF8.self).flatMap { PlaceField($0) } }
    // Some tables have a name in each language, and none that is the name.
    if !fields.contains(.name) {
      let named = fields.firstIndex(of: .alternateNames("en")) ?? fields.firstIndex { $0?.language != nil }
      if let named { fields[named] = .name }
    }
    guard fields.contains(.name),
      fields.contains(.position) || fields.contains(.latitude) && fields.contains(.longitude)
    else {
      let found = headings.prefix(20).map { Self.shown($0) }.joined(separator: ", ")
      throw GeoIndexError(
        .badFile, "the first row must name the columns, among them name, latitude and longitude; it has: \(found)")
    }
    var seen: Set<[UInt8]> = []
    for (column, heading) in headings.enumerated() where !seen.insert(heading).inserted {
      guard let field = fields[column], !field.isAlternateNames else { continue }
      throw GeoIndexError(.badFile, "two columns are named '\(Self.shown(heading))': remove one of them")
    }
    while let row = try text.next() {
      let (record, entry) = (row.fields, "row \(row.row)")
      // Skip rows of separators only.
      if record.allSatisfy(\.isEmpty) { continue }
      guard record.count <= fields.count || record[fields.count...].allSatisfy(\.isEmpty) else {
        try take(.bad(entry: entry, why: "it has \(record.count) columns, but the first row has \(fields.count)"))
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
        isText ? .place(draft, entry: entry) : .bad(entry: entry, why: "it is not valid UTF-8"))
    }
  }

  /// Returns a heading for a message.
  private static func shown(_ heading: [UInt8]) -> String {
    let text = String(decoding: heading.prefix(200), as: UTF8.self)
    return text.count > 40 ? "\(text.prefix(40))…" : text
  }
}
