import Basics
import Foundation

/// One search: collects the places that match the text, each with its best match.
struct NameSearch {
  /// A place, and the reason why it was found.
  struct Hit {
    let place: UInt32
    let alias: Int
    let match: Float
    let importance: Float
    let context: Float
    let nearness: Float

    var total: Float { match + importance + context + nearness }

    var withoutContext: Hit {
      Hit(place: place, alias: alias, match: match, importance: importance, context: 0, nearness: nearness)
    }
  }

  let tables: PlaceIndex
  /// The index whose regions and towns are areas that can be typed: that of the gazetteer.
  let world: PlaceIndex
  let request: SearchRequest
  private let candidates: [Candidate]
  var fit: NameFit
  /// The best hit of each place.
  var hits: [UInt32: Hit] = [:]
  /// The importance of the most important place whose whole name was typed.
  var known: Float = 0
  /// Whether some index has a name that equals the whole text, or begins with it while it is being typed. Then it is
  /// hardly a kind of places in a town.
  var isName = false
  /// Whether a kind of places was typed, and all places of the kind are listed.
  var isOfKind = false
  /// Whether some name has the typed text as a word.
  private var hasWord = false
  /// Whether a well-known name begins with the typed text.
  private var isBegun = false
  /// Whether the text is still being typed and begins a well-known name.
  private var isBeginning = false
  /// Whether all of the text so far is the beginning of a well-known name, or of that of something near.
  private var isWholeBegun = false
  /// The importance of the most important place whose whole name equals the whole text, word by word.
  var whole: Float?

  /// The number of names that begin with the typed text and are scored at once.
  static let weighed = 400
  /// The number of names with the typed text of which it is looked up where they lie, about.
  static let examined = 10_000
  /// The maximum number of places considered for one name or word.
  static let namesakes = 3_000

  /// Prepares a search in one index.
  /// - Parameter candidates: The readings of the text.
  init(_ tables: PlaceIndex, in world: PlaceIndex, _ request: SearchRequest, _ candidates: [Candidate]) {
    (self.tables, self.world) = (tables, world)
    (self.request, self.candidates) = (request, candidates)
    fit = NameFit(tables, request)
  }

  /// The readings that may be a place of any kind, and those in an area in which only features can lie.
  private var anywhere: [Candidate] { candidates.filter { !$0.isLocal } }
  private var local: [Candidate] { candidates.filter(\.isLocal) }
  private var beginnings: [Candidate] { anywhere.filter { $0.areas.isEmpty || known == 0 } }

  /// Whether the whole text is a name, or the beginning of one while it is being typed.
  func hasName() -> Bool {
    candidates.contains { candidate in
      guard candidate.areas.isEmpty, candidate.penalty == 0 else { return false }
      let entries = tables.entries(beginningWith: candidate.key)
      return (request.isCompleting ? entries.all : entries.exact).prefix(Self.weighed).contains { tables.isWhole($0) }
    }
  }

  /// Finds the names that were typed correctly.
  mutating func findNames() {
    let candidates = anywhere
    for candidate in candidates { addNamed(candidate.key, in: candidate.areas, penalty: candidate.penalty) }
    if known == 0 {
      for each in candidates where each.penalty == 0 { addShortenedWords(each.text, in: each.areas) }
    }
    let isKnown = known >= 0.3
    addLocal(local)
    addKinds(self.candidates, isKnown: isKnown)
    let beginnings = beginnings
    // Without a comma, the text is more likely a whole name: Porto Santo is not something that begins with Santo in
    // Porto.
    let loose: Float = request.isCompleting || request.text.contains(",") ? 0 : 0.15
    for candidate in beginnings {
      addBeginning(
        candidate.key, in: candidate.areas, penalty: candidate.penalty + (candidate.areas.isEmpty ? 0 : loose))
    }
    for candidate in candidates where candidate.areas.isEmpty && candidate.penalty == 0 {
      preferBareNames(candidate.key)
    }
    isBegun = hits.values.contains { hit in
      hit.context == 0 && hit.importance >= 0.6
        && candidates.contains { $0.areas.isEmpty && tables.key(of: hit.alias).starts(with: $0.key) }
    }
    // While text is being typed, the beginning of a well-known name isn't a misspelling.
    isBeginning = request.isCompleting && hits.values.contains { $0.total >= 1.4 }
    isWholeBegun = request.isCompleting && hits.values.contains { $0.context == 0 && $0.total >= 1.4 }
  }

