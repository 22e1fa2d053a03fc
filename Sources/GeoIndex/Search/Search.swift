import GRDB

extension GeoIndex {
  /// Places whose names begin with `text`, in any script and spelling: case, accents, width, spaces and punctuation don't
  /// matter, `ü` may be `u` or `ue`.
  ///
  /// After a comma (or, if nothing bears the whole name, after a space) stands the country or first-level region to look
  /// in: `Paris, Texas`, `Vancouver BC`, `Kyoto, Japan`, `Springfield, IL, USA`. Places that bear the name come before
  /// those whose name only begins with it; then the larger ones come first, where a capital counts double and a place's
  /// usual name eight times as much as an alternate one.
  /// - Parameters:
  ///   - text: what was typed. Nothing is found if it has no letter or digit.
  ///   - limit: how many places at most; `Int.max` for all.
  ///   - offset: how many of the first to leave out: pages of a list don't overlap.
  ///   - countryCode: only places of this country (two ISO 3166-1 letters, either case).
  /// - Throws: `.cache` if the index can't be read.
  public func search(
    _ text: String, limit: Int, offset: Int = 0, countryCode: String? = nil
  ) throws(GeoIndexError) -> [Place] {
    guard limit > 0, offset >= 0 else { return [] }
    return try read { db in
      let queries = try Reading.all(of: text).map { try PlaceQuery(db, $0, country: countryCode?.uppercased()) }
      // A reading that is a place's name is better than an earlier one that only begins one.
      for query in queries {
        let exact = try query.exactMatches()
        guard !exact.isEmpty else { continue }
        let page = Array(exact.dropFirst(offset).prefix(limit))
        let rest = try query.prefixMatches(limit: limit - page.count, offset: max(0, offset - exact.count))
        return try (page + rest).compactMap { try Place(db, rank: $0.rank, matchedName: $0.name) }
      }
      for query in queries where try !query.prefixMatches(limit: 1, offset: 0).isEmpty {
        return try query.prefixMatches(limit: limit, offset: offset)
          .compactMap { try Place(db, rank: $0.rank, matchedName: $0.name) }
      }
      return []
    }
  }

  /// The one place that is meant by a name typed without a chance to choose, if it is clear which.
  ///
  /// Only places that bear the name are taken; country or region may follow it, as in `search`. Of several, the first is
  /// meant if it outweighs the next eightfold (`Kyoto`, `Paris`); else the name is ambiguous (`Springfield`).
  /// - Throws: `.cache` if the index can't be read.
  public func resolve(_ text: String) throws(GeoIndexError) -> PlaceResolution {
    let resolution: PlaceResolution? = try read { db in
      for reading in Reading.all(of: text) {
        let exact = try PlaceQuery(db, reading, country: nil).exactMatches()
        guard let first = exact.first else { continue }
        let isClear = exact.count == 1 || first.weight > 0 && first.weight >= 8 * exact[1].weight
        let places = try exact.prefix(isClear ? 1 : 20).compactMap {
          try Place(db, rank: $0.rank, matchedName: $0.name)
        }
        return isClear ? places.first.map(PlaceResolution.one) : .ambiguous(places)
      }
      return nil
    }
    if let resolution { return resolution }
    return .none(suggestions: try search(text, limit: 5))
  }
}
