extension Gazetteer {
  /// The places in a circle, the nearest first.
  /// - Parameters:
  ///   - latitude: degrees north, WGS 84, -90...90.
  ///   - longitude: degrees east; whole turns don't matter (190 is -170).
  ///   - metres: the circle's radius along great circles.
  ///   - kinds: only places of these kinds; empty for all.
  ///   - limit: how many places at most; `Int.max` for all.
  /// - Returns: of places at the same distance, the user's own first, then the more important one.
  /// - Throws: `.badCoordinate`; `.cache` if the index can't be read, `.ownPlaces` if the user's own places can't.
  public func near(
    latitude: Double, longitude: Double, within metres: Double, kinds: Set<Place.Kind> = [], limit: Int
  ) throws(GeoIndexError) -> [NearestPlace] {
    let point = try Point(validating: latitude, longitude)
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

  /// The place of the user's own that a position is at: of those whose radius reaches as far, the nearest. Nil if there
  /// is none.
  /// - Parameters:
  ///   - latitude: degrees north, WGS 84, -90...90.
  ///   - longitude: degrees east; whole turns don't matter.
  /// - Throws: `.badCoordinate`, `.ownPlaces`.
  public func ownPlace(latitude: Double, longitude: Double) throws(GeoIndexError) -> NearestPlace? {
    let point = try Point(validating: latitude, longitude)
    return try own?.here(point)
  }
}
