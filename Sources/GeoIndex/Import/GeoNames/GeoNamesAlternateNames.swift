import Basics

/// GeoNames' names of places in many languages, for the places of one dump. They are packed: there are 16 million.
struct GeoNamesAlternateNames {
  /// Names of one place, as they follow each other in the file: from `start` to the next end mark.
  private var runs: [(id: UInt32, start: UInt32)] = []
  /// For each name: its rank, the lengths of language (1 byte) and name (2 bytes), and both.
  private var packed: [UInt8] = []

  private static let mostBytes = 1 << 30
  private static let mostID = 1 << 28
  private static let files = [
    "alternateNamesV2.txt", "alternateNamesV2.zip", "alternateNames.txt", "alternateNames.zip",
  ]

  private enum Rank: UInt8 {
    case preferred, usual, informal, historic, wikipedia, wikidata
    case end = 0xFF
  }

  /// Reads the names, if their table is in the folder of a dump, for the places in it; nil if it isn't there.
  static func near(_ file: PlaceFile) throws -> GeoNamesAlternateNames? {
    guard let table = try file.sibling(files) else { return nil }
    var wanted: [UInt64] = []
    var places = GeoNamesLines(try file.again().window)
    while try places.next() {
      guard let id = places.number(0), id < mostID else { continue }
      if id >> 6 >= wanted.count { wanted += Array(repeating: 0, count: (id >> 6) * 2 + 64 - wanted.count) }
      wanted[id >> 6] |= 1 << UInt64(id & 63)
    }
    return try GeoNamesAlternateNames(table.window) { id in
      id >> 6 < wanted.count && wanted[id >> 6] & 1 << UInt64(id & 63) != 0
    }
  }

  private init(_ input: InputWindow, _ isWanted: (Int) -> Bool) throws(FileError) {
    var lines = GeoNamesLines(input)
    var last: Int?
    while try lines.next() {
      guard let id = lines.number(1), id < Self.mostID, isWanted(id), let language = lines.text(2) else { continue }
      let name = lines.bytes(3)
      let rank: Rank
      switch language {
      case "link" where name.count < 1_000:
        rank = String(decoding: name, as: UTF8.self).contains("wikipedia.org") ? .wikipedia : .end
      case "wkdt": rank = .wikidata
      default:
        let isLanguage = PlaceField.language(language) != nil && language.allSatisfy { !$0.isNumber }
        rank =
          !isLanguage || name.isEmpty || name.count > PlaceDraft.longest
          ? .end
          : lines.number(7) == 1
            ? .historic
            : lines.number(4) == 1 ? .preferred : lines.number(5) == 1 || lines.number(6) == 1 ? .informal : .usual
      }
      guard rank != .end else { continue }
      if id != last {
        if last != nil { packed.append(Rank.end.rawValue) }
        runs.append((UInt32(id), UInt32(packed.count)))
        last = id
      }
      let hasText = rank.rawValue < Rank.wikipedia.rawValue
      let text = hasText ? name : []
      packed += [
        rank.rawValue, UInt8(hasText ? language.utf8.count : 0), UInt8(text.count & 0xFF), UInt8(text.count >> 8),
      ]
      if hasText { packed += Array(language.utf8) + text }
      guard packed.count < Self.mostBytes else {
        throw FileError(.valueTooLong, "the alternate names exceed 1 GB")
      }
    }
    packed.append(Rank.end.rawValue)
    runs.sort { $0.id < $1.id }
  }

  /// Adds the names of a place, the preferred ones first, and what they say of its importance.
  func fill(_ draft: inout PlaceDraft, _ factors: inout ImportanceFactors, id: Int) {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].id < id { low = middle + 1 } else { high = middle }
    }
    var names: [(rank: UInt8, name: String, language: String?)] = []
    for run in runs[low...].prefix(while: { Int($0.id) == id }) {
      var at = Int(run.start)
      while let rank = Rank(rawValue: packed[at]), rank != .end {
        let language = at + 4..<at + 4 + Int(packed[at + 1])
        let name = language.upperBound..<language.upperBound + Int(packed[at + 2]) + Int(packed[at + 3]) << 8
        switch rank {
        case .wikipedia: factors.hasWikipedia = true
        case .wikidata: factors.hasWikidata = true
        default:
          names.append(
            (
              rank.rawValue, String(decoding: packed[name], as: UTF8.self),
              PlaceField.language(String(decoding: packed[language], as: UTF8.self))
            ))
        }
        at = name.upperBound
      }
    }
    factors.languages = Set(names.map(\.language)).count
    for rank in Rank.preferred.rawValue...Rank.historic.rawValue {
      for name in names where name.rank == rank { draft.addName(name.name, name.language) }
    }
  }
}
