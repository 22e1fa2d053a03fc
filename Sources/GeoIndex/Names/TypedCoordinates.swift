package import Basics
import Foundation

/// Places typed as coordinates.
extension Place {
  /// Returns the positions that `text` may mean as coordinates in any usual notation; empty if it isn't a coordinate.
  static func all(coordinateText text: String) -> [Place] {
    TypedCoordinates.readings(text).map { Place(at: $0, typedAs: text) }
  }

  /// Creates a place at coordinates that a user typed.
  /// - Parameter text: The text that was typed.
  init(at point: Coordinate, typedAs text: String) {
    // Adding zero turns -0 into 0.
    let (latitude, longitude) = (
      (point.latitude * 1e5).rounded() / 1e5 + 0, (point.longitude * 1e5).rounded() / 1e5 + 0
    )
    // Lower than the number of any place in the gazetteer.
    let number = Int64((latitude + 90) * 1e5) * 36_000_001 + Int64((longitude + 180) * 1e5)
    self.init(
      id: -(1 << 60) - number, name: "\(latitude), \(longitude)", matchedName: text, kind: .coordinate,
      countryCode: "", country: "", admin1: nil, latitude: latitude, longitude: longitude, population: 0,
      timeZone: "")
  }
}

/// The positions that a text typed into a search may mean: coordinates in the notations of `Location(parsing:)`, also
/// with words, `lat:` and `lon:`, and decimal commas; `geo:` URIs, map links, and full Plus Codes.
///
/// The text can also be a name, a postal code or a house number, so without letters for the hemispheres only the
/// patterns here are coordinates. `Location(parsing:)` would accept `34 60` and `12.5-14`, so it can't decide that.
package enum TypedCoordinates {
  /// Returns the position that `text` means; nil if there is not exactly one.
  static func point(_ text: String) -> Coordinate? {
    let readings = readings(text)
    return readings.count == 1 ? readings[0] : nil
  }

  /// Returns the positions that `text` may mean. An `O` is east in German (Ost) and west in French, Italian, Portuguese
  /// and Spanish, which gives two positions. So does `48,51 N`: half a degree, or 51 minutes.
  package static func readings(_ text: String) -> [Coordinate] {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines).narrowed
    // Names without digits need no further parsing. Text that also has digits of other scripts (४७.5, 47½) is rejected
    // rather than read in part.
    guard text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return [] }
    guard !text.unicodeScalars.contains(where: isForeignDigit) else { return [] }
    if let point = PlusCode(text)?.center ?? GeoLink(text)?.point ?? MapLink.point(text) { return [point] }
    guard text.utf8.count <= 200, !text.hasPrefix("http") else { return [] }
    if let point = numbers(text) { return [point] }
    if let point = compact(text.uppercased()) { return [point] }
    let signs = CoordinateWords.signs(latin(text).uppercased())
    let sides = signs.contains("O") ? ["E", "W"].map { signs.replacing("O", with: $0) } : [signs]
    var found: [Coordinate] = []
    for text in sides.flatMap(decimals) {
      let text = text.replacing(Pattern.separator, with: " ")
      if let point = lettered(text), !found.contains(point) { found.append(point) }
    }
    return found
  }

  /// Returns the readings of commas: a comma between digits separates degrees from minutes, as in XMP (`48,51.504N`),
  /// or is the decimal sign.
  private static func decimals(_ text: String) -> [String] {
    text.contains(".") ? [text] : [text, text.replacing(Pattern.decimalComma) { $0.1 + "." }]
  }

  /// Whether it is a digit of another script, a fraction or a superscript: patterns accept some of them, `Double` none.
  private static func isForeignDigit(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.isASCII else { return false }
    switch scalar.properties.generalCategory {
    case .decimalNumber, .letterNumber, .otherNumber: return true
    default: return false
    }
  }

  /// Parses coordinates without letters for the hemisphere.
  private static func numbers(_ text: String) -> Coordinate? {
    if let pair = text.wholeMatch(of: Pattern.pair) {
      // Two bare numbers need a further sign of being coordinates: `34 60` has none.
      guard text.contains(where: { ",;.°".contains($0) }) else { return nil }
      return point(number(pair.1), number(pair.2))
    }
    // A comma as the decimal sign, recognizable by the space between the numbers.
    if let pair = text.wholeMatch(of: Pattern.pairWithCommas) {
      return point(number(pair.1), number(pair.2))
    }
    if let location = try? Location(iso6709: text, ofAnySystem: true) { return location.coordinate }
    return labelled(text) ?? signedAngles(text) ?? signedMinutes(text)
  }

  /// Parses `48 51.504, 2 17.67`: whole degrees, and minutes with decimals.
  private static func signedMinutes(_ text: String) -> Coordinate? {
    text.wholeMatch(of: Pattern.signedMinutes) == nil ? nil : try? Coordinate(angles: text, .typed)
  }

  private static func number(_ text: Substring) -> Double? {
    Double(text.replacing("−", with: "-").replacing(",", with: "."))
  }

  private static func point(_ latitude: Double?, _ longitude: Double?) -> Coordinate? {
    guard let latitude, let longitude else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// Parses `485130N 0021740E`, as used in aviation and shipping: degrees, minutes and seconds without separators.
  private static func compact(_ text: String) -> Coordinate? {
    guard let (_, north, side, east, otherSide) = text.wholeMatch(of: Pattern.compact)?.output else { return nil }
    return try? Location(iso6709: "\(side == "S" ? "-" : "+")\(north)\(otherSide == "W" ? "-" : "+")\(east)")?
      .coordinate
  }

  /// Replaces the signs in `北緯35度41分 東経139度41分` by the international ones.
  private static func latin(_ text: String) -> String {
    guard text.contains(where: { "緯纬".contains($0) }) else { return text }
    let signs = [
      "北緯": "N", "北纬": "N", "南緯": "S", "南纬": "S", "東経": "E", "東經": "E", "东经": "E", "西経": "W", "西經": "W", "西经": "W",
      "度": "°",
      "分": "′", "秒": "″",
    ]
    return signs.reduce(text) { $0.replacing($1.key, with: $1.value) }
  }

  /// Parses `lat: 35.0116, lon: 135.7681`.
  private static func labelled(_ text: String) -> Coordinate? {
    let text = text.lowercased()
    guard text.contains("lat") else { return nil }
    let latitude = text.firstMatch(of: Pattern.labelledLatitude)
    let longitude = text.firstMatch(of: Pattern.labelledLongitude)
    guard let latitude, let longitude else { return nil }
    // The text must not contain anything else.
    var rest = text
    for range in [latitude.range, longitude.range].sorted(by: { $0.lowerBound > $1.lowerBound }) {
      rest.removeSubrange(range)
    }
    guard rest.allSatisfy({ " ,;&?{}[]()\"'°".contains($0) }) else { return nil }
    return point(number(latitude.1), number(longitude.1))
  }

  /// Parses `-33°51'31" 151°12'51"`. Not by the parser for letters: here minutes can have decimals before seconds, and
  /// any number of commas can separate the angles.
  private static func signedAngles(_ text: String) -> Coordinate? {
    let matches = text.matches(of: Pattern.angle)
    guard matches.count == 2, matches[0].range.lowerBound == text.startIndex,
      matches[0].range.upperBound == matches[1].range.lowerBound, matches[1].range.upperBound == text.endIndex
    else { return nil }
    let values = matches.map { match in
      Double(sexagesimal: [match.2, match.3, match.4 ?? "0"].compactMap { number($0) })
        .map { match.1 == "-" || match.1 == "−" ? -$0 : $0 }
    }
    return point(values[0], values[1])
  }

  /// Parses `35°00′41.8″N 135°46′05″E`, `N35 00.69 E135 46.09`, `48.8583N, 2.2945E`.
  /// - Parameter text: The text in capitals.
  private static func lettered(_ text: String) -> Coordinate? {
    // The letters must all precede their numbers, or all follow them.
    let sides = text.matches(of: Pattern.side)
    guard sides.count == 2,
      sides[0].range.lowerBound == text.startIndex || sides[1].range.upperBound == text.endIndex
    else { return nil }
    return try? Coordinate(angles: text, .typed)
  }
}

