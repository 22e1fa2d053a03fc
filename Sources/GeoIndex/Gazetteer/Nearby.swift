import Basics
import GRDB

extension Gazetteer {
  /// Returns the result of `near` for the gazetteer only.
  func nearInGazetteer(
    _ point: Coordinate, within metres: Double, kinds: Set<Place.Kind>, limit: Int
  ) throws(GeoIndexError) -> [NearestPlace] {
    guard metres >= 0, limit > 0 else { return [] }
    return try read { db in
      var found = try Self.places(db, near: point, within: metres)
      found.sort { ($0.distance, $0.rank) < ($1.distance, $1.rank) }
      var places: [NearestPlace] = []
      for (distance, rank) in found {
        guard let place = try Place(db, rank: rank, matchedName: nil), kinds.isEmpty || kinds.contains(place.kind)
        else { continue }
        let centre = place.coordinate
        let bearing = centre.initialBearing(to: point)?.degrees ?? 0
        places.append(NearestPlace(place: place, distance: distance, bearing: bearing))
        if places.count == limit { break }
      }
      return places
    }
  }

  private static func places(
    _ db: Database, near point: Coordinate, within metres: Double
  ) throws -> [(distance: Double, rank: Int64)] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT rank, latitude, longitude FROM place
        WHERE band = ? AND longitude BETWEEN ? AND ? AND latitude BETWEEN ? AND ?
        """)
    var found: [(distance: Double, rank: Int64)] = []
    for box in Box.around(point, radius: min(metres, Coordinate.meanRadius * .pi)) {
      for band in box.bands {
        let rows = try Row.fetchCursor(statement, arguments: [band, box.west, box.east, box.south, box.north])
        while let row = try rows.next() {
          let distance = point.haversineDistance(
            to: Coordinate(latitudeE5: row[1] as Int32, longitudeE5: row[2] as Int32))
          if distance <= metres { found.append((distance, row[0])) }
        }
      }
    }
    return found
  }
}
