import Basics
import Foundation

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

  /// Returns the places at many positions, looked up outside Swift's threads.
  /// - Throws: Like `reverse(latitude:longitude:)`.
  public func reverse(
    _ positions: [(latitude: Double, longitude: Double)]
  ) async throws(GeoIndexError) -> PositionInfoList {
    try await offloading { Result { () throws(GeoIndexError) in try reverse(positions) } }.get()
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
  /// Returns the places in a circle, the nearest first. A lake, park or other area is as far away as its edge, and 0 m if
  /// the position lies in it; one that reaches into the circle is returned although its middle lies outside. A place that
  /// several sources have is returned once.
  /// - Parameters:
  ///   - latitude: Degrees north, WGS 84, -90...90.
  ///   - longitude: Degrees east; full turns are ignored (190 is -170).
  ///   - metres: The radius of the circle along great circles.
  ///   - kinds: The kinds of places to return; empty for all.
  ///   - limit: The maximum number of places; `Int.max` for all.
  /// - Returns: The places; at equal distance, pins first, then the more important one.
  /// - Throws: `.badCoordinate`; `.userPlaces` if the user's own places can't be read.
  public func near(
    latitude: Double, longitude: Double, within metres: Double, kinds: Set<Place.Kind> = [], limit: Int
  ) throws(GeoIndexError) -> [NearestPlace] {
    let point = try Coordinate(validating: latitude, longitude)
    guard metres >= 0, limit > 0 else { return [] }
    var found: [(distance: Double, index: Int, place: Int)] = []
    for (number, index) in indexes.enumerated() {
      let classes = kinds.isEmpty ? nil : index.classes(of: kinds)
      SpatialOrder.forEach(in: index, around: point, within: metres) { place, distance in
        guard classes?[Int(index.classes[place])] ?? true else { return }
        found.append((max(0, distance - index.radius(of: place)), number, place))
      }
    }
    found.sort { ($0.distance, $0.index, $0.place) < ($1.distance, $1.index, $1.place) }
    var pins = (try own?.pins(near: point, within: metres) ?? []).filter { _ in kinds.isEmpty || kinds.contains(.own) }[
      ...]
    var (places, known) = ([NearestPlace](), KnownPlaces())
    func add(_ place: Place, _ distance: Double) {
      let bearing = place.coordinate.initialBearing(to: point)?.degrees ?? 0
      places.append(NearestPlace(place: place, distance: distance, bearing: bearing))
    }
    for (distance, number, place) in found {
      while let pin = pins.first, pin.distance <= distance, places.count < limit {
        add(pin.place, pin.distance)
        pins = pins.dropFirst()
      }
      guard places.count < limit else { break }
      let found = indexes[number].place(place)
      if indexes.count == 1 || known.add(found, of: indexes[number], place) == nil { add(found, distance) }
    }
    for pin in pins.prefix(max(0, limit - places.count)) { add(pin.place, pin.distance) }
    ResidentMemory.limit(indexes)
    return places
  }

  /// Returns the user's own place at a position: the nearest of the pins and imported places whose radius includes the
  /// position; nil if there is none.
  /// - Parameters:
  ///   - latitude: Degrees north, WGS 84, -90...90.
  ///   - longitude: Degrees east; full turns are ignored.
  /// - Throws: `.badCoordinate`, `.userPlaces`.
  public func ownPlace(latitude: Double, longitude: Double) throws(GeoIndexError) -> NearestPlace? {
    let point = try Coordinate(validating: latitude, longitude)
    var nearest = try own?.pins(near: point, within: PlaceDraft.radius).first
    for index in indexes.dropFirst() {
      var best: (distance: Double, place: Int)?
      SpatialOrder.forEach(in: index, around: point, within: PlaceIndex.widestPoint) { place, distance in
        guard distance <= Double(index.ownRadii[place]), distance < best?.distance ?? .infinity else { return }
        best = (distance, place)
      }
      if let best, best.distance < nearest?.distance ?? .infinity {
        nearest = (best.distance, index.place(best.place))
      }
    }
    ResidentMemory.limit(indexes)
    return nearest.map { found in
      NearestPlace(
        place: found.place, distance: found.distance,
        bearing: found.place.coordinate.initialBearing(to: point)?.degrees ?? 0)
    }
  }

  /// Whether `ownPlace` can have a result at any position, or an error. It takes longer than a position without own
  /// places does, so ask once for many positions.
  package var mayHaveOwnPlaces: Bool { indexes.count > 1 || own.map { (try? $0.pins().isEmpty) != true } ?? false }
}

extension PlaceIndex {
  /// Returns for each number of a class whether it is of one of these kinds.
  func classes(of kinds: Set<Place.Kind>) -> [Bool] {
    (0...UInt8.max).map { PlaceClass(rawValue: $0).map { kinds.contains($0.kind) } ?? false }
  }
}
