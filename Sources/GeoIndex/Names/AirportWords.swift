/// The words of a text that may name an airport.
struct AirportWords {
  /// The words that don't merely denote an airport, as they were typed.
  let others: [String]
  /// Whether a word denotes an airport.
  let saysAirport: Bool

  init(_ text: String) {
    var folding = Folding()
    let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’" }.flatMap { word in
      Self.characters.first { word.hasSuffix($0) }.map { [word.dropLast($0.count), $0[...]] } ?? [word]
    }
    others = words.filter { !$0.isEmpty && !Self.all.contains(folding.key($0)) }.map(String.init)
    saysAirport = words.contains { Self.all.contains(folding.key($0)) }
  }

  /// The words that denote an airport, as keys.
  private static let all: Set<String> = {
    var folding = Folding()
    let words = [
      "airport", "airfield", "aerodrome", "heliport", "airstrip", "airpark", "airbase", "base", "field", "aeropuerto",
      "aéroport", "aeroporto", "aeroport", "Flughafen", "Flugplatz", "lotnisko", "seaplane", "afb", "luchthaven",
      "lufthavn", "flygplats", "lentoasema", "lentokenttä", "letiště", "letisko", "repülőtér", "havalimanı",
      "havaalanı", "bandara", "аэропорт", "аеропорт", "αεροδρόμιο", "αερολιμένας", "مطار", "فرودگاه",
    ]
    return Set((words + characters).map { folding.key($0) })
  }()

  /// Endings that follow the name without a space, the longest first.
  private static let characters = ["国際空港", "國際機場", "国际机场", "국제공항", "空港", "機場", "机场", "공항"]
}
