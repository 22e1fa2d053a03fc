extension Atlas {
  /// Returns the country, among those that share a time zone, whose land is nearest; the zone has no other division.
  /// - Returns: `.none` if they have no land within two degrees.
  func nearestCountry(_ point: Lattice, of countries: [CountryCode]) -> CountryCode {
    for distance in Self.distances {
      let diagonal = distance * 7 / 10
      for (x, y) in [
        (distance, 0), (diagonal, diagonal), (0, distance), (-diagonal, diagonal), (-distance, 0),
        (-diagonal, -diagonal),
        (0, -distance), (diagonal, -diagonal),
      ] {
        guard let region = regions.areas(at: point.moved(x, y)).first else { continue }
        if countries.contains(regionCountries[region]) { return regionCountries[region] }
      }
    }
    return .none
  }

  /// Distances in hundred-thousandths of a degree.
  private static let distances =
    [500, 1_000, 2_000, 4_000] + Array(stride(from: 7_000, through: 70_000, by: 7_000))
    + Array(stride(from: 85_000, through: 200_000, by: 15_000))
}
