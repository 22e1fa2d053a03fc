import GRDB

/// The columns of a place in the tables `place` and `recent`.
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
