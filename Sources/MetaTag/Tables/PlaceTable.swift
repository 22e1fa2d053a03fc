package import SystemPackage

/// A table of photos with their locations and dates: CSV as written by exiftool's `-csv` and by metatag, or any other
/// whose headings identify its columns.
///
/// The hemisphere of a position is never guessed: a column of degrees without signs, letters or a column of references
/// is refused, since nothing distinguishes north from south in it.
package struct PlaceTable: Sendable {
  /// A row of the table.
  package struct Row: Sendable {
    /// The number of the row's first line, counted from 1.
    package let line: Int
    /// The photo's name as in the table.
    package let name: FilePath
    /// The row's values, or why they can't be used.
    package let content: Result<TableEntry, TableFailure>
  }

  /// The rules for reading ambiguous values.
  package struct Rules: Hashable, Sendable {
    /// Whether degrees without sign or letter are north and east.
    package var isSigned = false
    /// Whether the position 0, 0 is a place. By default it is what devices write without a fix.
    package var allowsZero = false

    /// Creates the default rules: ambiguous values are refused.
    package init() {}
  }

  /// The rows in the order of the file.
  package let rows: [Row]
  /// Notes about values that were left out, with the reasons.
  package let notes: [String]
  private static let mostBytes = 1 << 30

  /// Reads a table, in UTF-8 or UTF-16.
  /// - Throws: `FileError` when it can't be read, isn't a table, has no column of names or no data about photos, or has
  ///   degrees whose hemisphere isn't recorded.
  package init(_ path: FilePath, rules: Rules = Rules()) throws(FileError) {
    let source = try FileSource(path)
    guard source.count <= PlaceTable.mostBytes else {
      throw FileError(.tooLarge, "the table is too large")
    }
    try self.init(InputWindow(SourceStream(source), inflates: false), rules: rules)
  }

  /// Reads a table from memory.
  package init(bytes: [UInt8], rules: Rules = Rules()) throws(FileError) {
    try self.init(InputWindow(SourceStream(Bytes(bytes)), inflates: false), rules: rules)
  }

  private init(_ input: InputWindow, rules: Rules) throws(FileError) {
    var text = DelimitedText(input)
    // File names may contain any bytes except zero.
    guard !input.head.prefix(4_096).contains(0) else { throw FileError(.notTable, "is not a table", at: 0) }
    guard let heading = try text.next() else { throw FileError(.truncated, "the table is empty", at: 0) }
    let columns = try TableColumns(heading.fields)
    var drafts: [TableDraft] = []
    var nameless: [String] = []
    while let record = try text.next() {
      guard record.offset <= PlaceTable.mostBytes else {
        throw FileError(.tooLarge, "the table is too large")
      }
      if let draft = TableDraft(record, columns, hasDecimalCommas: text.separator != UInt8(ascii: ",")) {
        drafts.append(draft)
      } else {
        nameless.append("line \(record.line) has no photo name")
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

/// The meaning of degrees without sign or letter in a table.
struct Hemispheres {
  let latitudesAreSigned: Bool
  let longitudesAreSigned: Bool

  /// Determines whether bare numbers are signed. They are if other numbers of the column, or of the other column, have
  /// a sign. If a column has letters or references, a number without one is incomplete. Decimal degrees under the plain
  /// headings `latitude` and `longitude` are signed by convention.
  /// - Throws: `.refused` when all numbers of another column are bare: they may be signed and positive, or have lost
  ///   their letters.
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
        .unsignedCoordinates,
        "the column '\(title)' doesn't distinguish \(words): no signs, no letters, no reference column",
        remedy: .declareSigns)
    }
  }

  /// The notation of a column.
  private struct Custom {
    let hasLetters, hasSigns, hasBare, isDecimal: Bool

    init(_ angles: [TableAngle]) {
      hasLetters = angles.contains(where: \.hasLetter)
      hasSigns = angles.contains { !$0.hasLetter && $0.isSigned }
      hasBare = angles.contains { $0.isNegative == nil }
      isDecimal = angles.allSatisfy(\.isDecimal)
    }

    /// Whether bare numbers are signed. A program that writes signs in one column writes them in the other.
    func areSigned(beside other: Custom) -> Bool { !hasLetters && (hasSigns || other.hasSigns && !other.hasLetters) }
  }
}
