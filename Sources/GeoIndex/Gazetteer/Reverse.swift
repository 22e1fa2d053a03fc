import Basics
import Foundation
import GRDB

/// Places, areas and time zones of positions.
extension Gazetteer {
  /// Returns the country, time zones, region, towns and sea at a position.
  ///
  /// The first query loads the borders (some 10 MB) and the index of towns; later ones take less than a microsecond.
  /// - Parameters:
  ///   - latitude: Degrees north, WGS 84, -90...90.
  ///   - longitude: Degrees east; full turns are ignored (190 is -170).
  /// - Throws: `.badCoordinate`; `.missingGazetteer`, `.damagedGazetteer` or `.cache` if the borders can't be read.
  public func reverse(latitude: Double, longitude: Double) throws(GeoIndexError) -> PositionInfo {
    let point = try Coordinate(validating: latitude, longitude)
    let geography = try geography
    let place = geography.place(at: point)
    return PositionInfo(
      latitude: point.latitude, longitude: point.longitude, geography: geography, answer: place.answer, zone: place.zone
    )
  }

  /// Prefetches what later calls of `reverse(latitude:longitude:)` will read. Memory is slow, but other work can be done
  /// meanwhile.
  /// - Parameter position: Returns the position of a call by the number of calls before it, at most `prefetched`.
  package func prefetchReverse(_ position: (Int) -> (latitude: Double, longitude: Double)) {
    guard let geography = try? geography else { return }
    geography.fetch { number in
      let position = position(number)
      let point = try? Coordinate(validating: position.latitude, position.longitude)
      return point.map { Lattice($0) } ?? Lattice(x: 0, y: 0)
    }
  }

  /// The number of calls ahead of which something can be prefetched.
  package static let prefetched = Geography.steps

  /// Returns the places at many positions, in their order. Neighbours are looked up together, which is several times as
  /// fast as single queries.
  /// - Parameter positions: Degrees as for `reverse(latitude:longitude:)`.
  /// - Throws: Like `reverse(latitude:longitude:)`; a single position that is not on Earth makes the whole call fail.
  public func reverse(
    _ positions: [(latitude: Double, longitude: Double)]
  ) throws(GeoIndexError) -> PositionInfoList {
    return try PositionInfoList(positions, in: geography)
  }

  /// Returns the time zones in use at a position, as IANA names; if there are several, the official one comes first;
  /// `Etc/GMT…` on the high seas.
  /// - Parameters:
  ///   - latitude: Degrees north, WGS 84, -90...90.
  ///   - longitude: Degrees east; full turns are ignored.
  /// - Throws: `.badCoordinate`; `.missingGazetteer` or `.damagedGazetteer` if the borders can't be read.
  public func zones(latitude: Double, longitude: Double) throws(GeoIndexError) -> [String] {
    let point = try Coordinate(validating: latitude, longitude)
    let atlas = try self.atlas
    return atlas.zoneNames(atlas.zone(Lattice(point)))
  }
}

extension Gazetteer {
  /// Returns the result of `near` for the gazetteer only.
  func nearInGazetteer(
    _ point: Coordinate, within metres: Double, kinds: Set<Place.Kind>, limit: Int
  ) throws(GeoIndexError) -> [NearestPlace] {
    guard metres >= 0, limit > 0 else { return [] }
    return try read { db in
      var found = try Self.places(db, near: point, within: metres) + Self.areas(db, near: point, within: metres)
      found.sort { ($0.distance, $0.rank) < ($1.distance, $1.rank) }
      var places: [NearestPlace] = []
      for (distance, rank) in found {
        guard let place = try Place(db, rank: rank, matchedName: nil), kinds.isEmpty || kinds.contains(place.kind)
        else { continue }
        let center = place.coordinate
        let bearing = center.initialBearing(to: point)?.degrees ?? 0
        places.append(NearestPlace(place: place, distance: distance, bearing: bearing))
        if places.count == limit { break }
      }
      return places
    }
  }

