import Foundation

extension GeoIndex {
  /// The one place that is meant by a name typed without a chance to choose, if it is clear which.
  ///
  /// Only places that bear the name are taken; country or region may go with it, as in `search`. Of several, the first
  /// is meant if it is ten times as large as the next (`Kyoto`, `Paris`), a little-known one if it is twenty times as
  /// large; else the name is ambiguous (`Springfield`). A town and the region or country around it are one place if
  /// they are called the same, a letter in five aside, or are hardly larger than the town, and the town says it more
  /// exactly (`Geneva`, `Singapore`). The name is ambiguous, too, where a larger place has it, though in another script
  /// only a smaller one is known to; where a code means places far from each other (`SFO`); and where a little-known
  /// town has the name of a distant airport, region or other place (`Heathrow`, `Macedonia`, `Orkney`). Coordinates are
  /// what they say; then a place of the user's own is meant before any of the gazetteer.
  /// - Throws: `.cache` if the index can't be read, `.ownPlaces` if the user's own places can't.
  public func resolve(_ text: String) throws(GeoIndexError) -> PlaceResolution {
    let text = GeoURI(text)?.query ?? text
    if let code = PlusCode(text), code.centre == nil { return try resolve(code, text) }
    guard !Self.isFailedCoordinates(text) else { return .none(suggestions: []) }
    let positions = Place.all(coordinateText: text)
    if !positions.isEmpty { return positions.count == 1 ? .one(positions[0]) : .ambiguous(positions) }
    let all = try search(text, limit: 20)
    let bearers = all.filter { $0.score.match >= 0.84 }
    if let rest = Reading.withoutLeadingPostalCode(text), !bearers.contains(where: { $0.hasWords(of: text) }) {
      return try resolve(behindCode: rest)
    }
    let own = bearers.filter { $0.place.own != nil }
    if !own.isEmpty { return Self.clearest(of: own) }
    guard !bearers.isEmpty else {
      return .none(suggestions: try suggestions(for: text))
    }
    var folding = Folding()
    let names = Set(bearers.map { folding.key($0.place.name) })
    // Places of the same name that nobody wrote down in this script match a little less.
    let named = all.filter {
      $0.score.match >= 0.84 || $0.score.match >= 0.73 && names.contains(folding.key($0.place.name))
    }
    let isCode = named.contains { $0.place.matchedName == text && Self.isCode(text) }
    let doubtful = named[0].score.match < 0.84 || isCode && named.dropFirst().contains { $0.isFar(from: named[0]) }
    if doubtful || named.contains(where: { $0.isWhole(namedWithout: named[0], in: text) }) {
      return .ambiguous(named.map(\.place))
    }
    // George Town is in Malaysia as well as Georgetown in Guyana, and a hamlet in one word may be nothing of the kind.
    if named[0].isJoined(from: text),
      named[0].score.importance < 0.55 || named.contains(where: { named[0].isTaken(for: $0, calledSo: text) })
    {
      return named.count > 1 ? .ambiguous(named.map(\.place)) : .none(suggestions: named.map(\.place))
    }
    let soundingSo = Self.namesakes(of: named[0], soundingAs: text, among: all)
    if !soundingSo.isEmpty { return .ambiguous(([named[0]] + soundingSo).map(\.place)) }
    let typed = [text] + (Spelling.abbreviated(text).map { [$0] } ?? [])
    let rivals = all.filter { each in
      !named.contains(each) && each.isRival(of: named[0]) && typed.contains { each.hasWords(of: $0) }
    }
    if !rivals.isEmpty {
      let bearers = Self.withoutAreas(named)
      return .ambiguous(all.filter { rivals.contains($0) || bearers.contains($0) }.map(\.place))
    }
    let answer = Self.clearest(of: named)
    guard case .one(let place) = answer else { return answer }
    if named[0].isHardlyKnown(as: text) {
      let others = all.filter { $0 == named[0] || $0.hasWords(of: text) }.map(\.place)
      return others.count == 1 ? .none(suggestions: others) : .ambiguous(others)
    }
    // Of a village nothing but its name is known, and a lake or a mountain that no table has may be called so.
    if named[0].isVillage { return .none(suggestions: [place]) }
    guard named[0].isLittleKnown else { return answer }
    let counties = try towns(ofCountiesNamed: text, farFrom: place)
    return counties.isEmpty ? answer : .ambiguous(Self.withoutAreas(named).map(\.place) + counties)
  }