  /// Takes into account what searches in other indexes have found. Call it between `findNames` and `findMisspelled`.
  mutating func join(_ others: [NameSearch]) {
    for other in others {
      known = max(known, other.known)
      isOfKind = isOfKind || other.isOfKind
      hasWord = hasWord || other.hasWord
      isBegun = isBegun || other.isBegun
      isBeginning = isBeginning || other.isBeginning
      isWholeBegun = isWholeBegun || other.isWholeBegun
    }
  }

  /// Finds names that may have been misspelled, if no important place has the name, and airports.
  mutating func findMisspelled() {
    let candidates = anywhere
    if isWholeBegun, !candidates.contains(where: \.isSure) { preferWholeNames() }
    if addCodedAirports() || known < 0.55 && !isBeginning && addAirports() {
      // The text with a word for airport is not a misspelled name.
    } else if known < 0.42, !isBeginning, !isOfKind {
      if known == 0 { addMisspelledLocal(local) }
      let (likely, others) = Candidate.misspelled(candidates, request)
      for candidate in likely { addMisspelled(candidate.text, candidate.key, in: candidate.areas) }
      for candidate in others where hits.isEmpty {
        addMisspelled(candidate.text, candidate.key, in: candidate.areas)
      }
      if hits.isEmpty, known == 0 { addShortened() }
    } else if known < 0.65 {
      // A small town has the name in this script, but the data may lack that name for a large town.
      for candidate in Candidate.misspelled(candidates, request).likely {
        addRespelled(candidate.text, in: candidate.areas)
      }
    }
    addNamesakes()
    putAirportsFirst()
  }

  /// Returns the best `count` hits, or more, the best first; equal ones by importance.
  mutating func best(_ count: Int) -> [Hit] {
    let best = sorted()
    guard best.count < count else { return best }
    // Only someone who pages through the results reaches this: names that begin with the text but are not well known.
    hits = [:]
    for candidate in beginnings { addBeginning(candidate.key, in: candidate.areas, penalty: 0, all: true) }
    for hit in best { hits[hit.place] = nil }
    return best + sorted()
  }

  func sorted() -> [Hit] { hits.values.sorted { ($1.total, $0.place) < ($0.total, $1.place) } }

  // MARK: Ways to find a name

  /// Adds the places that have the name, or have it as a word.
  /// - Parameter sort: The kind of place; other kinds are less likely.
  mutating func addNamed(
    _ key: [UInt8], in areas: [Areas], penalty: Float, sort: Spelling.Sort? = nil
  ) {
    var count = 0
    let entries = tables.entries(beginningWith: key).exact
    let rival = bearer(of: entries)
    // Airports in Vienne are not found by a word of their names.
    let isKind = !areas.isEmpty && KindWords(String(decoding: key, as: UTF8.self))?.rest.isEmpty == true
    // The most important come first. A word that more names have hardly says which place is meant.
    for entry in entries.prefix(Self.examined) {
      let alias = tables.alias(ofEntry: entry)
      let isWhole = tables.isWhole(entry)
      if isKind, !isWhole { continue }
      // Notre-Dame de Paris comes after all that is called Paris.
      let isPart = !isWhole && rival && isFeature(alias)
      let isInside = !isWhole && tables.isInside(entry, of: alias)
      var match = isWhole ? fit.whole(alias, length: key.count) : 0.72 - fit.exonymPenalty(alias)
      if isWhole, isFeature(alias) { match = min(match, whole(alias)) }
      if isPart { match -= Self.partOfFeature }
      // A character at the end of a name is not a word: it counts less than one at the beginning.
      if isInside { match = beginning(key.count, of: tables.key(of: alias).count) - 0.2 - fit.exonymPenalty(alias) }
      if isWhole, rival, tables.aliasLanguages[alias] == 0, tables.aliasFlags[alias] & PlaceIndex.ownKey == 0 {
        match -= Self.nickname
      }
      if let sort, (sort == .region) != isArea(alias) { match -= 0.25 }
      guard let hit = add(alias, match: match - penalty, in: areas) else { continue }
      count += 1
      if count == Self.namesakes { break }
      hasWord = true
      guard isWhole, penalty <= Spelling.variant else { continue }
      known = max(known, hit.importance)
      if areas.isEmpty, match >= 0.84, !isArea(alias), fit.isTyped(alias) { whole = max(whole ?? 0, hit.importance) }
    }
  }

