import Basics
import Foundation

/// The places of a search that have the typed name, and the one that it means. `Gazetteer.resolve` documents the rule.
struct NameResolution {
  private struct Candidate {
    let result: SearchResult
    let status: NameStatus
    /// Whether the name is the whole text.
    let isWhole: Bool
    /// Whether the text before the country or region is a name of the place.
    let isNamed: Bool
    /// Whether the text before the country or region seems to be another spelling of the place's usual name.
    let isSpelling: Bool

    var place: Place { result.place }
    /// The number of inhabitants, for comparisons.
    var weight: Double { Double(place.population) * (status.isExonymOfSeat ? 10 : 1) }
    /// Whether it lies in the country or region that was typed with it; an overseas territory counts only loosely.
    var isWhereSaid: Bool { result.score.context > 0.25 && !isWhole }
    var isFeature: Bool { place.isFeature }
    /// Whether people who type the name hardly mean it if they have a place of that name.
    var isLittleKnown: Bool {
      weight < NameResolution.leastInhabitants && place.importance < NameResolution.leastImportance && !result.isArea
    }

    /// Whether a feature is so much better known than another place that people mean it.
    func outshines(_ other: Candidate) -> Bool { place.importance >= other.place.importance + NameResolution.leastLead }

    /// Whether a feature elsewhere is about as well known under its own name as this town or region is.
    func isOutshone(by feature: Candidate) -> Bool {
      feature.isFeature && feature.result.score.match >= (result.isArea ? 0.84 : NameResolution.leastMatch)
        && feature.place.importance > place.importance - 0.1 && !isAround(feature)
    }

    /// Whether a feature is the same thing: Sicily is an island and a region, and Geneva a town at its lake, which is
    /// longer than wide.
    func isAround(_ feature: Candidate) -> Bool {
      let kind = feature.place.kind
      if result.isArea, kind == .peak || kind == .volcano { return false }
      let reach = result.isArea ? 100_000.0 : kind == .lake ? 50_000 : 20_000
      return place.coordinate.haversineDistance(to: feature.place.coordinate) < reach + (feature.place.radius ?? 0)
    }
  }

  private let text: String
  private let whole: TypedName
  private let all: [Candidate]
  /// Countries in which more than two regions have names that begin with the text: it then means more than a town.
  private let dividing: Set<String>
  /// Countries with a region whose longer name contains the text before the country: Luzon is more than a village.
  private let reaching: Set<String>
  /// By country, the inhabitants of places whose names end with the name, like places at a lake: Kressbronn am
  /// Bodensee.
  private let beside: [String: Double]

  /// Decides which of the found places the text means.
  /// - Parameters:
  ///   - typed: The whole text, and the parts of it that may be the name.
  ///   - statuses: One for each of `found`.
  init(_ found: [SearchResult], text: String, typed: [TypedName], statuses: [NameStatus]) {
    self.text = text
    let whole = typed[0]
    self.whole = whole
    let regions = found.map(\.place).filter { $0.kind == .admin1 }
    // Many capitals have a region of the same name around them, so more than two are needed.
    dividing = Set(
      Dictionary(grouping: regions.filter { whole.begins($0.name) }, by: \.countryCode).filter { $0.value.count > 2 }
        .keys)
    reaching = Set(
      regions.filter { region in
        typed.dropFirst().contains { $0.isWord(of: region.name) && !$0.isSame(as: region.name) }
      }.map(\.countryCode))
    beside = Dictionary(
      found.filter { result in
        result.score.context > 0.25 && !result.isArea
          && typed.dropFirst().contains { $0.ends(result.place.name) && !$0.isSame(as: result.place.name) }
      }.map { ($0.place.countryCode, Double($0.place.population)) }, uniquingKeysWith: +)
    let candidates: [Candidate] = zip(found, statuses).compactMap { result, status in
      let isWhole = whole.isSame(as: result.place.matchedName)
      let isKnown =
        result.place.isFeature && result.place.importance >= Self.leastImportance && result.score.context == 0
        && !text.contains(",")
      guard
        isWhole || result.score.match >= (isKnown ? Self.leastMatch : 0.84)
          || isKnown && [result.place.matchedName, result.place.name].contains(where: whole.isWord)
          || result.score.context > 0.25 && whole.has(result.place.matchedName)
      else { return nil }
      let name = typed.dropFirst().first { $0.isSame(as: result.place.matchedName) }
      // Bruneck is a spelling of Brunico; Central Park is not a spelling of Bethpage.
      let isSpelling = name.map { $0.isSpelling(of: result.place.name) } ?? false
      return Candidate(
        result: result, status: status, isWhole: isWhole, isNamed: status.isName && name != nil,
        isSpelling: isSpelling)
    }
    // Tokyo Tower is in Tokyo, so "Tokyo" means the city.
    let settled = candidates.filter { $0.isWhole && !$0.isFeature }
    all = candidates.filter { candidate in
      !candidate.isFeature || candidate.isWhole || !settled.contains { $0.isAround(candidate) }
    }
  }

