import Basics
import Foundation
import GRDB
import Glibc

/// The files of the imports: an index each, in a folder next to the database.
///
/// An index is written under a new name, and becomes valid when the database names it. Programs that have the former one
/// open keep it.
extension UserPlaces {
  func makeFolder() throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  var isFull: GeoIndexError {
    GeoIndexError(.userPlaces, "there is no space left for your own places in \(folder)")
  }

  /// Writes the index of an import, which replaces an earlier one of the same name.
  /// - Parameter progress: Called with the completed share of the work, 0...1.
  func keep(
    _ places: consuming ImportedPlaces, as source: UserPlaceSource, progress: (Double) -> Void
  ) throws {
    let name = try writeIndex(of: places, progress: progress)
    do {
      let former = try write { db in
        let former = try String.fetchOne(
          db, sql: "SELECT \"index\" FROM source WHERE name = ?", arguments: [source.name])
        try db.execute(sql: "DELETE FROM source WHERE name = ?", arguments: [source.name])
        try Self.insert(source, index: name, into: db)
        return former
      }
      former.map(removeIndex)
    } catch {
      removeIndex(name)
      throw error
    }
    removeUnknownIndexes()
  }

  /// Writes an index.
  /// - Returns: The name of its file.
  private func writeIndex(of places: consuming ImportedPlaces, progress: (Double) -> Void) throws -> String {
    let name = "\(UUID().uuidString).places"
    do {
      try places.write(to: "\(folder)/\(name)") { progress($0) }
      let seal = seal(of: name)
      try seal.write(FileSeal.checksum(seal.files, synchronise: true))
      return name
    } catch {
      removeIndex(name)
      throw error
    }
  }

  private static func insert(_ source: UserPlaceSource, index: String, into db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO source (name, file, format, imported, reach, count, licence, attribution, "index", kind)
        VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?)
        """,
      arguments: [
        source.name, source.file, source.format, Int64(source.imported.timeIntervalSince1970.rounded(.down)),
        source.count, source.terms?.licence, source.terms?.attribution, index, source.kind.rawValue,
      ])
  }

  private func seal(of name: String) -> FileSeal {
    FileSeal(path: "\(folder)/\(name).seal", files: ["\(folder)/\(name)"])
  }

  func removeIndex(_ name: String) { for file in [name, "\(name).seal"] { unlink("\(folder)/\(file)") } }

  /// Removes the files of imports that were interrupted: those that no source names, and that are not being written.
  private func removeUnknownIndexes() {
    let known = try? read { try String.fetchSet($0, sql: "SELECT \"index\" FROM source WHERE \"index\" IS NOT NULL") }
    guard let known, let files = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
    for file in files where !known.contains(file) && !known.contains((file as NSString).deletingPathExtension) {
      var status = stat()
      if stat("\(folder)/\(file)", &status) == 0, time(nil) - status.st_mtim.tv_sec > 86_400 {
        unlink("\(folder)/\(file)")
      }
    }
  }

  /// Opens the indexes of all imports.
  /// - Parameter gazetteer: The index of the gazetteer; nil if they are only read.
  func imports(in gazetteer: PlaceIndex?) throws(GeoIndexError) -> OpenedImports {
    var opened = OpenedImports()
    // An import that is replaced after its name was read is gone: the next attempt reads the new name.
    for _ in 0..<3 {
      let (isComplete, imports) = try allImports(in: gazetteer)
      opened = imports
      if isComplete { break }
    }
    return opened
  }

  private func allImports(
    in gazetteer: PlaceIndex?
  ) throws(GeoIndexError) -> (isComplete: Bool, imports: OpenedImports) {
    let names = try read { db in
      try Row.fetchAll(db, sql: "SELECT name, \"index\" FROM source WHERE \"index\" IS NOT NULL ORDER BY number")
        .map { (source: $0[0] as String, file: $0[1] as String) }
    }
    var (isComplete, imports) = (true, OpenedImports())
    for name in names {
      let (path, seal) = ("\(folder)/\(name.file)", seal(of: name.file))
      if access(path, F_OK) != 0 { isComplete = false }
      if seal.isIntact || seal.isRenewed,
        let index = try? PlaceIndex(contentsOf: path, source: name.source, in: gazetteer)
      {
        imports.indexes.append(index)
      } else {
        imports.damaged.append(name.source)
      }
    }
    return (isComplete, imports)
  }
}

/// The imports of the user's own places.
struct OpenedImports {
  var indexes: [PlaceIndex] = []
  /// The names of those that are missing or damaged.
  var damaged: [String] = []
}

/// The imports of version 0.1.0, whose places are rows of the database.
extension UserPlaces {
  /// Whether no import is left in the tables of places.
  func hasOnlyPins(_ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT NOT EXISTS (SELECT 1 FROM source WHERE name != ? AND \"index\" IS NULL)",
      arguments: [Place.pins]) ?? true
  }

  /// Converts the imports of version 0.1.0.
  func convertImports() throws(GeoIndexError) {
    guard try read({ try !hasOnlyPins($0) }) else { return }
    do {
      try makeFolder()
      // One process converts; others wait.
      try write { db in
        let sources = try Row.fetchAll(
          db,
          sql: """
            SELECT number, name, (SELECT count(*) FROM place WHERE source = number), imported, file, format FROM source
            WHERE name != ? AND "index" IS NULL
            """, arguments: [Place.pins])
        // The other names of a place are looked up one by one.
        try db.execute(sql: "CREATE INDEX namePlace ON name (place)")
        for row in sources {
          let source = UserPlaceSource(
            name: row[1], count: row[2], imported: Date(timeIntervalSince1970: row[3]), file: row[4], format: row[5],
            kind: .own, terms: nil)
          let number: Int64 = row[0]
          let index = try writeIndex(of: Self.places(ofSource: number, source.name, in: db, folder)) { _ in }
          for table in ["name", "place"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE source = ?", arguments: [number])
          }
          try db.execute(
            sql: "UPDATE source SET count = ?, \"index\" = ? WHERE number = ?",
            arguments: [source.count, index, number])
        }
        try db.execute(sql: "DROP INDEX namePlace")
      }
    } catch let error as GeoIndexError {
      throw error
    } catch {
      throw (error as? CocoaError)?.code == .fileWriteOutOfSpace ? isFull : isClosed
    }
  }

  private static func places(
    ofSource number: Int64, _ name: String, in db: Database, _ folder: String
  ) throws -> ImportedPlaces {
    var places = try ImportedPlaces(in: folder)
    let rows = try Row.fetchCursor(
      db, sql: "SELECT \(UserPlaceRow.columns()), ? FROM place WHERE source = ? ORDER BY id", arguments: [name, number])
    let aliases = try db.makeStatement(
      sql: "SELECT DISTINCT alias FROM name WHERE source = ? AND place = ? AND alias IS NOT NULL ORDER BY alias")
    while let row = try rows.next() {
      var place = Place(ownRow: row)
      let names = try String.fetchAll(aliases, arguments: [number, place.id])
      place.importance =
        place.kind == .own
        ? Importance.ofOwnPlace : Importance.of(place.kind, ImportanceFactors(population: place.population))
      _ = try places.add(place, names: names.map { PlaceDraft.Name(text: $0, language: nil) })
    }
    return places
  }
}