  /// Whether a town that is not tiny has the name as its own: then it isn't an old or rare name of a larger one. Freetown
  /// has been called Saint George, but that is a town in Utah.
  private func bearer(of entries: Range<Int>) -> Bool {
    entries.prefix(Self.namesakes).contains { entry in
      guard tables.isWhole(entry) else { return false }
      let alias = tables.alias(ofEntry: entry)
      return tables.aliasFlags[alias] & PlaceIndex.own != 0 && tables.importances[tables.place(of: alias)] >= 0.45
        && !isArea(alias)
    }
  }

  /// The reduction of the score of a feature with the name of a town in its own.
  private static let partOfFeature: Float = 0.3
  /// The reduction of the score of a name of no known language that others have as their own.
  private static let nickname: Float = 0.12

  /// Adds the places with a longer name, or a longer word of a name, that begins with the key.
  mutating func addBeginning(_ key: [UInt8], in areas: [Areas], penalty: Float, all: Bool = false) {
    let entries = tables.entries(beginningWith: key)
    let longer = entries.exact.upperBound..<entries.all.upperBound
    for entry in all ? Array(longer) : heaviest(longer, in: areas) {
      let alias = tables.alias(ofEntry: entry)
      // Codes are not completed.
      guard tables.aliasFlags[alias] & PlaceIndex.code == 0 else { continue }
      let position = Int(tables.entryPositions[entry])
      let length = tables.keyLength(at: position)
      var match = beginning(key.count, of: length) - (tables.isWhole(entry) ? 0 : 0.15)
      if tables.isWhole(entry), fit.isBegun(alias) { match += 0.15 }
      // People type the beginning of a town's name rather than that of a sight.
      if isFeature(alias) { match -= 0.12 * (1 - Float(key.count) / Float(length)) }
      if let ending = ending(position + key.count, position + length, of: alias) {
        match = max(match, tables.isWhole(entry) ? ending : 0.7)
        hasWord = true
      }
      // Half of the letters of an imported name tell that it is meant: no one else knows it.
      if tables.source != nil, tables.isWhole(entry), key.count >= 4, 2 * key.count >= length {
        match = max(match, 0.5 + 0.3 * Float(key.count) / Float(length))
      }
      // The first words of an imported name are all that people know of it: Quorlinga Hut.
      if tables.source != nil, tables.isWhole(entry), match < 0.72, isWords(key.count, of: alias) {
        match = 0.72
        hasWord = true
      }
      if key.count >= 6, tables.isWhole(entry),
        Spelling.isDivision(tables.keys[(position + key.count)..<(position + length)])
      {
        match = 1.01
        let place = tables.place(of: alias)
        if isWanted(place, in: areas) { known = max(known, tables.importances[place]) }
      }
      add(alias, match: match - penalty - fit.exonymPenalty(alias), in: areas)
    }
  }

  /// Prefers whole names: if all of the text so far is the beginning of a name, that is meant, and not a place in a region
  /// that the last word may mean. "rio de" is not Rio in Delaware, and "las ve" is not something in a region that begins
  /// with Las.
  private mutating func preferWholeNames() {
    for hit in hits.values where hit.context > 0 {
      // With a reference position, what begins near it is meant, and not what is called so far away.
      hits[hit.place] = hit.match >= 0.84 && request.near == nil ? hit.withoutContext : nil
    }
    for whole in beginnings where whole.areas.isEmpty { addBeginning(whole.key, in: [], penalty: whole.penalty) }
  }

