import Basics
import GRDB

extension UserPlaces {
  /// Returns the user's places in a circle of `metres`, the nearest first; at equal distance in the order of their
  /// numbers.
  func near(_ point: Coordinate, within metres: Double) throws(GeoIndexError) -> [NearestPlace] {
    try read { db in
      try Self.sources(db).flatMap { source, name, _ in
        try Self.places(db, of: source, name, near: point, within: metres)
      }.sorted { ($0.distance, $0.place.id) < ($1.distance, $1.place.id) }
    }
  }

  /// Returns the nearest of the places whose radius includes the point.
  func here(_ point: Coordinate) throws(GeoIndexError) -> NearestPlace? {
    try read { db in
      try Self.sources(db).flatMap { source, name, reach in
        try Self.places(db, of: source, name, near: point, within: reach)
      }.filter { $0.distance <= $0.place.own?.radius ?? 0 }
        .min { ($0.distance, $0.place.id) < ($1.distance, $1.place.id) }
    }
  }

  private static func sources(_ db: Database) throws -> [(Int64, String, Double)] {
    try Row.fetchAll(db, sql: "SELECT number, name, reach FROM source").map { ($0[0], $0[1], $0[2]) }
  }

  private static func places(
    _ db: Database, of source: Int64, _ name: String, near point: Coordinate, within metres: Double
  ) throws -> [NearestPlace] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(UserPlaceRow.columns()), ? AS origin FROM place
        WHERE place.source = ? AND band = ? AND longitude BETWEEN ? AND ? AND latitude BETWEEN ? AND ?
        """)
    var found: [NearestPlace] = []
    for box in Box.around(point, radius: min(metres, Coordinate.meanRadius * .pi)) {
      let sides = [box.west, box.east, box.south, box.north].map { Double($0) / 1e5 }
      for band in box.bands {
        let rows = try Row.fetchCursor(
          statement,
          arguments: StatementArguments([name, source, band] as [any DatabaseValueConvertible])
            + StatementArguments(sides))
        while let row = try rows.next() {
          let place = Place(ownRow: row)
          let centre = place.coordinate
          let distance = centre.haversineDistance(to: point)
          guard distance <= metres else { continue }
          let bearing = centre.initialBearing(to: point)?.degrees ?? 0
          found.append(NearestPlace(place: place, distance: distance, bearing: bearing))
        }
      }
    }
    return found
  }
}