  var isEmpty: Bool { all.isEmpty }

  /// The candidates, the most important first, at most `PlaceResolution.mostCandidates`; only pins if there are any.
  var places: [Place] { (pins.isEmpty ? all : pins).prefix(PlaceResolution.mostCandidates).map(\.place) }

  private var pins: [Candidate] {
    let pins = all.filter(\.place.isPin)
    let whole = pins.filter(\.isWhole)
    return whole.isEmpty ? pins : whole
  }

  /// The place that is meant; nil if it isn't clear.
  var meant: Place? {
    guard pins.isEmpty else { return pins.count == 1 ? pins[0].place : nil }
    if let own = ownPlace { return own }
    if Gazetteer.isCode(text), all.contains(where: \.status.isCode) { return coded }
    let whole = all.filter(\.isWhole)
    let named = whole.filter(\.status.isOwn)
    let qualified = all.filter(\.isWhereSaid)
    // Without a comma, the whole text may be one name: Porto Santo is not the Santo of Porto.
    if !text.contains(where: { ",，、;".contains($0) }), !whole.isEmpty || qualified.isEmpty { return clear(of: named) }
    return qualified.isEmpty ? clear(of: named) : only(of: qualified)
  }

  /// The only place of the user's own with the name, unless something well known has it, too.
  private var ownPlace: Place? {
    let whole = all.filter(\.isWhole)
    let own = whole.filter { $0.place.kind == .own }
    guard own.count == 1, whole.allSatisfy({ $0.place.kind == .own || $0.isLittleKnown }) else { return nil }
    return own[0].place
  }

  /// The place of a code: a country for two letters, a country or an airport for three, an airport for four. Cities
  /// have codes, too.
  private var coded: Place? {
    let coded = all.filter(\.status.isCode)
    let airports = coded.filter { $0.place.kind == .airport }
    if let country = coded.first(where: { $0.place.kind == .country }) {
      return text.count == 2 || airports.isEmpty || Self.countries.contains(text) ? country.place : nil
    }
    guard text.count > 2, let first = airports.first ?? coded.first else { return nil }
    guard
      first.place.kind == .airport ? first.place.importance >= Self.leastAirport : first.weight >= Self.leastOfInitials
    else { return nil }
    let others = airports.isEmpty ? coded : airports
    let namesakes = all.filter {
      $0.isWhole && $0.status.isOwn && !$0.status.isCode
        && (text.count > 3 || $0.result.isArea || $0.weight >= Self.leastInhabitants)
    }
    return (others + namesakes).allSatisfy { !$0.result.isFar(from: first.result) } ? first.place : nil
  }

  /// Codes that everyone uses for the country, although a small airport has them.
  private static let countries: Set<String> = ["USA", "GBR"]

