import Foundation

/// One search: gathers the places that fit what was typed, each by what speaks most for it.
struct NameSearch {
  /// A place and why it was found.
  struct Hit {
    let place: UInt32
    let alias: UInt32
    let match: Float
    let importance: Float
    let context: Float
    let nearness: Float

    var total: Float { match + importance + context + nearness }
  }

  let tables: NameTables
  let request: SearchRequest
  /// Best of each place.
  private var hits: [UInt32: Hit] = [:]
  /// The importance of the most important place that bears the whole name as it was typed.
  private var known: Float = 0
  private let isCode: Bool

  /// Of the names that begin with what was typed, so many are weighed in full; the rest follow by importance.
  static let weighed = 400
  /// Of one name or word, so many places.
  private static let namesakes = 3_000

  init(_ tables: NameTables, _ request: SearchRequest) {
    self.tables = tables
    self.request = request
    let text = request.text.trimmingCharacters(in: .whitespaces)
    isCode = (2...4).contains(text.utf8.count) && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }

  /// All that were found, the best first; of equally good ones the more important.
  mutating func run() -> [Hit] {
    var folding = Folding()
    var readings: [(text: String, key: [UInt8], areas: [Areas])] = []
    for (number, reading) in Reading.all(of: request.text).enumerated() {
      let key = folding.keyBytes(reading.name)
      guard !key.isEmpty else { continue }
      var areas: [Areas] = []
      for name in reading.within {
        let isLast = request.isCompleting && name == reading.within.last && number == 1
        areas.append(Areas(tables, key: folding.keyBytes(name), orBeginWithIt: isLast))
        if areas.last?.isEmpty == true { break }
      }
      if areas.allSatisfy({ !$0.isEmpty }) { readings.append((reading.name, key, areas)) }
    }
    for reading in readings { addNamed(reading.key, in: reading.areas, penalty: 0) }
    for reading in readings where reading.areas.isEmpty || known == 0 { addBeginning(reading.key, in: reading.areas, penalty: 0) }
    if known < 0.45 {
      for reading in readings where reading.areas.isEmpty || hits.isEmpty || readings.count == 2 {
        addMisspelled(reading.text, reading.key, in: reading.areas)
      }
    }
    return hits.values.sorted { ($1.total, $0.place) < ($0.total, $1.place) }
  }

  private mutating func addMisspelled(_ text: String, _ key: [UInt8], in areas: [Areas]) {
    let before = known
    var latin = key.allSatisfy({ $0 < 0x80 }) ? [Spelling(key: key, penalty: 0)] : []
    for spelling in Spelling.others(of: text) {
      addNamed(spelling.key, in: areas, penalty: spelling.penalty)
      if before == 0 { addBeginning(spelling.key, in: areas, penalty: spelling.penalty + 0.05) }
      if spelling.key.allSatisfy({ $0 < 0x80 }) { latin.append(spelling) }
    }
    for spelling in latin where spelling.penalty != 0.02 {
      TypoScan(tables, spelling.key).forEach { alias, edits in
        let share = Float(edits) / Float(spelling.key.count)
        add(alias, match: 0.8 - 0.9 * share - spelling.penalty, in: areas)
      }
      SoundScan(tables, spelling.key).forEach { alias, distance in
        add(alias, match: 0.7 - distance - spelling.penalty, in: areas)
      }
    }
  }

  /// Adds the places that bear the name, or have it as a word.
  private mutating func addNamed(_ key: [UInt8], in areas: [Areas], penalty: Float) {
    var count = 0
    for entry in tables.entries(beginningWith: key).exact {
      let alias = tables.entryAliases[entry]
      let match = tables.isWhole(entry) ? wholeMatch(Int(alias), length: key.count) : 0.72
      guard let hit = add(alias, match: match - penalty, in: areas) else { continue }
      count += 1
      if count == Self.namesakes { break }
      if match >= 0.85, penalty == 0 { known = max(known, hit.importance) }
    }
  }

