import Foundation
import GRDB

/// The columns of a place in the tables `place` (of the pins) and `recent`.
enum UserPlaceRow {
  private static let all: [(name: String, type: String)] = [
    ("id", "INTEGER PRIMARY KEY"), ("name", "TEXT NOT NULL"), ("kind", "TEXT NOT NULL"),
    ("country", "TEXT NOT NULL"), ("countryName", "TEXT NOT NULL"), ("region", "TEXT"),
    ("latitude", "REAL NOT NULL"), ("longitude", "REAL NOT NULL"), ("population", "INTEGER NOT NULL"),
    ("zone", "TEXT NOT NULL"), ("category", "TEXT"), ("altitude", "REAL"), ("radius", "REAL NOT NULL"),
  ]

  static var count: Int { all.count }

  /// Returns the column names for selecting, creating and inserting.
  static func columns(types: Bool = false, of table: String? = nil) -> String {
    all.map { (table.map { "\($0)." } ?? "") + $0.name + (types ? " \($0.type)" : "") }.joined(separator: ", ")
  }

  static func values(of place: Place) -> [(any DatabaseValueConvertible)?] {
    [
      place.id, place.name, place.kind.rawValue, place.countryCode, place.country, place.admin1, place.latitude,
      place.longitude, place.population, place.timeZone, place.own?.category, place.own?.altitude,
      place.own?.radius ?? 0,
    ]
  }
}

extension Place {
  /// Reads a row of `UserPlaceRow.columns`, followed by the name of its source (nil for the gazetteer).
  /// - Parameter matchedName: The name by which it was found; nil for its own name.
  init(ownRow row: Row, matchedName: String? = nil) {
    let (name, kind, source) = (row[1] as String, row[2] as String, row[UserPlaceRow.count] as String?)
    self.init(
      id: row[0], name: name, matchedName: matchedName ?? name, kind: Kind(rawValue: kind) ?? .own,
      countryCode: row[3], country: row[4], admin1: row[5], latitude: row[6], longitude: row[7],
      population: row[8], timeZone: row[9],
      own: source.map { Own(source: $0, category: row[10], altitude: row[11], radius: row[12]) })
  }
}

/// The numbers of the user's places: they stay the same as long as the source and the place's identity in it do.
enum UserPlaceID {
  /// Returns a number below those of the gazetteer, and exact in JSON numbers, which hold 53 bits.
  static func number(source: String, identity: String) -> Int64 {
    // FNV-1a, with an additional mix of the bits (SplitMix64).
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in Array(source.utf8) + [0x1F] + Array(identity.utf8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
    return -(1 << 52) - Int64(hash >> 12)
  }
}

/// The tables of the user's own places.
enum UserPlaceSchema {
  /// The migrations. `source` lists the imports; `index` is the name of the file with the places. `name` holds the keys of
  /// a pin (`UserPlaceName`).
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { db in
      try db.execute(
        sql: """
          CREATE TABLE source (
            number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, file TEXT NOT NULL, format TEXT NOT NULL,
            imported INTEGER NOT NULL, reach REAL NOT NULL);
          CREATE TABLE place (\(UserPlaceRow.columns(types: true)),
            source INTEGER NOT NULL REFERENCES source, band INTEGER NOT NULL);
          CREATE INDEX position ON place (source, band, longitude);
          CREATE TABLE name (
            source INTEGER NOT NULL, form INTEGER NOT NULL, key BLOB NOT NULL, place INTEGER NOT NULL, alias TEXT,
            PRIMARY KEY (source, form, key, place)) WITHOUT ROWID;
          CREATE TABLE recent (
            \(UserPlaceRow.columns(types: true)), source TEXT, turn INTEGER NOT NULL);
          """)
    }
    // The places of imports are in indexes; `place` has those of pins, and of imports of version 1 until they are converted.
    migrator.registerMigration("2") { db in
      try db.execute(
        sql: """
          ALTER TABLE source ADD COLUMN count INTEGER;
          ALTER TABLE source ADD COLUMN licence TEXT;
          ALTER TABLE source ADD COLUMN attribution TEXT;
          ALTER TABLE source ADD COLUMN "index" TEXT;
          """)
    }
    migrator.registerMigration("3") { try $0.execute(sql: "ALTER TABLE source ADD COLUMN kind TEXT") }
    return migrator
  }()
}

/// The keys under which a user's place is found.
struct UserPlaceName {
  /// The relation of a key to the name.
  enum Form: Int {
    /// The whole name.
    case whole
    /// The name from a later word to the end.
    case word
    /// The whole name, reversed: finds names with an error at the beginning.
    case backwards
  }

  private var folding = Folding()
  private var key = Folding.Key()

  /// The lengths of keys for which misspelled names are searched.
  static let misspelled = 4...64

  /// Calls `body` with each key of `name`, but not at all if the name has no letter or digit.
  mutating func forEachKey(_ name: String, _ body: (Form, [UInt8]) throws -> Void) rethrows {
    folding.fold(name.utf8, into: &key)
    guard !key.bytes.isEmpty else { return }
    try body(.whole, key.bytes)
    for word in key.words.prefix(16) { try body(.word, Array(key.bytes[word...])) }
    if Self.misspelled.contains(key.bytes.count), key.bytes.allSatisfy({ $0 < 0x80 }) {
      try body(.backwards, key.bytes.reversed())
    }
    if let spelled = Folding.spelledOut(name.utf8) {
      folding.fold(spelled, into: &key)
      try body(.whole, key.bytes)
    }
  }

  mutating func key(of name: String) -> [UInt8] { folding.keyBytes(name) }
}

/// Inserts pins.
struct PinInsertion {
  private let source: Int64
  private let db: Database
  private var names = UserPlaceName()

  /// Prepares insertion into the source of the pins, which is created if it doesn't exist.
  init(_ db: Database) throws {
    let name = Place.pins
    try db.execute(
      sql: "INSERT OR IGNORE INTO source (name, file, format, imported, reach) VALUES (?, '', '', 0, 0)",
      arguments: [name])
    guard let number = try UserPlaceSource.number(of: name, in: db) else {
      throw DatabaseError(resultCode: .SQLITE_ERROR)
    }
    (self.db, source) = (db, number)
  }

  mutating func insert(_ new: Place) throws {
    let band = Box.band(latitude: Int((new.latitude * 1e5).rounded(.down)))
    let marks = repeatElement("?", count: UserPlaceRow.count + 2).joined(separator: ", ")
    try db.execute(
      sql: "INSERT OR IGNORE INTO place (\(UserPlaceRow.columns()), source, band) VALUES (\(marks))",
      arguments: StatementArguments(UserPlaceRow.values(of: new) + [source, band]))
    let source = source
    try names.forEachKey(new.name) { form, key in
      try db.execute(
        sql: "INSERT OR IGNORE INTO name VALUES (?, ?, ?, ?, NULL)",
        arguments: [source, form.rawValue, Data(key), new.id])
    }
  }
}