/// The words in coordinates: `48.85 North`, `48 Grad 51 Minuten Nord`.
enum CoordinateWords {
  /// Replaces the words by signs.
  /// - Parameter text: The text in capitals.
  static func signs(_ text: String) -> String {
    text.replacing(Pattern.word) { match in signs[match.1].map { $0[...] } ?? match.0 }
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

/// Patterns that are compiled once.
private enum Pattern {
  nonisolated(unsafe) static let separator = #/[,;]/#
  nonisolated(unsafe) static let decimalComma = #/(\d),(?=\d)/#
  nonisolated(unsafe) static let pair =
    #/[(\[]?\s*([-+−]?\d{1,3}(?:\.\d+)?)°?\s*[,;\s]\s*([-+−]?\d{1,3}(?:\.\d+)?)°?\s*[)\]]?/#
  nonisolated(unsafe) static let pairWithCommas = #/([-+−]?\d{1,3},\d+)°?(?:\s*;\s*|,?\s+)([-+−]?\d{1,3},\d+)°?/#
  nonisolated(unsafe) static let signedMinutes = #/[-+−]?\d{1,3}\s+\d{1,2}\.\d+\s*[,;]\s*[-+−]?\d{1,3}\s+\d{1,2}\.\d+/#
  nonisolated(unsafe) static let compact = #/(\d{4}(?:\d\d)?(?:\.\d+)?)([NS])[\s,;]*(\d{5}(?:\d\d)?(?:\.\d+)?)([EW])/#
  nonisolated(unsafe) static let labelledLatitude = #/\blat(?:itude)?["'\s:=]*([-+−]?\d{1,2}(?:\.\d+)?)(?![\d.])/#
  nonisolated(unsafe) static let labelledLongitude =
    #/\b(?:lon(?:g(?:itude)?)?|lng)["'\s:=]*([-+−]?\d{1,3}(?:\.\d+)?)(?![\d.])/#
  nonisolated(unsafe) static let angle =
    #/\s*([-+−]?)(\d{1,3})\s*°\s*(\d{1,2}(?:[.,]\d+)?)\s*['′’]\s*(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:["″”]|''))?[\s,;]*/#
  nonisolated(unsafe) static let side = #/[NSEW]/#
  nonisolated(unsafe) static let word = #/\s*(\p{L}{2,})\.?/#
}
