extension GeoIndex {
  /// The one place that is meant by a name typed without a chance to choose, if it is clear which.
  ///
  /// Only places that bear the name are taken; country or region may go with it, as in `search`. Of several, the first is
  /// meant if it is eight times as large as the next (`Kyoto`, `Paris`); else the name is ambiguous (`Springfield`). So it is
  /// where a larger place has the same name, though in another script only a smaller one is known to; where a code means
  /// places far from each other (`SFO`); and where a little-known town has the name of a distant airport (`Heathrow`). A place
  /// of the user's own is meant before any of the gazetteer.
  /// - Throws: `.cache` if the index can't be read.
  public func resolve(_ text: String) throws(GeoIndexError) -> PlaceResolution {
    let text = GeoURI(text)?.query ?? text
    if let code = PlusCode(text), code.centre == nil { return try resolve(code, text) }
    let all = try search(text, limit: 20)
    let bearers = all.filter { $0.score.match >= 0.84 }
    let own = bearers.filter { $0.place.own != nil }
    if !own.isEmpty { return Self.clearest(of: own) }
    guard !bearers.isEmpty else {
      return .none(suggestions: try search(text, isCompleting: true, limit: 5).map(\.place))
    }
    var folding = Folding()
    let names = Set(bearers.map { folding.key($0.place.name) })
    // Places of the same name that nobody wrote down in this script match a little less.
    let named = all.filter {
      $0.score.match >= 0.84 || $0.score.match >= 0.73 && names.contains(folding.key($0.place.name))
    }
    let isCode = named.contains { $0.place.matchedName == text && Self.isCode(text) }
    let doubtful = named[0].score.match < 0.84 || isCode && named.dropFirst().contains { $0.isFar(from: named[0]) }
    if doubtful { return .ambiguous(named.map(\.place)) }
    let airports = Self.airports(all, insteadOf: named[0])
    return airports.isEmpty ? Self.clearest(of: named) : .ambiguous((named + airports).map(\.place))
  }

  /// - Parameter named: sorted, not empty.
  private static func clearest(of named: [SearchResult]) -> PlaceResolution {
    // A size eight times as large is this much more important.
    let isClear = named.count == 1 || named[0].score.total - named[1].score.total >= 0.106
    return isClear ? .one(named[0].place) : .ambiguous(named.map(\.place))
  }

  private static func isCode(_ text: String) -> Bool {
    (2...4).contains(text.utf8.count) && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }

  /// Airports elsewhere that are known by a word that is the name of a little-known town.
  private static func airports(_ all: [SearchResult], insteadOf town: SearchResult) -> [SearchResult] {
    guard town.score.importance < 0.5, town.score.context == 0, town.place.kind != .airport else { return [] }
    return all.filter {
      $0.place.kind == .airport && $0.score.importance > 0.3 && (0.69..<0.84).contains($0.score.match)
        && $0.isFar(from: town)
    }
  }
}

extension SearchResult {
  /// Not in or beside the same city.
  fileprivate func isFar(from other: SearchResult) -> Bool {
    func point(_ place: Place) -> Point { Point(latitude: place.latitude, longitude: place.longitude) }
    return GreatCircle.distance(point(place), point(other.place)) > 100_000
  }
}
