import GRDB

extension GeoIndex {
  /// The distance in metres from a country's or region's position to the farthest point of its border, or its farthest
  /// town if that is farther, 1 km at least; nil where its border isn't known, and for other places.
  ///
  /// - Throws: `.cache` if the index can't be read, `.missingGazetteer` or `.damagedGazetteer` if the borders can't.
  public func reach(of area: Place) throws(GeoIndexError) -> Double? {
    guard area.kind == .country || area.kind == .admin1 else { return nil }
    let regions = try regions(of: area)
    let center = Point(latitude: area.latitude, longitude: area.longitude)
    var border: Double?
    try atlas.forEachBorderCorner(
      ofCountry: area.countryCode, regions: area.kind == .country ? nil : Set(regions.map(\.code))
    ) { border = max(border ?? 0, GreatCircle.distance(center, $0)) }
    guard let border else { return nil }
    return try max(border, distance(from: center, toFarthestTownIn: regions.map(\.number)), 1_000).rounded(.up)
  }

  private func regions(of area: Place) throws(GeoIndexError) -> [(number: Int, code: String)] {
    try read { db in
      let rows =
        area.kind == .country
        ? try Row.fetchAll(db, sql: "SELECT number, code FROM region WHERE country = ?", arguments: [area.countryCode])
        : try Row.fetchAll(
          db, sql: "SELECT number, code FROM region WHERE number = (SELECT region FROM place WHERE id = ?)",
          arguments: [area.id])
      return rows.map { (number: $0[0], code: "\(area.countryCode).\($0[1] as String)") }
    }
  }

  private func distance(from center: Point, toFarthestTownIn regions: [Int]) throws(GeoIndexError) -> Double {
    try read { db in
      let towns = try Row.fetchCursor(
        db,
        sql: """
          SELECT latitude, longitude FROM place
          WHERE class <= ? AND region IN (\(regions.map(String.init).joined(separator: ",")))
          """,
        arguments: [PlaceClass.village.rawValue])
      var reach = 0.0
      while let town = try towns.next() {
        let (latitude, longitude): (Int32, Int32) = (town[0], town[1])
        let point = Point(latitude: Double(latitude) / 1e5, longitude: Double(longitude) / 1e5)
        reach = max(reach, GreatCircle.distance(center, point))
      }
      return reach
    }
  }
}

extension Atlas {
  /// Calls `each` with the corners of a country's border, or its regions' by their codes. A zone that several countries
  /// share says nothing of one of them.
  fileprivate func forEachBorderCorner(ofCountry code: String, regions wanted: Set<String>?, _ each: (Point) -> Void) {
    let country = CountryCode(code)
    let drawn = regions.areas.indices.filter { number in
      regionCountries[number] == country
        && wanted.map { codes in regions.areas[number].count > 2 && codes.contains(regions.areas[number][1]) } ?? true
    }
    regions.forEachCorner(of: Set(drawn.map { UInt16($0) }), each)
    guard wanted == nil else { return }
    let own = zones.areas.indices.filter { zoneCountries[$0] == country && zones.areas[$0].count <= 2 }
    zones.forEachCorner(of: Set(own.map { UInt16($0) }), each)
  }
}
