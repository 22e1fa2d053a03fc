import Basics

/// The parks, islands and other areas that a position lies in.
extension Gazetteer {
  /// Returns the parks, islands, lakes, mountain ranges and other areas that a position lies in, the smallest first.
  ///
  /// Each of them is known only as a circle around its middle, about the largest that lies within it: near its edge an area
  /// is mostly not returned. An area that several sources have is returned once.
  /// - Parameters:
  ///   - latitude: Degrees north, WGS 84, -90...90.
  ///   - longitude: Degrees east; full turns are ignored.
  /// - Throws: `.badCoordinate`.
  public func areasOfInterest(latitude: Double, longitude: Double) throws(GeoIndexError) -> [Place] {
    let point = try Coordinate(validating: latitude, longitude)
    var (places, known) = ([Place](), KnownPlaces())
    for index in indexes {
      SpatialOrder.forEach(in: index, around: point, within: 0, onlyAreas: true) { place, _ in
        guard Self.kinds[Int(index.classes[place])] else { return }
        let found = index.place(place)
        if indexes.count == 1 || known.add(found, of: index, place) == nil { places.append(found) }
      }
    }
    return places.sorted { ($0.radius ?? 0, $0.id) < ($1.radius ?? 0, $1.id) }
  }

  /// For each number of a class, whether its places are areas of interest, rather than towns and regions.
  private static let kinds = (0...UInt8.max).map { number in
    PlaceClass(rawValue: number).map { [.nature, .sight, .transport, .service].contains($0.kind.group) } ?? false
  }
}
