package import SystemPackage

/// A table of photos and where, and when, they were taken: CSV as exiftool's `-csv` and metatag write it, and any other
/// whose headings say what its columns are.
///
/// A hemisphere can't get lost: a column of degrees without signs, letters or a column of references is refused, as
/// nothing tells north from south in it.
package struct PlaceTable: Sendable {
  /// A row.
  package struct Row: Sendable {
    /// The line in which it begins, counted from 1.
    package let line: Int
    /// The photo's name as it stands there.
    package let name: FilePath
    /// What it says, or why that can't be used.
    package let content: Result<TableEntry, TableFailure>
  }

  /// How doubtful values are read.
  package struct Rules: Hashable, Sendable {
    /// Degrees without sign or letter are north and east.
    package var isSigned = false
    /// The position 0, 0 is a place, and not what devices write without a fix.
    package var allowsZero = false

    /// Doubtful values are refused.
    package init() {}
  }

  /// In the order of the file.
  package let rows: [Row]
  /// What a reader should know: values that were left out, and why.
  package let notes: [String]
  private static let mostBytes = 1 << 30

  /// Reads a table, in UTF-8 or UTF-16.
  /// - Throws: `FileError` when it can't be read, isn't a table, has no column of names or nothing about photos, or
  ///   has degrees whose hemisphere is lost.
  package init(_ path: FilePath, rules: Rules = Rules()) throws(FileError) {
    let source = try FileSource(path)
    guard source.count <= PlaceTable.mostBytes else {
      throw FileError(.tooLarge, "is longer than any table of photos")
    }
    let head = try source.prefix(at: 0, count: 4).array
    var stream: any ByteStream = SourceStream(source)
    stream = UTF8Stream(stream, head: head) ?? stream
    var bytes: [UInt8] = []
    while let piece = try stream.next() { bytes += piece }
    try self.init(bytes: bytes, rules: rules)
  }

  /// Reads the content of a table.
  init(bytes: [UInt8], rules: Rules = Rules()) throws(FileError) {
    var text = DelimitedText(bytes)
    // Names of files may have any other bytes.
    guard !bytes.prefix(4_096).contains(0) else { throw FileError(.unsupported, "is no table", at: 0) }
    guard let heading = try text.next() else { throw FileError(.truncated, "the table is empty", at: 0) }
    let columns = try TableColumns(heading.fields)
    var drafts: [TableDraft] = []
    var nameless: [String] = []
    while let record = try text.next() {
      if let draft = TableDraft(record, columns, hasDecimalCommas: text.separator != UInt8(ascii: ",")) {
        drafts.append(draft)
      } else {
        nameless.append("line \(record.line) names no photo")
      }
    }
    let hemispheres = try Hemispheres(of: drafts, in: columns, rules)
    rows = drafts.map { draft in
      let content = Result { () throws(TableFailure) in try draft.entry(hemispheres, rules) }
      return Row(line: draft.line, name: FilePath(bytes: draft.name), content: content)
    }
    notes = nameless + TableDraft.notes(on: drafts, in: columns)
  }
}

/// What degrees without sign or letter mean in a table.
struct Hemispheres {
  let latitudesAreSigned: Bool
  let longitudesAreSigned: Bool

  /// Numbers whose neighbours have a sign are signed themselves; where letters or references are the custom, one
  /// without lacks its own.
  /// Decimal degrees under the plain headings `latitude` and `longitude` are signed by custom.
  /// - Throws: `.refused` when all of another column are bare: signed and positive, or robbed of their letters.
  init(of drafts: [TableDraft], in columns: TableColumns, _ rules: PlaceTable.Rules) throws(FileError) {
    guard !rules.isSigned, !columns.isOwn else {
      (latitudesAreSigned, longitudesAreSigned) = (true, true)
      return
    }
    let latitudes = Custom(drafts.compactMap(\.latitude))
    let longitudes = Custom(drafts.compactMap(\.longitude))
    if columns.areSignedByCustom, [latitudes, longitudes].allSatisfy({ $0.isDecimal && !$0.hasLetters }) {
      (latitudesAreSigned, longitudesAreSigned) = (true, true)
      return
    }
    (latitudesAreSigned, longitudesAreSigned) = (
      latitudes.areSigned(beside: longitudes), longitudes.areSigned(beside: latitudes)
    )
    for (custom, areSigned, role) in [
      (latitudes, latitudesAreSigned, TableColumns.Role.latitude),
      (longitudes, longitudesAreSigned, .longitude),
    ] where custom.hasBare && !custom.hasLetters && !areSigned {
      let words = role == .latitude ? "north from south" : "east from west"
      let title = columns.title(columns.title(role).isEmpty ? .position : role)
      throw FileError(
        .refused,
        "nothing in the column '\(title)' tells \(words): neither signs, nor letters, nor a column of references. If they "
          + "are signed, and all happen to be north and east, say --signed; exiftool's -c %+.7f writes signs")
    }
  }

  /// How the values of a column are written.
  private struct Custom {
    let hasLetters, hasSigns, hasBare, isDecimal: Bool

    init(_ angles: [TableAngle]) {
      hasLetters = angles.contains(where: \.hasLetter)
      hasSigns = angles.contains { !$0.hasLetter && $0.isSigned }
      hasBare = angles.contains { $0.isNegative == nil }
      isDecimal = angles.allSatisfy(\.isDecimal)
    }

    /// Who writes signs in one column writes them in the other.
    func areSigned(beside other: Custom) -> Bool { !hasLetters && (hasSigns || other.hasSigns && !other.hasLetters) }
  }
}
