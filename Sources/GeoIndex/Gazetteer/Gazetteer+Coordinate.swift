public import Basics

/// The queries with MetaTag's coordinates, time zones and place names, for clients of both libraries.
extension Gazetteer {
  /// Returns the country, time zones, region, towns and sea at a position. See `reverse(latitude:longitude:)`.
  /// - Throws: `.missingGazetteer`, `.damagedGazetteer` or `.cache` if the borders can't be read.
  public func reverse(_ position: Coordinate) throws(GeoIndexError) -> PositionInfo {
    try reverse(latitude: position.latitude, longitude: position.longitude)
  }

  /// Returns the time zone at a position, the official one where several are in use; nil if this system doesn't know it.
  /// - Throws: `.missingGazetteer` or `.damagedGazetteer` if the borders can't be read.
  public func zone(at position: Coordinate) throws(GeoIndexError) -> Zone? {
    try zones(latitude: position.latitude, longitude: position.longitude).first.flatMap { try? Zone(parsing: $0) }
  }

  /// Returns the places in a circle, the nearest first. See `near(latitude:longitude:within:kinds:limit:)`.
  /// - Parameters:
  ///   - position: The center of the circle.
  ///   - metres: The radius of the circle along great circles.
  ///   - kinds: The kinds of places to return; empty for all.
  ///   - limit: The maximum number of places.
  public func near(
    _ position: Coordinate, within metres: Double, kinds: Set<Place.Kind> = [], limit: Int = .max
  ) throws(GeoIndexError) -> [NearestPlace] {
    try near(
      latitude: position.latitude, longitude: position.longitude, within: metres, kinds: kinds, limit: limit)
  }
}

extension Place {
  /// The position, of an area its middle.
  public var coordinate: Coordinate { Coordinate(clampingLatitude: latitude, longitude: longitude) }
}

extension PlaceQuery.Position {
  /// Creates the position of a coordinate.
  public init(_ coordinate: Coordinate) { self.init(latitude: coordinate.latitude, longitude: coordinate.longitude) }
}

extension PlaceNamer {
  /// Returns the names of a location: only those that its error allows. See `names(latitude:longitude:error:)`.
  public func names(of location: Location) throws(GeoIndexError) -> Names {
    try names(
      latitude: location.coordinate.latitude, longitude: location.coordinate.longitude, error: location.horizontalError)
  }
}

extension PlaceNames {
  /// Creates the names that are written into a photo.
  public init(_ found: PlaceNamer.Names) {
    self.init()
    sublocation = found.sublocation
    city = found.city
    state = found.state
    country = found.country
    countryCode = found.countryCode
  }
}
