import GRDB

/// The tables of the user's own places.
enum UserPlaceSchema {
  /// The migrations. Rows are found and removed by their source, so removing a source needs no index. `name` holds the
  /// keys of a place (`UserPlaceName`). `band` is `Box.band`.
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
    return migrator
  }()

  /// The source whose places are the pins.
  static let pins = "pins"
}
