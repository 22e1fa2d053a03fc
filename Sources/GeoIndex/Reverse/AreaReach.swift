import GRDB

extension GeoIndex {
  /// The distance in metres from a country's or region's position to its farthest town; 0 for other places.
  ///
  /// - Throws: `.cache` if the index can't be read.
  public func reach(of area: Place) throws(GeoIndexError) -> Double {
    let regions =
      switch area.kind {
      case .country: "SELECT number FROM region WHERE country = :country"
      case .admin1: "SELECT region FROM place WHERE id = :id"
      default: "SELECT 0 WHERE 0"
      }
    let center = Point(latitude: area.latitude, longitude: area.longitude)
    return try read { db in
      let towns = try Row.fetchCursor(
        db, sql: "SELECT latitude, longitude FROM place WHERE class <= :last AND region IN (\(regions))",
        arguments: StatementArguments(["last": PlaceClass.village.rawValue as any DatabaseValueConvertible])
          + (area.kind == .country ? ["country": area.countryCode] : area.kind == .admin1 ? ["id": area.id] : [:]))
      var reach = 0.0
      while let town = try towns.next() {
        let (latitude, longitude): (Int32, Int32) = (town[0], town[1])
        let point = Point(latitude: Double(latitude) / 1e5, longitude: Double(longitude) / 1e5)
        reach = max(reach, GreatCircle.distance(center, point))
      }
      return reach.rounded(.up)
    }
  }
}
