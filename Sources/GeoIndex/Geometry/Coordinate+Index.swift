import Basics

extension Coordinate {
  /// Creates a coordinate from degrees as a caller gives them. Full turns of the longitude are removed; the 180°
  /// meridian is always 180, not -180.
  ///
  /// - Throws: `.badCoordinate` if the latitude is not on Earth, or a value is not a number.
  init(validating latitude: Double, _ longitude: Double) throws(GeoIndexError) {
    guard latitude.isFinite, longitude.isFinite, abs(latitude) <= 90 else {
      throw GeoIndexError(.badCoordinate, "not a point on Earth: latitudes go from -90 to 90")
    }
    self.init(turning: (latitude, longitude))
  }

  /// Creates a coordinate from a position that is known to be on Earth.
  init(turning position: (latitude: Double, longitude: Double)) {
    let longitude = position.longitude
    // Most longitudes are in range, and the remainder takes as long as the rest of a lookup.
    let turned = abs(longitude) < 180 ? longitude : longitude.remainder(dividingBy: 360)
    self.init(clampingLatitude: position.latitude, longitude: turned == -180 ? 180 : turned)
  }

  /// Creates a coordinate from hundred-thousandths of a degree, as the gazetteer stores them.
  init(latitudeE5: some BinaryInteger, longitudeE5: some BinaryInteger) {
    self.init(clampingLatitude: Double(latitudeE5) / 1e5, longitude: Double(longitudeE5) / 1e5)
  }
}

extension Place {
  var coordinate: Coordinate { Coordinate(clampingLatitude: latitude, longitude: longitude) }
}
