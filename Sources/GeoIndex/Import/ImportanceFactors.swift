import Glibc

/// The facts from which the importance of an imported place is computed.
struct ImportanceFactors {
  /// The number of languages in which it has a name, or of Wikipedias that have an article.
  var languages = 0
  var hasWikidata = false
  var hasWikipedia = false
  /// The number of inhabitants; 0 if unknown.
  var population = 0
  /// The area in square metres; 0 if unknown.
  var area = 0.0
  /// The height in metres: the prominence of a mountain, otherwise its altitude; 0 if unknown.
  var height = 0.0
  /// The source's own rank or confidence, 0...1; nil if it has none.
  var rank: Double?
}

/// The weights of the factors. Their sum is about 1 for a place that is known in all languages.
private enum Weight {
  /// An entry in Wikidata.
  static let wikidata = 0.1
  /// An article in a Wikipedia.
  static let wikipedia = 0.1
  /// Names in as many languages as `mostLanguages`; fewer count by the square root.
  static let languages = 0.4
  static let mostLanguages = 100.0
  /// An area of `largestArea`; smaller ones count by the logarithm, from `smallestArea` on.
  static let area = 0.12
  static let smallestArea = 1e4
  static let largestArea = 1e11
  /// A mountain of `highest` metres.
  static let height = 0.12
  static let highest = 5_000.0
  /// A rank or confidence of 1.
  static let rank = 0.08
  /// The most for a town or region whose population is unknown.
  static let mostUncounted = 0.5

  /// The importance of a place of which only the kind is known.
  static func base(_ kind: Place.Kind) -> Double {
    switch kind {
    case .country: 0.5
    case .capital: 0.4
    case .admin1: 0.3
    case .admin2, .region: 0.2
    case .range, .desert, .volcano, .palace, .castle, .island, .airport: 0.15
    case .museum, .themePark, .zoo, .university, .stadium, .peak, .park, .lake, .waterfall, .bay, .cape, .ruin: 0.12
    case .city, .locality, .quarter, .station, .tower, .bridge, .square, .temple, .mosque, .synagogue, .church,
      .theatre,
      .river, .beach, .cave, .pass, .garden, .monument, .landmark, .library:
      0.1
    case .ferry, .metro, .hut, .postcode: 0.07
    case .hotel, .street: 0.04
    case .restaurant, .cafe, .own, .coordinate: 0.02
    }
  }
}

extension PlaceClass {
  /// The class of settlements and administrative regions of a kind, whose importance is their population; nil for others.
  fileprivate init?(inhabited kind: Place.Kind) {
    switch kind {
    case .country: self = .country
    case .capital: self = .capital
    case .admin1: self = .region
    case .admin2: self = .feature(.admin2)
    case .city: self = .city
    case .quarter: self = .quarter
    default: return nil
    }
  }
}

extension Importance {
  /// The importance of a place in a file of the user's own: people import places because they use their names.
  static let ofOwnPlace = 0.4

  /// Returns the importance of an imported place, 0...1.
  static func of(_ kind: Place.Kind, _ factors: ImportanceFactors) -> Double {
    var sum = Weight.base(kind)
    if factors.hasWikidata { sum += Weight.wikidata }
    if factors.hasWikipedia { sum += Weight.wikipedia }
    sum += Weight.languages * min(1, Double(max(0, factors.languages)) / Weight.mostLanguages).squareRoot()
    if factors.area > Weight.smallestArea {
      sum +=
        Weight.area * min(1, log(factors.area / Weight.smallestArea) / log(Weight.largestArea / Weight.smallestArea))
    }
    if [.peak, .volcano, .range].contains(kind), factors.height > 0 {
      sum += Weight.height * min(1, factors.height / Weight.highest)
    }
    if let rank = factors.rank { sum += Weight.rank * min(1, max(0, rank)) }
    if let place = PlaceClass(inhabited: kind) {
      // The fame of a town or region is its size, as in the gazetteer, whatever else is known of it.
      sum =
        factors.population > 0
        ? Double(of(place, population: factors.population, names: factors.languages)) : min(sum, Weight.mostUncounted)
    }
    return min(1, max(0, sum))
  }
}
