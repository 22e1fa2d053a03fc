import GRDB

extension UserPlaces {
  /// The number of places that are remembered.
  public static let mostRecents = 20

  /// Remembers that a place was chosen, and forgets the oldest if there are too many. No time is stored.
  /// - Throws: `.ownPlaces`.
  public func remember(_ place: Place) throws(GeoIndexError) {
    try write { db in
      let marks = repeatElement("?", count: UserPlaceRow.count + 1).joined(separator: ", ")
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO recent (\(UserPlaceRow.columns()), source, turn)
          VALUES (\(marks), (SELECT coalesce(max(turn), 0) + 1 FROM recent))
          """, arguments: StatementArguments(UserPlaceRow.values(of: place) + [place.own?.source]))
      try db.execute(
        sql: "DELETE FROM recent WHERE id NOT IN (SELECT id FROM recent ORDER BY turn DESC LIMIT \(Self.mostRecents))")
    }
  }

  /// Returns the recently chosen places, the latest first.
  /// - Throws: `.ownPlaces`.
  public func recents() throws(GeoIndexError) -> [Place] {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT \(UserPlaceRow.columns()), source FROM recent ORDER BY turn DESC").map {
        Place(ownRow: $0)
      }
    }
  }

  /// Forgets all recently chosen places.
  /// - Throws: `.ownPlaces`.
  public func forgetRecents() throws(GeoIndexError) { try write { try $0.execute(sql: "DELETE FROM recent") } }
}