  private func wholeMatch(_ alias: Int, length: Int) -> Float {
    let flags = tables.aliasFlags[alias]
    if flags & NameIndex.code != 0 {
      guard isCode else { return 0.5 }
      return length == 3 ? 1.5 : 1.2
    }
    if flags & NameIndex.own != 0 { return 1 }
    // What a language calls it says more than a name from who knows when.
    return tables.aliasLanguages[alias] == 0 ? 0.88 : 0.95
  }

  /// Adds the places that have a longer name, or word of a name, that begins so.
  private mutating func addBeginning(_ key: [UInt8], in areas: [Areas], penalty: Float) {
    let entries = tables.entries(beginningWith: key)
    let longer = entries.exact.upperBound..<entries.all.upperBound
    let (least, most): (Float, Float) = request.isCompleting ? (0.5, 0.4) : (0.2, 0.3)
    for entry in heaviest(longer, in: areas) {
      let length = tables.keyLength(at: Int(tables.entryPositions[entry]))
      let share = Float(key.count) / Float(length)
      let match = least + most * share - (tables.isWhole(entry) ? 0 : 0.15)
      let alias = tables.entryAliases[entry]
      // Codes are known or not.
      if tables.aliasFlags[Int(alias)] & NameIndex.code == 0 { add(alias, match: match - penalty, in: areas) }
    }
  }

  /// The entries of the greatest weight; of equal weight, the first ones.
  private func heaviest(_ entries: Range<Int>, in areas: [Areas]) -> [Int] {
    guard entries.count > Self.weighed else { return Array(entries) }
    var counts = [Int](repeating: 0, count: 256)
    for entry in entries { counts[Int(tables.entryWeights[entry])] += 1 }
    var found: [Int] = []
    let isOpen = areas.isEmpty && request.countries.isEmpty && request.kinds.isEmpty
    var weight = 255
    while weight >= 0, found.count < Self.weighed {
      // As many weights at once as hold what is missing: one pass for most.
      let top = weight
      var expected = counts[weight]
      while weight > 0, expected < (Self.weighed - found.count) * (isOpen ? 1 : 8) {
        weight -= 1
        expected += counts[weight]
      }
      for entry in entries where (weight...top).contains(Int(tables.entryWeights[entry])) {
        if isOpen || isWanted(Int(tables.aliasPlaces[Int(tables.entryAliases[entry])]), in: areas) { found.append(entry) }
      }
      weight -= 1
    }
    return found
  }

  private func isWanted(_ place: Int, in areas: [Areas]) -> Bool {
    let region = tables.regions[place]
    let country = tables.countryCodes[Int(region)]
    guard areas.allSatisfy({ $0.contains(region: region, country: country) }),
      request.countries.isEmpty || request.countries.contains(country)
    else { return false }
    guard !request.kinds.isEmpty else { return true }
    return PlaceClass(rawValue: tables.classes[place]).map { request.kinds.contains($0.kind) } ?? false
  }

  @discardableResult
  private mutating func add(_ alias: UInt32, match: Float, in areas: [Areas]) -> Hit? {
    let place = tables.aliasPlaces[Int(alias)]
    guard isWanted(Int(place), in: areas) else { return nil }
    let hit = Hit(
      place: place, alias: alias, match: match, importance: tables.importances[Int(place)],
      context: areas.isEmpty ? 0 : 0.35, nearness: nearness(Int(place)))
    if let other = hits[place], (other.total, alias) >= (hit.total, other.alias) { return hit }
    hits[place] = hit
    return hit
  }

  private func nearness(_ place: Int) -> Float {
    guard let near = request.near else { return 0 }
    let point = Point(latitude: Double(tables.latitudes[place]) / 1e5, longitude: Double(tables.longitudes[place]) / 1e5)
    return Float(0.4 * exp(-GreatCircle.distance(near, point) / 150_000))
  }
}