  /// What stands behind a postal code: whoever writes one wants one of several, and nobody here knows which has it.
  private func resolve(behindCode text: String) throws(GeoIndexError) -> PlaceResolution {
    let answer = try resolve(text)
    let found = try search(text, limit: 20)
    guard case .one(let place) = answer, let own = found.first(where: { $0.id == place.id }) else { return answer }
    let others = found.filter {
      $0.score.match >= 0.84 && $0.score.context >= own.score.context && $0.isFar(from: own)
    }
    if others.isEmpty { return own.isLittleKnown ? .none(suggestions: [place]) : answer }
    return .ambiguous([place] + others.map(\.place))
  }

  /// - Parameter named: sorted, not empty.
  private static func clearest(of named: [SearchResult]) -> PlaceResolution {
    let first = named[0]
    let isClear = named.dropFirst().allSatisfy {
      first.isMuchMoreImportant(than: $0) && !$0.isLargerRegion(than: first) || $0.isSamePlace(as: first)
    }
    guard isClear else {
      let places = withoutAreas(named).map(\.place)
      return places.count == 1 ? .one(places[0]) : .ambiguous(places)
    }
    // It is the first that all others were compared with: only a town in it says it more exactly.
    let town = named.first { first.isArea && $0.isTown(of: first) && !first.isMuchMoreImportant(than: $0) }
    return .one((town ?? first).place)
  }

  /// Regions and countries aside that have a town of the same name in them.
  private static func withoutAreas(_ named: [SearchResult]) -> [SearchResult] {
    named.filter { area in
      !area.isArea || !named.contains { $0.isTown(of: area) && !area.isMuchMoreImportant(than: $0) }
    }
  }

  /// What else in China is spelled in Latin letters as a little-known place's name sounds that isn't spelled so itself:
  /// a quarter's name stands for the whole town's.
  private static func namesakes(
    of first: SearchResult, soundingAs text: String, among all: [SearchResult]
  ) -> [SearchResult] {
    guard first.place.countryCode == "CN", first.isLittleKnown else { return [] }
    var folding = Folding()
    let sounds = Spelling.others(of: text).filter(\.isHomophone).map(\.key)
    // Its own may say in addition what it is: Yulinshi.
    let own = folding.keyBytes(first.place.name)
    guard !sounds.contains(where: { own.starts(with: $0) }) else { return [] }
    return all.filter { sounds.contains(folding.keyBytes($0.place.name)) }
  }

  /// What begins so; but where what stands behind a comma isn't known, the places of the name before it.
  private func suggestions(for text: String) throws(GeoIndexError) -> [Place] {
    let found = try search(text, isCompleting: true, limit: 5)
    guard text.contains(","), let reading = Reading.all(of: text).dropFirst().first else { return found.map(\.place) }
    let named = try search(reading.name, limit: 5).filter { $0.score.match >= 0.84 }.map(\.place)
    guard !named.isEmpty else { return found.map(\.place) }
    let inside = found.filter { $0.score.context > 0 }.map(\.place)
    return (inside + named.filter { !inside.contains($0) }).prefix(5).map(\.self)
  }

  private static func isCode(_ text: String) -> Bool {
    (2...4).contains(text.utf8.count) && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }
}

extension SearchResult {
  /// Ten times as large, all else being equal; of little-known places, twenty times. Of names that are asked for with a
  /// place in mind, less than half mean the first one below that, and two thirds above it.
  fileprivate func isMuchMoreImportant(than other: SearchResult) -> Bool {
    score.total - other.score.total >= (score.importance < 0.65 ? 0.154 : 0.118)
  }

  /// A region abroad with more people than the region or country of its name (Georgia).
  fileprivate func isLargerRegion(than first: SearchResult) -> Bool {
    first.isArea && place.kind == .admin1 && place.countryCode != first.place.countryCode
      && place.population > first.place.population
  }

