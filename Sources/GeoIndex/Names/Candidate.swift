/// One possible reading of the typed text.
struct Candidate {
  let text: String
  let key: [UInt8]
  /// The areas in which the place must lie.
  let areas: [Areas]
  /// Whether a comma or the script shows that the rest can only be an area.
  let isSure: Bool
  /// The reduction of the score because the text was typed differently: abbreviated, or in other characters.
  let penalty: Float
  /// Whether only features can lie in one of the areas.
  var isLocal: Bool { areas.contains(where: \.isLocal) }

  /// Returns the readings of a text.
  /// - Parameters:
  ///   - world: The gazetteer's index.
  ///   - source: The index in which they are searched, whose name and categories count as areas.
  static func all(of request: SearchRequest, in world: PlaceIndex, for source: PlaceIndex) -> [Candidate] {
    var (folding, candidates) = (Folding(), [Candidate]())
    func add(_ name: String, _ reading: QueryInterpretation, _ areas: [Areas], penalty: Float) {
      let key = folding.keyBytes(name)
      guard !key.isEmpty else { return }
      candidates.append(Candidate(text: name, key: key, areas: areas, isSure: reading.isSure, penalty: penalty))
    }
    for (number, text) in ([request.text] + Spelling.inOtherCharacters(request.text)).enumerated() {
      for (place, reading) in QueryInterpretation.all(of: text).enumerated() {
        // In the first reading with a region, the region is last, where it may be incomplete.
        guard
          let areas = areas(of: reading, in: world, for: source, isTyped: request.isCompleting && place == 1)
        else { continue }
        // With a comma, the town comes second: London is not a part of Camden.
        if areas.contains(where: \.isLocal), text.contains(","), !text.hasPrefix(reading.name) { continue }
        add(reading.name, reading, areas, penalty: number == 0 ? 0 : Spelling.variant)
        for name in [Spelling.abbreviated(reading.name), Spelling.russian(reading.name)].compactMap(\.self) {
          add(name, reading, areas, penalty: Spelling.variant)
        }
      }
    }
    return candidates
  }

  /// Returns the areas of a reading; nil if one of them doesn't exist.
  private static func areas(
    of reading: QueryInterpretation, in world: PlaceIndex, for source: PlaceIndex, isTyped: Bool
  ) -> [Areas]? {
    var areas: [Areas] = []
    // The castle near me is not in Montenegro.
    let isKind = !reading.isSure && KindWords(reading.name)?.rest.isEmpty == true
    for (index, name) in reading.within.enumerated() {
      let isLast = index == reading.within.count - 1
      if isKind, name.utf8.count <= 3, name == name.lowercased(), !commonCodes.contains(name) { return nil }
      var area = Areas(world, name, isTyped: isTyped && isLast, isSure: reading.isSure)
      area.add(ofImport: source, name)
      guard !area.isEmpty else { return nil }
      areas.append(area)
    }
    return areas
  }

  /// Codes of countries that people write in lower case.
  private static let commonCodes: Set<String> = ["uk", "usa", "uae"]

  /// Selects, from the candidates as typed, those to search as misspelled, and those to search only if nothing else is
  /// found. If a comma marks the rest as a region, the whole text is not a name.
  static func misspelled(
    _ candidates: [Candidate], _ request: SearchRequest
  ) -> (likely: [Candidate], others: [Candidate]) {
    let typed = candidates.filter { $0.penalty == 0 }
    let (within, whole) = (typed.filter { !$0.areas.isEmpty }, typed.filter(\.areas.isEmpty))
    if request.text.contains(where: { ",，、;".contains($0) }) { return within.isEmpty ? (whole, []) : (within, []) }
    return within.contains(where: \.isSure) || typed.count == 2 ? (within + whole, []) : (whole, within)
  }
}