  /// Returns the place that remains for a name with its region or country.
  private func only(of qualified: [Candidate]) -> Place? {
    let names = qualified.filter(\.isNamed)
    let named = names.isEmpty ? qualified.filter(\.isSpelling) : names
    guard var first = named.first else { return nil }
    if first.isFeature, let town = named.first(where: { !$0.isFeature && $0.isAround(first) }) { first = town }
    if first.isFeature {
      let rivals = named.filter { $0.place.id != first.place.id && !$0.result.isSamePlace(as: first.result) }
      return rivals.allSatisfy { first.outshines($0) } ? first.place : nil
    }
    // CA is Canada and California.
    let isOfTwo = text.contains(Pattern.capitals)
    guard !isOfTwo || named.allSatisfy({ $0.place.countryCode == first.place.countryCode }) else { return nil }
    // An overseas territory belongs to a country only loosely, but may be meant: San Juan, USA.
    let loose = all.filter { $0.result.score.context > 0 && !$0.isWhole && !$0.isWhereSaid && $0.status.isOwn }
    let rivals = (named + loose).filter {
      $0.place.id != first.place.id && !$0.isFeature && !$0.result.isSamePlace(as: first.result)
    }
    guard !named.contains(where: { first.isOutshone(by: $0) }) else { return nil }
    guard
      rivals.isEmpty || first.weight >= Self.leastInhabitants && rivals.allSatisfy({ $0.weight * 10 <= first.weight })
    else { return nil }
    guard let area = named.first(where: { $0.result.isArea && $0.result.isSamePlace(as: first.result) }) else {
      return isMore(first, than: qualified) ? nil : first.place
    }
    guard let town = named.first(where: { $0.result.isTown(of: area.result) }) else { return area.place }
    if area.place.kind == .country { return town.weight * 2 >= area.weight ? town.place : nil }
    // Penang is a name of George Town, and an island.
    guard SearchResult.mainName(town.place.name) == SearchResult.mainName(area.place.name) else { return nil }
    return town.status.isSeat || town.weight * 4 >= area.weight ? town.place : nil
  }

  /// Whether the name of a small town may mean something larger, or another place: a region, a lake at which larger
  /// towns lie, or a town with a longer name if this isn't the small town's usual name.
  private func isMore(_ town: Candidate, than all: [Candidate]) -> Bool {
    if town.status.isSeat || town.weight >= Self.leastInhabitants { return false }
    if reaching.contains(town.place.countryCode) { return true }
    let name = TypedName(town.place.matchedName)
    if town.weight < Self.leastTown, let others = beside[town.place.countryCode] {
      // Bodensee is a village, Königssee another name of Königsee, and both are lakes.
      if others >= town.weight * 10 || !name.isSpelled(as: town.place.name) { return true }
    }
    return !name.isSame(as: town.place.name)
      && all.contains { $0.place.id != town.place.id && name.isWord(of: $0.place.name) }
  }

  /// Returns the place that a name alone means.
  private func clear(of named: [Candidate]) -> Place? {
    if let feature = feature(of: named) { return feature }
    let named = named.filter { !$0.isFeature }
    let towns = named.filter { !$0.result.isArea }.sorted { $0.weight > $1.weight }
    let areas = named.filter(\.result.isArea).sorted { $0.weight > $1.weight }
    if let town = towns.first, town.weight >= Self.leastInhabitants {
      let rivals = named.filter { !$0.result.isSamePlace(as: town.result) }
      let country = areas.first { $0.place.kind == .country && town.result.isTown(of: $0.result) }
      let region = areas.first { $0.place.kind == .admin1 && town.result.isTown(of: $0.result) }
      // Okinawa is a small part of the region Okinawa, New York a large part of the state.
      let isMost =
        (country.map { town.weight * 2 >= $0.weight } ?? true)
        && (town.status.isSeat || (region.map { town.weight * 4 >= $0.weight } ?? true))
        && !dividing.contains(town.place.countryCode)
      let isLargest = rivals.allSatisfy {
        $0.weight * 10 <= town.weight && (!town.status.isExonymOfSeat || $0.weight < Self.leastInhabitants)
      }
      guard !all.contains(where: { town.isOutshone(by: $0) }), isTyped(town) else { return nil }
      if isMost && isLargest { return town.place }
      // Jamaica is also a part of New York. People who mean a town may not know of a region with its name (Victoria).
      guard areas.first?.place.kind == .country else { return nil }
    }
    guard let area = areas.first, area.place.kind == .country || area.weight >= Self.leastInhabitants else {
      return nil
    }
    // The seat of the region with the same name is too small, but may be meant. Kiev is a region, and once was a
    // capital's name.
    let isTown = towns.contains { $0.result.isTown(of: area.result) }
    let wasTown = all.contains {
      $0.isWhole && $0.status.isSeat && $0.weight >= Self.leastInhabitants && area.place.kind == .admin1
        && $0.place.countryCode == area.place.countryCode
    }
    guard !isTown, !wasTown, !all.contains(where: { area.isOutshone(by: $0) }) else { return nil }
    let rivals = named.filter { !$0.result.isSamePlace(as: area.result) }
    return rivals.allSatisfy { $0.weight * 10 <= area.weight } ? area.place : nil
  }

