/// The words in coordinates: `48.85 North`, `48 Grad 51 Minuten Nord`.
enum CoordinateWords {
  /// Replaces the words by signs.
  /// - Parameter text: The text in capitals.
  static func signs(_ text: String) -> String {
    text.replacing(#/\s*(\p{L}{2,})\.?/#) { match in signs[match.1].map { $0[...] } ?? match.0 }
  }

  /// The signs for words in English, German, French, Italian, Spanish, Portuguese and Dutch. None of these words means
  /// another direction in another of these languages.
  private static let signs: [Substring: String] = {
    let words = [
      "N": "NORTH NORD NORTE NOORD", "S": "SOUTH SÜD SUED SUD SUR SUL ZUID", "E": "EAST OST EST ESTE LESTE OOST",
      "W": "WEST OUEST OVEST OESTE", "°": "DEG DEGREE DEGREES GRAD DEGRÉ DEGRÉS DEGRES GRADI GRADOS GRAUS GRADEN",
      "′": "MIN MINUTE MINUTES MINUTEN MINUTI MINUTOS",
      "″": "SEC SECOND SECONDS SEK SEKUNDE SEKUNDEN SECONDE SECONDES SECONDI SEGUNDOS SECONDEN",
    ]
    return words.reduce(into: [:]) { signs, each in
      for word in each.value.split(separator: " ") { signs[word] = each.key }
    }
  }()
}
