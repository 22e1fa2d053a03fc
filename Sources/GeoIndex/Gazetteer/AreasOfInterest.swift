import Basics
import GRDB
import Synchronization

/// The parks, islands and other areas that a position lies in.
extension Gazetteer {
  /// Returns the parks, islands, lakes, mountain ranges and other areas that a position lies in, the smallest first.
  ///
  /// The gazetteer knows each of them only as a circle around its middle, about the largest that lies within it: near its
  /// edge an area is mostly not returned.
  /// - Parameters:
  ///   - latitude: Degrees north, WGS 84, -90...90.
  ///   - longitude: Degrees east; full turns are ignored.
  /// - Throws: `.badCoordinate`; `.cache` if the index can't be read.
  public func areasOfInterest(latitude: Double, longitude: Double) throws(GeoIndexError) -> [Place] {
    let point = try Coordinate(validating: latitude, longitude)
    return try extents.containing(point)
  }

  private var extents: Extents {
    get throws(GeoIndexError) {
      if let known = knownExtents.withLock({ $0 }) { return known }
      let places = try read { db in
        try Int64.fetchAll(db, sql: "SELECT rank FROM place WHERE radius > 0").compactMap {
          try Place(db, rank: $0, matchedName: nil)
        }
      }
      let extents = Extents(places.filter { $0.kind != .admin2 })
      knownExtents.withLock { $0 = extents }
      return extents
    }
  }
}