  /// Adds names with other spellings.
  /// - Returns: The spellings in Latin letters that differ from `text`.
  @discardableResult
  private mutating func addRespelled(_ text: String, in areas: [Areas]) -> [Spelling] {
    let isUnknown = known == 0
    var latin: [Spelling] = []
    for var spelling in Spelling.others(of: text) {
      // If the name is known in its own characters, or begun, names that only sound the same come last.
      if spelling.isHomophone, !isUnknown || isBegun { spelling.penalty += 0.55 }
      // Florida City is known, and it is not Florida.
      if spelling.sort != nil, !isUnknown { spelling.penalty += 0.1 }
      addNamed(spelling.key, in: areas, penalty: spelling.penalty, sort: spelling.sort)
      if isUnknown { addBeginning(spelling.key, in: areas, penalty: spelling.penalty + 0.05) }
      if spelling.isLatin { latin.append(spelling) }
    }
    return latin
  }

  /// Adds names that are spelled differently, misspelled, or sound similar.
  private mutating func addMisspelled(_ text: String, _ key: [UInt8], in areas: [Areas]) {
    let latin = (key.allSatisfy({ $0 < 0x80 }) ? [Spelling(key: key, penalty: 0)] : []) + addRespelled(text, in: areas)
    // Text that is a word of some name, or the beginning of a well-known one, is probably not a misspelling.
    let doubt: Float = hasWord || isBegun || known > 0 ? 0.4 : 0
    for spelling in latin { addTypos(spelling, in: areas, doubt: doubt) }
  }

  /// Adds names that differ in a few letters, or sound similar.
  mutating func addTypos(_ spelling: Spelling, in areas: [Areas], doubt: Float) {
    // If something has the name, only a place that all know may be meant instead, and the gazetteer has those.
    guard known == 0 || tables.source == nil else { return }
    TypoScan(tables, spelling.key).forEach { alias, edits in
      let match = 0.85 - 1.3 * Float(edits) / Float(spelling.key.count) - fit.exonymPenalty(alias)
      add(alias, match: match - spelling.penalty - doubt, in: areas)
    }
    SoundScan(tables, spelling.key).forEach { alias, distance in
      // People who type Latin letters have probably mistyped a familiar name rather than heard a foreign one.
      let exonymPenalty = spelling.penalty == 0 ? fit.exonymPenalty(alias) / 2 : 0
      add(alias, match: 0.75 - 1.6 * distance - spelling.penalty - doubt - exonymPenalty, in: areas)
    }
  }

  /// Adds places known without the last word, or the first: the city of a quarter.
  private mutating func addShortened() {
    let words = request.text.split(whereSeparator: \.isWhitespace)
    // The text after a comma is where the place lies: if that is unknown, so is the place.
    guard (2...6).contains(words.count), !request.text.contains(where: { ",，、;".contains($0) }) else { return }
    var folding = Folding()
    for rest in [words.dropLast(), words.dropFirst()] where hits.isEmpty {
      let key = folding.keyBytes(rest.joined(separator: " "))
      guard key.count > 3 else { continue }
      addNamed(key, in: [], penalty: 0.4)
      if hits.isEmpty { addBeginning(key, in: [], penalty: 0.4) }
    }
  }

  /// Whether an alias belongs to a region or a country.
  private func isArea(_ alias: Int) -> Bool {
    PlaceClass(rawValue: tables.classes[tables.place(of: alias)])?.isRegion == true
  }

  /// Returns the most that a whole name of a feature counts: Michigan is the lake only if nothing else is meant.
  private func whole(_ alias: Int) -> Float {
    let place = tables.place(of: alias)
    guard tables.aliasFlags[alias] & (PlaceIndex.own | PlaceIndex.code) == 0 else { return .infinity }
    let own = tables.text(of: Int(tables.firstAliases[place]))
    if let bare = KindWords.bareKey(own), tables.key(of: alias).elementsEqual(bare) { return 0.75 }
    // Names of lakes in other languages rarely have a word for lake.
    guard tables.classes[place] == PlaceClass.feature(.lake).rawValue else { return .infinity }
    return KindWords(tables.text(of: alias)) == nil ? 0.8 : .infinity
  }

  private func isFeature(_ alias: Int) -> Bool {
    if case .feature? = PlaceClass(rawValue: tables.classes[tables.place(of: alias)]) { true } else { false }
  }
}
