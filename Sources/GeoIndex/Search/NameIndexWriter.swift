import Foundation

/// Writes the index of names (`NameIndex`).
struct NameIndexWriter {
  private let gazetteer: GazetteerFile
  private let importances: [Float]
  private let order: [Int]
  private var folding = Folding()
  private var columns = NameColumns()
  private var languages: [ArraySlice<UInt8>: UInt32] = [:]

  /// - Parameters:
  ///   - importances: of the places in the file.
  ///   - order: numbers of places in the file, by rank.
  init(gazetteer: GazetteerFile, importances: [Float], order: [Int]) {
    self.gazetteer = gazetteer
    self.importances = importances
    self.order = order
  }

  /// - Parameter progress: is told what share is done, 0...1.
  mutating func write(to path: String, progress: (Double) -> Void) throws {
    // Offset 0 is the empty text: no language is known.
    columns.texts.append(0)
    try writeAreas()
    try writeNames { progress(0.5 * $0) }
    let entries = SuffixOrder.sorted(columns)
    progress(0.8)
    let typos = TypoTable(columns)
    let sounds = SoundTable(columns)
    progress(0.9)
    try columns.write(entries, typos, sounds, to: path)
  }

  private mutating func writeAreas() throws {
    columns.areaPlaces = [UInt32](repeating: .max, count: gazetteer.regions.count)
    var whole: [Substring: UInt16] = [:]
    for (number, names) in gazetteer.regions.enumerated() {
      guard names[0].utf8.count > 2 else { throw GazetteerFile.damaged }
      let country = names[0].prefix(2)
      // Sorted: `FR.` comes before `FR.11`.
      if names[0].utf8.count == 3 { whole[country] = UInt16(number) }
      columns.areaCountries.append(whole[country] ?? .max)
      columns.countryCodes.append(NameIndex.countryCode(country))
    }
  }

  private mutating func writeNames(progress: (Double) -> Void) throws {
    let places = gazetteer.places
    let names = places.names.lineStarts()
    let aliases = places.aliases.map { ($0.bytes, $0.lineStarts()) }
    guard ([names] + aliases.map(\.1)).allSatisfy({ $0.count == order.count + 1 }) else { throw GazetteerFile.damaged }
    for (rank, index) in order.enumerated() {
      if rank % 16_384 == 0 { progress(Double(rank) / Double(order.count)) }
      let kind = places.classes[index]
      if kind == .region || kind == .country { columns.areaPlaces[places.region[index]] = UInt32(rank) }
      columns.addPlace(
        latitude: places.latitude[index], longitude: places.longitude[index], region: places.region[index], kind: kind,
        importance: importances[index])
      add(places.names.bytes[names[index]..<(names[index + 1] - 1)], languages: nil, isOwn: true)
      for (bytes, lines) in aliases where lines[index + 1] - lines[index] > 1 {
        for name in bytes[lines[index]..<(lines[index + 1] - 1)].split(separator: 0x09) {
          let mark = name.firstIndex(of: 0x1F) ?? name.endIndex
          add(name[..<mark], languages: mark < name.endIndex ? name[(mark + 1)...] : nil, isOwn: false)
        }
      }
    }
    columns.firstAliases.append(UInt32(columns.aliasPlaces.count))
  }

  private mutating func add(_ name: ArraySlice<UInt8>, languages tags: ArraySlice<UInt8>?, isOwn: Bool) {
    let text = UInt32(columns.texts.count)
    columns.texts += name
    columns.texts.append(0)
    let language: UInt32 = if let tags { intern(tags) } else { 0 }
    var key = Folding.Key()
    folding.fold(name, into: &key)
    let isInitials = tags == nil && (2...4).contains(name.count) && name.allSatisfy { (0x41...0x5A).contains($0) }
    let flags = isOwn ? NameIndex.own : tags?.first == 0x3D ? NameIndex.code : isInitials ? NameIndex.initials : 0
    columns.addAlias(key: key, text: text, language: language, flags: flags)
    guard let spelled = Folding.spelledOut(name) else { return }
    folding.fold(spelled, into: &key)
    columns.addAlias(key: key, text: text, language: language, flags: flags)
  }

  private mutating func intern(_ tags: ArraySlice<UInt8>) -> UInt32 {
    if let known = languages[tags] { return known }
    let offset = UInt32(columns.texts.count)
    languages[tags] = offset
    columns.texts += tags
    columns.texts.append(0)
    return offset
  }
}
