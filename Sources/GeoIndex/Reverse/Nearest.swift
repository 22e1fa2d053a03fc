import Foundation
import GRDB

extension GeoIndex {
  /// The town nearest to a point, if there is one near: nothing is invented in the middle of nowhere.
  /// - Parameters:
  ///   - latitude: degrees north, -90...90.
  ///   - longitude: degrees east; whole turns don't matter (190 is -170).
  ///   - metres: how far the place may be at most. Nil: 200 km.
  /// - Returns: nil if no place is that near.
  /// - Throws: `.badCoordinate`, or `.cache` if the index can't be read.
  public func nearest(
    latitude: Double, longitude: Double, within metres: Double? = nil
  ) throws(GeoIndexError) -> NearestPlace? {
    let point = try Point(validating: latitude, longitude)
    let limit = metres ?? 200_000
    guard limit >= 0 else { return nil }
    return try read { db in
      // The nearest of those in a circle is the nearest of all as soon as there is one.
      var radius = min(10_000, limit)
      while true {
        if let nearest = try Self.nearest(db, point, within: radius) { return nearest }
        if radius >= limit || radius > GreatCircle.radius * .pi { return nil }
        radius = min(radius * 4, limit)
      }
    }
  }

  private static func nearest(
    _ db: Database, _ point: Point, within radius: Double
  ) throws -> NearestPlace? {
    let statement = try db.cachedStatement(
      sql: """
        SELECT rank, latitude, longitude FROM place
        WHERE band = ? AND longitude BETWEEN ? AND ? AND latitude BETWEEN ? AND ? AND class <= ?
        """)
    var best: (distance: Double, rank: Int64)?
    for box in Box.around(point, radius: radius) {
      for band in box.bands {
        let rows = try Row.fetchCursor(
          statement,
          arguments: [
            band, box.west, box.east, box.south, box.north, PlaceClass.quarter.rawValue,
          ])
        while let row = try rows.next() {
          let distance = GreatCircle.distance(point, Point(latitude: row[1] / 1e5, longitude: row[2] / 1e5))
          guard distance <= radius else { continue }
          // Of places at the same distance, the more important one.
          if let found = best, (found.distance, found.rank) <= (distance, row[0]) { continue }
          best = (distance, row[0])
        }
      }
    }
    guard let best, let place = try Place(db, rank: best.rank, matchedName: nil) else { return nil }
    let town = Point(latitude: place.latitude, longitude: place.longitude)
    let bearing = GreatCircle.bearing(from: town, to: point)
    return NearestPlace(place: place, distance: best.distance, bearing: best.distance == 0 ? 0 : bearing)
  }
}