  /// Whether a town's name has the typed words, or no well-known feature has them: Christ Church is not Christchurch.
  private func isTyped(_ town: Candidate) -> Bool {
    whole.hasWords(of: town.place.matchedName)
      || !all.contains { $0.isFeature && $0.isWhole && whole.hasWords(of: $0.place.matchedName) }
  }

  /// Returns the feature that a name alone means: one that is well known, and better known than anything else that is
  /// called so. Patagonia is not the town in Arizona.
  private func feature(of named: [Candidate]) -> Place? {
    let first = named.filter(\.isFeature).max {
      ($0.place.importance, $1.place.id) < ($1.place.importance, $0.place.id)
    }
    guard let first, first.place.importance >= Self.leastImportance else { return nil }
    // There are many a Royal Palace, although they have longer names.
    let rivals = all.filter {
      ($0.isWhole || $0.isFeature && !first.isAround($0)) && $0.place.id != first.place.id
        && !$0.result.isSamePlace(as: first.result)
    }
    return rivals.allSatisfy { first.outshines($0) } ? first.place : nil
  }

  /// The match of a well-known feature whose name was typed without some of its words: the Rialto is a bridge.
  fileprivate static let leastMatch = 0.7
  /// The importance below which a feature needs its town, region or country with its name.
  fileprivate static let leastImportance = 0.5
  /// By how much the importance of a feature exceeds that of others of its name.
  fileprivate static let leastLead = 0.25

  /// The importance below which an airport needs more than its code: that of a large one.
  fileprivate static let leastAirport = 0.4
  /// The population below which initials don't mean a place.
  fileprivate static let leastOfInitials = 1_000_000.0
  /// The population below which a place needs its region or country with its name.
  fileprivate static let leastInhabitants = 100_000.0
  /// The population below which a place is less known than a lake after which towns around it are named.
  private static let leastTown = 10_000.0
}

/// A typed text that is compared with names without case, accents, spaces and punctuation.
struct TypedName {
  private let key: String
  private let plain: String
  private let words: String

  init(_ text: String) {
    var folding = Folding()
    key = folding.key(text)
    plain = Self.plain(text)
    words = Self.words(text)
  }

  func isSame(as name: String) -> Bool {
    var folding = Folding()
    return folding.key(name) == key || Self.plain(name) == plain || Self.plain(Self.spelledOut(name)) == plain
  }

  /// Whether a name begins with the words of the text.
  func begins(_ name: String) -> Bool { Self.words(name).hasPrefix(words) }

  /// Whether a name has the same letters, ignoring case and accents.
  func isSpelled(as name: String) -> Bool { Self.plain(name) == plain }

  /// Whether a name ends with the words of the text.
  func ends(_ name: String) -> Bool { Self.words(name).hasSuffix(words) }

