import Foundation
import GRDB

extension GeoIndex {
  /// The place nearest to a point, if there is one near: nothing is invented in the middle of nowhere.
  /// - Parameters:
  ///   - latitude: degrees north, -90...90.
  ///   - longitude: degrees east; whole turns don't matter (190 is -170).
  ///   - metres: how far the place may be at most. Nil: 200 km.
  /// - Returns: nil if no place is that near.
  /// - Throws: `.badCoordinate`, or `.cache` if the index can't be read.
  public func nearest(
    latitude: Double, longitude: Double, within metres: Double? = nil
  ) throws(GeoIndexError) -> NearestPlace? {
    guard latitude.isFinite, longitude.isFinite, abs(latitude) <= 90 else {
      throw GeoIndexError(.badCoordinate, "not a point on Earth: latitudes go from -90 to 90")
    }
    let point = (latitude: latitude, longitude: longitude.remainder(dividingBy: 360))
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
    _ db: Database, _ point: (latitude: Double, longitude: Double), within radius: Double
  ) throws -> NearestPlace? {
    let statement = try db.cachedStatement(
      sql: """
        SELECT rank, south, west FROM position
        WHERE south >= ? AND north <= ? AND west >= ? AND east <= ?
        """)
    var best: (distance: Double, rank: Int64)?
    for box in Box.around(point, radius: radius) {
      let rows = try Row.fetchCursor(statement, arguments: [box.south, box.north, box.west, box.east])
      while let row = try rows.next() {
        let distance = GreatCircle.distance(point, (row[1] / 1e5, row[2] / 1e5))
        guard distance <= radius else { continue }
        // Of places at the same distance, the more important one.
        if let found = best, (found.distance, found.rank) <= (distance, row[0]) { continue }
        best = (distance, row[0])
      }
    }
    guard let best, let place = try Place(db, rank: best.rank, matchedName: nil) else { return nil }
    let bearing = GreatCircle.bearing(from: (place.latitude, place.longitude), to: point)
    return NearestPlace(place: place, distance: best.distance, bearing: best.distance == 0 ? 0 : bearing)
  }
}

/// A rectangle of hundred-thousandths of degrees that doesn't cross the 180° meridian.
struct Box: Hashable {
  let south: Int
  let north: Int
  let west: Int
  let east: Int

  /// The one or two boxes that hold every point within `radius` metres of `point` (longitude -180...180).
  static func around(_ point: (latitude: Double, longitude: Double), radius: Double) -> [Box] {
    // A little more than the circle: what is in it is decided by distance.
    let angle = radius / GreatCircle.radius + 1e-7
    let height = angle * 180 / .pi
    let (south, north) = (point.latitude - height, point.latitude + height)
    func box(_ west: Double, _ east: Double) -> Box {
      Box(
        south: Int((max(south, -90) * 1e5).rounded(.down)), north: Int((min(north, 90) * 1e5).rounded(.up)),
        west: Int((west * 1e5).rounded(.down)), east: Int((east * 1e5).rounded(.up)))
    }
    // A circle around a pole has every longitude.
    guard south > -90, north < 90 else { return [box(-180, 180)] }
    // Where the meridians touch the circle, which is nearer to the pole than its centre.
    let width = asin(min(1, sin(angle) / cos(point.latitude * .pi / 180))) * 180 / .pi
    let (west, east) = (point.longitude - width, point.longitude + width)
    if west < -180 { return [box(-180, east), box(west + 360, 180)] }
    if east > 180 { return [box(west, 180), box(-180, east - 360)] }
    return [box(west, east)]
  }
}
