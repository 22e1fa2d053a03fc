import Foundation

/// The places as values.
extension PlaceIndex {
  /// Returns a place.
  /// - Parameter matched: The alias by which it was found; nil for its own name.
  func place(_ number: Int, matched alias: Int? = nil) -> Place {
    let (region, name) = (Int(regions[number]), text(of: Int(firstAliases[number])))
    // Dividing the units gives the double nearest to the decimal.
    var place = Place(
      id: ids[number], name: name, matchedName: alias.map(text) ?? name,
      kind: PlaceClass(rawValue: classes[number])?.kind ?? .city, countryCode: code(ofCountry: region),
      country: countryName(ofRegion: region), admin1: regionName(region),
      latitude: Double(latitudes[number]) / Self.unitsPerDegree,
      longitude: Double(longitudes[number]) / Self.unitsPerDegree, population: Int(populations[number]),
      timeZone: text(at: zoneTexts[Int(zones[number])]))
    place.importance = (Double(importances[number]) * 10_000).rounded() / 10_000
    if let source {
      place.own = Place.Own(
        source: source, category: category(of: number), altitude: altitude(of: number),
        radius: Double(ownRadii[number]))
      if radii[number] != 0 { place.radius = Double(ownRadii[number]) }
    } else if radii[number] != 0 {
      place.radius = radius(of: number)
    }
    return place
  }

  private func category(of number: Int) -> String? {
    categories.isEmpty || categories[number] == Self.noText ? nil : text(at: categories[number])
  }

  private func altitude(of number: Int) -> Double? {
    altitudes.isEmpty || altitudes[number].isNaN ? nil : altitudes[number]
  }

  /// Returns the two letters of the country of a region; empty at sea.
  func code(ofCountry region: Int) -> String {
    let code = countryCodes[region]
    return code == 0 ? "" : String(decoding: [UInt8(code >> 8), UInt8(code & 0xFF)], as: UTF8.self)
  }

  func countryName(ofRegion region: Int) -> String { text(at: countryNames[region]) }

  /// Returns the name of a region; nil outside all regions of a country, or if unknown.
  func regionName(_ region: Int) -> String? {
    regionNames[region] == Self.noText ? nil : text(at: regionNames[region])
  }

  /// Returns the code of a region after that of its country; empty for a whole country.
  func regionCode(_ region: Int) -> String { text(at: regionCodes[region]) }

  /// The names of the countries by their two letters.
  var countries: [String: String] {
    Dictionary(
      countryCodes.indices.lazy.map { (self.code(ofCountry: $0), self.countryName(ofRegion: $0)) },
      uniquingKeysWith: { first, _ in first })
  }
}