  /// Whether the text may be another spelling of a name, judged by its beginning.
  func isSpelling(of name: String) -> Bool {
    let other = Self.plain(name)
    return plain.count > 3 && plain.prefix(3) == other.prefix(3) && !isWord(of: name)
  }

  /// Whether a name contains the words of the text as a sequence.
  func isWord(of name: String) -> Bool { Self.words(name).contains(words) }

  /// Whether a name has the same words, ignoring case and accents.
  func hasWords(of name: String) -> Bool { Self.words(name) == words }

  /// Whether the text contains the words of a name as a sequence.
  func has(_ name: String) -> Bool { words.contains(Self.words(name)) }

  /// Returns `München` as `munchen`; the key contains `muenchen`.
  private static func plain(_ text: String) -> String {
    let text = text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
      .filter { $0.isLetter || $0.isNumber }
    guard text.unicodeScalars.contains(where: { (0x3400...0x9FFF).contains($0.value) }) else { return text }
    return text.applyingTransform(StringTransform("Hant-Hans"), reverse: false) ?? text
  }

  /// Returns `München` as `Muenchen`.
  private static func spelledOut(_ text: String) -> String {
    text.reduce(into: "") { $0 += letters[$1] ?? String($1) }
  }

  private static let letters: [Character: String] = [
    "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ø": "oe", "Ø": "Oe", "å": "aa", "Å": "Aa",
  ]

  private static func words(_ text: String) -> String {
    " " + text.split { !$0.isLetter && !$0.isNumber }.map { plain(String($0)) }.joined(separator: " ") + " "
  }
}

extension Gazetteer {
  /// Whether a text has the form of an ISO, IATA or ICAO code in capitals.
  static func isCode(_ text: String) -> Bool {
    (2...4).contains(text.utf8.count) && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }
}

extension SearchResult {
  var isArea: Bool { place.kind == .admin1 || place.kind == .country }

  /// Whether it lies in that region or country and has the same name.
  func isTown(of other: SearchResult) -> Bool {
    let (town, area) = (place, other.place)
    guard other.isArea, [.city, .capital].contains(town.kind), town.countryCode == area.countryCode else {
      return false
    }
    let (own, around) = (Array(Self.mainName(town.name).utf8), Array(Self.mainName(area.name).utf8))
    // Buenos Aires is a district of its own, with the province around it; Washington is far from the state.
    if town.kind == .capital, own == around, distance(from: other) < 300_000 { return true }
    guard area.kind == .country || town.admin1 == area.admin1 else { return false }
    if own == around || distance(from: other) < 50_000 { return true }
    // Zaporizhzhya is in Zaporizhzhia; Victoria de Durango is the town of Durango.
    guard !around.isEmpty else { return false }
    return EditDistance.between(own, around) <= around.count / 5 || own.suffix(around.count).elementsEqual(around)
  }

  /// Returns the name without words for the kind of place: Kuwait City is Kuwait, but Brandenburg an der Havel is not
  /// Brandenburg.
  static func mainName(_ name: String) -> String {
    var folding = Folding()
    return name.split { !$0.isLetter }.filter { !Spelling.isKind(String($0)) }.map { folding.key($0) }.joined()
  }

  /// Whether one is around the other, or they have grown together across a border (Kansas City).
  func isSamePlace(as other: SearchResult) -> Bool {
    isTown(of: other) || other.isTown(of: self)
      || isArea && other.isArea && place.countryCode == other.place.countryCode
        && [place.kind, other.place.kind].contains(.country)
      || place.name == other.place.name && distance(from: other) < 10_000
  }

  /// Whether it is more than 100 km away, so not in or near the same city.
  func isFar(from other: SearchResult) -> Bool { distance(from: other) > 100_000 }

  private func distance(from other: SearchResult) -> Double {
    func point(_ place: Place) -> Coordinate { place.coordinate }
    return point(place).haversineDistance(to: point(other.place))
  }
}

/// Patterns that are compiled once.
private enum Pattern {
  nonisolated(unsafe) static let capitals = #/[\s,，、;][A-Z]{2}\s*$/#
}