  /// Only some table says that it is called so, with no word of its own name; but capitals and great cities are known
  /// by many.
  fileprivate func isHardlyKnown(as text: String) -> Bool {
    guard isHearsay, !isWhereSaid, !sharesWord(with: place.name) else { return false }
    func plain(_ text: String) -> String {
      text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
    return place.kind != .capital && (place.population < 500_000 || plain(place.matchedName) != plain(text))
  }

  private func sharesWord(with name: String) -> Bool {
    !Set(Self.words(place.matchedName)).isDisjoint(with: Self.words(name))
  }

  /// So little known that a namesake which the gazetteer has no name of its own for may be meant.
  fileprivate var isLittleKnown: Bool { score.importance < 0.65 && !isWhereSaid && place.kind != .airport }

  /// Nothing but a name: a village, or a quarter whose people nobody counted, without a country or region that says
  /// which.
  fileprivate var isVillage: Bool {
    let least = Double(PlaceClass.village.importance(population: 0, names: 0))
    return place.kind == .city && score.importance <= least && !isWhereSaid
  }

  /// In the country or region that was typed with it; an overseas territory is so only loosely.
  private var isWhereSaid: Bool { score.context > 0.25 }

  fileprivate var isArea: Bool { place.kind == .admin1 || place.kind == .country }

  /// It lies in that region or country, and is called the same.
  fileprivate func isTown(of other: SearchResult) -> Bool {
    let (town, area) = (place, other.place)
    guard [.city, .capital].contains(town.kind), town.countryCode == area.countryCode else { return false }
    guard area.kind == .country || town.admin1 == area.admin1 else { return false }
    let (own, around) = (Array(Self.mainName(town.name).utf8), Array(Self.mainName(area.name).utf8))
    if own == around || distance(from: other) < 50_000 { return true }
    // Zaporizhzhya is in Zaporizhzhia; Victoria de Durango is Durango's.
    guard !around.isEmpty else { return false }
    return OwnSearch.distance(own, around) <= around.count / 5 || own.suffix(around.count).elementsEqual(around)
  }

  /// Without words that say only what sort of place it is: Kuwait City is Kuwait, Brandenburg an der Havel not
  /// Brandenburg.
  private static func mainName(_ name: String) -> String {
    var folding = Folding()
    return name.split { !$0.isLetter }.filter { !Spelling.isKind(String($0)) }.map { folding.key($0) }.joined()
  }

  /// Whether all that was typed is the name of a region or another place, where without a comma the end of it may be a
  /// town there, or where the first one lies.
  fileprivate func isWhole(namedWithout first: SearchResult, in text: String) -> Bool {
    guard score.context == 0, first.score.context > 0, !text.contains(where: { ",，、;".contains($0) }) else {
      return false
    }
    if isArea { return !first.isTown(of: self) }
    return !isHearsay && isFar(from: first) && Self.words(place.matchedName) == Self.words(text)
  }

  /// Whether its name has in one word what was typed in several.
  fileprivate func isJoined(from text: String) -> Bool {
    let (typed, own) = (Self.words(text), Self.words(place.matchedName))
    return typed.count > own.count && typed.joined() == own.joined()
  }

  /// Whether another place elsewhere, which is well known or hardly smaller, has these words as its own name.
  fileprivate func isTaken(for other: SearchResult, calledSo text: String) -> Bool {
    other.isFar(from: self) && Self.words(other.place.name) == Self.words(text)
      && (other.score.importance >= 0.6 || !isMuchMoreImportant(than: other))
  }

  private static func words(_ text: String) -> [String] {
    var folding = Folding()
    return text.split { !$0.isLetter && !$0.isNumber }.map { folding.key($0) }
  }

  /// One is around the other, or they have grown together over a border (Kansas City).
  fileprivate func isSamePlace(as other: SearchResult) -> Bool {
    isArea && other.isTown(of: self) || other.isArea && isTown(of: other)
      || isArea && other.isArea && place.countryCode == other.place.countryCode
        && [place.kind, other.place.kind].contains(.country)
      || place.name == other.place.name && distance(from: other) < 10_000
  }

  /// Whether it may be meant instead of a place that bears the name which is a part of its own.
  fileprivate func isRival(of first: SearchResult) -> Bool {
    guard !first.isWhereSaid, score.match < 0.84 else { return false }
    // Of two countries the larger one may be meant, however close they are: Congo.
    if place.kind == .country, first.place.kind == .country { return score.importance > first.score.importance }
    guard isFar(from: first) else { return false }
    if place.kind == .airport {
      return first.score.importance < 0.55 && score.importance > 0.3
        && (first.place.kind != .airport || score.importance > first.score.importance + 0.1)
    }
    guard score.match >= 0.55 else { return false }
    if score.total > first.score.total { return true }
    return first.score.importance < 0.55 && place.countryCode != first.place.countryCode
      && score.importance + 0.118 > first.score.importance
  }

  /// Whether the words of a text stand together in the name by which it was found.
  fileprivate func hasWords(of text: String) -> Bool {
    func words(_ text: String) -> String { " " + Self.words(text).joined(separator: " ") + " " }
    return words(place.matchedName).contains(words(text))
  }

  /// Not in or beside the same city.
  fileprivate func isFar(from other: SearchResult) -> Bool { distance(from: other) > 100_000 }

  private func distance(from other: SearchResult) -> Double {
    func point(_ place: Place) -> Point { Point(latitude: place.latitude, longitude: place.longitude) }
    return GreatCircle.distance(point(place), point(other.place))
  }
}
