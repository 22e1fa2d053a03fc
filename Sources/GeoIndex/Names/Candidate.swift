/// What was typed, read in a way that makes sense.
struct Candidate {
  let text: String
  let key: [UInt8]
  /// Where it must lie.
  let areas: [Areas]
  /// It can lie nowhere else: a comma or the script says so.
  let isSure: Bool
  /// What it loses, because it was typed otherwise: abbreviated, or in other characters.
  let penalty: Float

  static func all(of request: SearchRequest, in tables: NameTables) -> [Candidate] {
    var (folding, candidates) = (Folding(), [Candidate]())
    func add(_ name: String, _ reading: QueryInterpretation, _ areas: [Areas], penalty: Float) {
      let key = folding.keyBytes(name)
      guard !key.isEmpty else { return }
      candidates.append(Candidate(text: name, key: key, areas: areas, isSure: reading.isSure, penalty: penalty))
    }
    for (number, text) in ([request.text] + Spelling.inOtherCharacters(request.text)).enumerated() {
      for (place, reading) in QueryInterpretation.all(of: text).enumerated() {
        // The first of those with a region has it last, where it may be typed in part.
        guard let areas = areas(of: reading, in: tables, isTyped: request.isCompleting && place == 1) else { continue }
        add(reading.name, reading, areas, penalty: number == 0 ? 0 : Spelling.variant)
        for name in [Spelling.abbreviated(reading.name), Spelling.russian(reading.name)].compactMap(\.self) {
          add(name, reading, areas, penalty: Spelling.variant)
        }
      }
    }
    return candidates
  }

  /// Nil if it can't be read so.
  private static func areas(of reading: QueryInterpretation, in tables: NameTables, isTyped: Bool) -> [Areas]? {
    var areas: [Areas] = []
    for (index, name) in reading.within.enumerated() {
      let isLast = index == reading.within.count - 1
      let area = Areas(tables, name, isTyped: isTyped && isLast, isSure: reading.isSure)
      guard !area.isEmpty else { return nil }
      areas.append(area)
    }
    return areas
  }

  /// Of those that stand as they were typed: which may be misspelled, and which only if nothing else is found. Where a
  /// comma says that the rest is a region, the whole is no name.
  static func misspelled(
    _ candidates: [Candidate], _ request: SearchRequest
  ) -> (likely: [Candidate], others: [Candidate]) {
    let typed = candidates.filter { $0.penalty == 0 }
    let (within, whole) = (typed.filter { !$0.areas.isEmpty }, typed.filter(\.areas.isEmpty))
    if request.text.contains(where: { ",，、;".contains($0) }) { return within.isEmpty ? (whole, []) : (within, []) }
    return within.contains(where: \.isSure) || typed.count == 2 ? (within + whole, []) : (whole, within)
  }
}
