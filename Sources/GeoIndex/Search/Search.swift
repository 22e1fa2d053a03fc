import GRDB

extension GeoIndex {
  /// Places whose names begin with `text`, in any script and spelling: case, accents, width, spaces and punctuation don't
  /// matter, `ü` may be `u` or `ue`.
  ///
  /// After a comma (or, if nothing has the whole name, after a space) stands the country or first-level region to look in:
  /// `Paris, Texas`, `Vancouver BC`, `Kyoto, Japan`, `Springfield, IL, USA`. Names equal to what was typed come
  /// first; then, the most important place first: by population, a capital counting double.
  /// - Parameters:
  ///   - text: what was typed. Nothing is found if it has no letter or digit.
  ///   - limit: how many places at most; `Int.max` for all.
  ///   - offset: how many of the first to leave out: pages of a list don't overlap.
  ///   - countryCode: only places of this country (two ISO 3166-1 letters, either case).
  /// - Throws: `.cache` if the index can't be read.
  public func search(
    _ text: String, limit: Int, offset: Int = 0, countryCode: String? = nil
  ) throws(GeoIndexError) -> [Place] {
    try read { db in
      let readings = Reading.all(of: text)
      let country = countryCode.map { [Area(country: $0.uppercased(), region: "")] }
      // A reading that names a place is better than an earlier one that only begins a name.
      for isExact in [true, false] {
        for reading in readings {
          let query = PlaceQuery(reading, in: country, isExact: isExact)
          guard try !query.places(db, limit: 1, offset: 0).isEmpty else { continue }
          return try PlaceQuery(reading, in: country, isExact: false).places(db, limit: limit, offset: offset)
        }
      }
      return []
    }
  }

  /// The one place that is meant by a name typed without a chance to choose, if it is clear which.
  ///
  /// Only places that bear the name itself are taken; it may be followed by country or region, as in `search`. Of several,
  /// the first is meant if it outweighs the next tenfold (`Kyoto`, `Paris`); else the name is ambiguous (`Springfield`).
  /// - Throws: `.cache` if the index can't be read.
  public func resolve(_ text: String) throws(GeoIndexError) -> PlaceResolution {
    let places = try read { db in
      for reading in Reading.all(of: text) {
        let places = try PlaceQuery(reading, in: nil, isExact: true).places(db, limit: 20, offset: 0)
        if !places.isEmpty { return places }
      }
      return []
    }
    guard let first = places.first else { return .none(suggestions: try search(text, limit: 5)) }
    guard places.count > 1, first.population < 10 * max(places[1].population, 1) else { return .one(first) }
    return .ambiguous(places)
  }
}