  /// Returns the places with an extent that the circle touches but whose middle it doesn't contain; at the distance of
  /// their edge, or 0 if the point lies in them.
  private static func areas(
    _ db: Database, near point: Coordinate, within metres: Double
  ) throws -> [(distance: Double, rank: Int64)] {
    let statement = try db.cachedStatement(
      sql: "SELECT rank, latitude, longitude, radius FROM place WHERE radius > 0")
    var found: [(distance: Double, rank: Int64)] = []
    let rows = try Row.fetchCursor(statement)
    while let row = try rows.next() {
      let distance = point.haversineDistance(
        to: Coordinate(latitudeE5: row[1] as Int32, longitudeE5: row[2] as Int32))
      let radius: Double = row[3]
      if distance > metres, distance - radius <= metres { found.append((max(0, distance - radius), row[0])) }
    }
    return found
  }

  private static func places(
    _ db: Database, near point: Coordinate, within metres: Double
  ) throws -> [(distance: Double, rank: Int64)] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT rank, latitude, longitude, radius FROM place
        WHERE band = ? AND longitude BETWEEN ? AND ? AND latitude BETWEEN ? AND ?
        """)
    var found: [(distance: Double, rank: Int64)] = []
    for box in Box.around(point, radius: min(metres, Coordinate.meanRadius * .pi)) {
      for band in box.bands {
        let rows = try Row.fetchCursor(statement, arguments: [band, box.west, box.east, box.south, box.north])
        while let row = try rows.next() {
          let distance = point.haversineDistance(
            to: Coordinate(latitudeE5: row[1] as Int32, longitudeE5: row[2] as Int32))
          if distance <= metres { found.append((max(0, distance - row[3]), row[0])) }
        }
      }
    }
    return found
  }
}

extension Gazetteer {
  /// Returns the places in a circle, the nearest first. A lake, park or other area is as far away as its edge, and 0 m if
  /// the position lies in it; one that reaches into the circle is returned although its middle lies outside.
  /// - Parameters:
  ///   - latitude: Degrees north, WGS 84, -90...90.
  ///   - longitude: Degrees east; full turns are ignored (190 is -170).
  ///   - metres: The radius of the circle along great circles.
  ///   - kinds: The kinds of places to return; empty for all.
  ///   - limit: The maximum number of places; `Int.max` for all.
  /// - Returns: The places; at equal distance, the user's own first, then the more important one.
  /// - Throws: `.badCoordinate`; `.cache` if the index can't be read, `.userPlaces` if the user's own places can't.
  public func near(
    latitude: Double, longitude: Double, within metres: Double, kinds: Set<Place.Kind> = [], limit: Int
  ) throws(GeoIndexError) -> [NearestPlace] {
    let point = try Coordinate(validating: latitude, longitude)
    let theirs = try nearInGazetteer(point, within: metres, kinds: kinds, limit: limit)
    guard let own, metres >= 0, limit > 0 else { return theirs }
    var mine = try own.near(point, within: metres).filter { kinds.isEmpty || kinds.contains($0.place.kind) }[...]
    var merged: [NearestPlace] = []
    for place in theirs {
      while let first = mine.first, first.distance <= place.distance {
        merged.append(first)
        mine = mine.dropFirst()
      }
      merged.append(place)
    }
    return (merged + mine).prefix(limit).map(\.self)
  }

  /// Returns the user's own place at a position: the nearest of those whose radius includes the position; nil if there is
  /// none.
  /// - Parameters:
  ///   - latitude: Degrees north, WGS 84, -90...90.
  ///   - longitude: Degrees east; full turns are ignored.
  /// - Throws: `.badCoordinate`, `.userPlaces`.
  public func ownPlace(latitude: Double, longitude: Double) throws(GeoIndexError) -> NearestPlace? {
    let point = try Coordinate(validating: latitude, longitude)
    return try own?.here(point)
  }

  /// Whether `ownPlace` can have a result at any position, or an error. It takes longer than a position without own
  /// places does, so ask once for many positions.
  package var mayHaveOwnPlaces: Bool { own.map { (try? $0.isEmpty) != true } ?? false }
}
