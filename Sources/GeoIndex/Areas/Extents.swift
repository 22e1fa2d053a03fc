import Basics
import GRDB
import Synchronization

/// The places with an extent, found by a position in them.
struct Extents: Sendable {
  /// Those that touch each square degree, the smallest first.
  private let cells: [[Place]]

  init(_ places: [Place]) {
    var cells = [[Place]](repeating: [], count: Self.rows * Self.columns)
    for place in places.sorted(by: { ($0.radius ?? 0, $0.id) < ($1.radius ?? 0, $1.id) }) {
      for box in Box.around(place.coordinate, radius: place.radius ?? 0) {
        for row in Self.row(box.south)...Self.row(box.north) {
          for column in Self.column(box.west)...Self.column(box.east) {
            cells[row * Self.columns + column].append(place)
          }
        }
      }
    }
    self.cells = cells
  }

  /// Returns the places whose circle contains a point, the smallest first.
  func containing(_ point: Coordinate) -> [Place] {
    let (row, column) = (Self.row(Int(point.latitude * 1e5)), Self.column(Int(point.longitude * 1e5)))
    return cells[row * Self.columns + column].filter { place in
      place.coordinate.haversineDistance(to: point) <= place.radius ?? 0
    }
  }

  private static let (rows, columns) = (180, 360)
  private static func row(_ latitude: Int) -> Int { min(rows - 1, max(0, (latitude + 9_000_000) / 100_000)) }
  private static func column(_ longitude: Int) -> Int { min(columns - 1, max(0, (longitude + 18_000_000) / 100_000)) }
}

extension Gazetteer {
  /// Returns the parks, islands, lakes, mountain ranges and other areas that a position lies in, the smallest first.
  ///
  /// The gazetteer knows each of them as the circle around its middle that lies within it: what is returned is true, but
  /// near its edge an area is not returned.
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
