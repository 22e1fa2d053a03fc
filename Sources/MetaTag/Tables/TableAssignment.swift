import Glibc
package import SystemPackage

/// The assignment of a table's rows to photos.
///
/// A row names a file by its path, relative to the table's folder or to the working directory. If that file doesn't
/// exist, the file name alone decides, provided that only one photo has it: the table may come from another computer.
package struct TableAssignment: Sendable {
  /// A row that belongs to no photo of the run.
  package struct UnmatchedRow: Sendable {
    /// The row.
    package let row: PlaceTable.Row
    /// Whether several photos have the row's file name.
    package let isAmbiguous: Bool
  }

  /// The photos that were named, otherwise those of the rows.
  package let inputs: [Walk.Input]
  private let table: PlaceTable
  private let rows: [Walk.FileID: [PlaceTable.Row]]
  /// The reasons why a file's rows can't be assigned to it.
  private let doubts: [Walk.FileID: TableFailure]
  /// The lines whose file name several photos have.
  private let ambiguous: Set<Int>

  /// Finds the rows of `photos`; without `photos`, the photos of the rows.
  /// - Parameter folder: The folder of the table.
  package init(_ table: PlaceTable, photos: [Walk.Input]? = nil, folder: FilePath) {
    var inputs: [Walk.Input] = photos ?? []
    var (rows, doubts): ([Walk.FileID: [PlaceTable.Row]], [Walk.FileID: TableFailure]) = ([:], [:])
    var known = Set(inputs.compactMap(\.id))
    var lost: [PlaceTable.Row] = []
    var names = ListedNames()
    for row in table.rows {
      let files = NamedFile.all(of: row.name, folder, &names)
      if files.isEmpty {
        lost.append(row)
        guard photos == nil else { continue }
        inputs.append(Walk.Input(path: row.name, failure: FileError(errno: ENOENT, doing: "find it")))
      }
      let given = photos == nil ? [] : files.filter { known.contains($0.id) }
      let meant = given.isEmpty ? files : given
      for file in meant {
        rows[file.id, default: []].append(row)
        if meant.count > 1 { doubts[file.id] = .severalFiles(line: row.line) }
        guard photos == nil, known.insert(file.id).inserted else { continue }
        inputs.append(Walk.Input(path: file.path, failure: nil, id: file.id))
      }
    }
    let exact = rows
    let namesakes = Dictionary(grouping: inputs.filter { $0.id != nil }) { $0.path.lastComponent?.bytes ?? [] }
    var ambiguous: Set<Int> = []
    for row in lost where photos != nil {
      let found = namesakes[row.name.nameAlone] ?? []
      if found.count > 1 { ambiguous.insert(row.line) }
      guard let id = found.first?.id, found.count == 1, exact[id] == nil else { continue }
      rows[id, default: []].append(row)
    }
    (self.table, self.inputs, self.rows, self.doubts, self.ambiguous) = (table, inputs, rows, doubts, ambiguous)
  }

  /// Returns the rows that belong to none of the named photos, in the order of the table.
  package func orphans(to photos: [Photo]) -> [UnmatchedRow] {
    let used = Set(photos.flatMap(ids).flatMap { rows[$0] ?? [] }.map(\.line))
    return table.rows.filter { !used.contains($0.line) }
      .map { UnmatchedRow(row: $0, isAmbiguous: ambiguous.contains($0.line)) }
  }

  private func ids(of photo: Photo) -> [Walk.FileID] {
    [photo.input.id].compactMap(\.self) + photo.companions.compactMap { Walk.FileID(at: $0.path, S_IFREG) }
  }
}

extension TableAssignment {
  /// Returns a planner with the table's values for a photo. The table's rows for files of one photo must agree about
  /// the position.
  package func planner(for photo: Photo) -> TablePlanner {
    TablePlanner(Result { () throws(TableFailure) in try entry(for: photo) })
  }

  private func entry(for photo: Photo) throws(TableFailure) -> TableEntry {
    var entries: [TableEntry] = []
    for id in ids(of: photo) { if let entry = try entry(for: id) { entries.append(entry) } }
    guard let entry = entries.first else { throw .notListed }
    // Compare positions only, and within rounding: a movie rounds its position and has a clock of its own.
    guard entries.dropFirst().allSatisfy({ $0.isAtSamePlace(as: entry) }) else {
      throw .severalRows(entries.map(\.line))
    }
    return entry
  }

  /// Returns the values for one file; nil if it has no row. Several rows must have the same values.
  private func entry(for id: Walk.FileID) throws(TableFailure) -> TableEntry? {
    if let doubt = doubts[id] { throw doubt }
    guard let rows = rows[id], let first = rows.first else { return nil }
    for row in rows.dropFirst() where !row.says(asMuchAs: first) { throw .severalRows(rows.map(\.line)) }
    return try first.content.get()
  }
}

extension TableEntry {
  fileprivate func isAtSamePlace(as other: TableEntry) -> Bool {
    guard let coordinate, let others = other.coordinate else { return coordinate == other.coordinate }
    return coordinate.isSame(as: others)
  }
}

extension PlaceTable.Row {
  fileprivate func says(asMuchAs other: PlaceTable.Row) -> Bool {
    guard case .success(let entry) = content, case .success(let others) = other.content else { return false }
    return entry.says(asMuchAs: others)
  }
}

/// A file that a row may name.
private struct NamedFile {
  let path: FilePath
  let id: Walk.FileID

  /// Returns the existing files that `name` may denote, relative to the working directory and to the table's folder.
  static func all(of name: FilePath, _ folder: FilePath, _ names: inout ListedNames) -> [NamedFile] {
    let paths = name.isAbsolute || folder.isEmpty ? [name] : [name, folder.pushing(name)]
    var places: [NamedFile] = []
    for path in paths {
      let path = names.path(of: path)
      guard let id = Walk.FileID(at: path, S_IFREG), !places.contains(where: { $0.id == id }) else { continue }
      places.append(NamedFile(path: path, id: id))
    }
    return places
  }
}

extension FilePath {
  /// The part after the last slash or, without a slash, after the last backslash: tables come from Windows as well.
  fileprivate var nameAlone: [UInt8] {
    let mark = UInt8(ascii: bytes.contains(UInt8(ascii: "/")) ? "/" : "\\")
    return Array(bytes[(bytes.lastIndex(of: mark).map { $0 + 1 } ?? 0)...])
  }
}
