import Basics
import Foundation

/// A place as it is in a file: text that is validated when the place is created.
struct PlaceDraft {
  /// Another name of the place.
  struct Name: Hashable {
    let text: String
    /// The BCP 47 tag of its language; nil if the file doesn't say.
    let language: String?
  }

  private var values: [PlaceField: String] = [:]
  /// The other names, the preferred ones first.
  private(set) var names: [Name] = []
  /// The position, if the format has positions of its own.
  var point: Coordinate?
  /// The kind, if the format has tags or codes for it; otherwise `category` may name it.
  var kind: Place.Kind?
  /// The importance, 0...1; nil if the file says nothing about it.
  var importance: Double?
  /// The radius in metres of a circle of about its extent; nil if the file has only a point.
  var radius: Double?
  /// The terms of the database that the place is from; nil for the user's own data.
  var terms: PlaceTerms?

  /// The maximum length of a name in bytes. Longer alternate names are ignored.
  static let longest = 400
  /// The default radius of a place, in metres.
  static let radius = 250.0
  /// The largest number of other names.
  private static let mostNames = 1_000

  /// The text of a field. Blank text is ignored; if several names are equivalent, the first one counts.
  subscript(field: PlaceField) -> String? {
    get { values[field] }
    set {
      guard let text = newValue.map(Self.trimmed), !text.isEmpty else { return }
      if case .alternateNames(let language) = field {
        for name in text.split(whereSeparator: { ",;|".contains($0) }) { addName(String(name), language) }
      } else if values[field] == nil {
        values[field] = text
      }
    }
  }

  /// Returns the text without blanks around it. Most texts have none, and begin and end in ASCII.
  private static func trimmed(_ text: String) -> String {
    let ink: ClosedRange<UInt8> = 0x21...0x7E
    if let first = text.utf8.first, let last = text.utf8.last, ink.contains(first), ink.contains(last) { return text }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Adds another name, unless it is blank or too long.
  mutating func addName(_ text: String, _ language: String? = nil) {
    let text = Self.trimmed(text)
    guard !text.isEmpty, text.utf8.count <= Self.longest, names.count < Self.mostNames else { return }
    names.append(Name(text: text, language: language))
  }

  /// The other names without their languages, each once.
  var alternateNames: [String] {
    var seen: Set<String> = []
    return names.map(\.text).filter { seen.insert($0).inserted }
  }

  /// The reason why a draft is not a valid place, as a sentence.
  struct Flaw: Error {
    let sentence: String
  }

  func position() throws -> Coordinate {
    if let latitude = self[.latitude], let longitude = self[.longitude] {
      return try Self.point(latitude: latitude, longitude: longitude)
    }
    guard let text = self[.position] else { throw Flaw(sentence: "it has no latitude and longitude") }
    guard let point = Self.wellKnownPoint(text) ?? Self.pair(text) ?? TypedCoordinates.point(text) else {
      throw Flaw(sentence: "'\(text)' is not a valid position")
    }
    return point
  }

  /// Returns the point of `Point(longitude latitude)`, the well-known text of OGC 06-103r4.
  static func wellKnownPoint(_ text: String) -> Coordinate? {
    // A regular expression would be compiled for every text.
    var rest = text[...]
    func skip(_ word: String) -> Bool {
      guard rest.prefix(word.count).lowercased() == word else { return false }
      rest = rest.dropFirst(word.count).drop(while: \.isWhitespace)
      return true
    }
    _ = skip("srid=4326;")
    rest = rest.drop(while: \.isWhitespace)
    guard skip("point"), skip("("), rest.last == ")" else { return nil }
    let parts = rest.dropLast().split(maxSplits: 2, whereSeparator: \.isWhitespace)
    guard parts.count == 2, let longitude = decimal(parts[0]), let latitude = decimal(parts[1]) else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// Returns the point of two numbers of which one has an exponent, as programs write them.
  private static func pair(_ text: String) -> Coordinate? {
    let parts = text.split { ",; ".contains($0) }
    guard text.contains(where: { "eE".contains($0) }), parts.count == 2, let latitude = decimal(parts[0]),
      let longitude = decimal(parts[1])
    else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// Returns a point from an angle in each of two fields: decimal, or with minutes and seconds.
  static func point(latitude: String, longitude: String) throws(Flaw) -> Coordinate {
    let flaw = Flaw(sentence: "latitude '\(latitude)' and longitude '\(longitude)' are not a valid position")
    if let north = decimal(latitude), let east = decimal(longitude) {
      guard let point = Coordinate(latitude: north, longitude: east) else { throw flaw }
      return point
    }
    // With the letters that their columns imply, the two form a coordinate as people write it.
    guard let north = lettered(latitude, "N", "S"), let east = lettered(longitude, "E", "W"),
      let point = TypedCoordinates.point("\(north) \(east)")
    else { throw flaw }
    return point
  }

  private static func lettered(_ angle: String, _ positive: String, _ negative: String) -> String? {
    var text = angle.uppercased().replacing("−", with: "-")
    guard text.utf8.count < 60 else { return nil }
    if text.contains(positive) || text.contains(negative) { return text }
    let isNegative = text.hasPrefix("-")
    if isNegative || text.hasPrefix("+") { text.removeFirst() }
    // A comma here is a decimal comma: none separates the angles.
    return text.replacing(",", with: ".") + (isNegative ? negative : positive)
  }

  /// Whether its coordinates are written with a decimal comma; its other numbers then are, too.
  private var hasDecimalCommas: Bool { [.latitude, .longitude].contains { self[$0]?.contains(",") == true } }

  /// Returns `2.100,5` as a number with a decimal point: dots followed by three digits separate thousands.
  private static func pointed(_ text: String) -> String {
    let grouped = text.wholeMatch(of: Pattern.grouped) != nil
    return (grouped ? text.replacing(".", with: "") : text).replacing(",", with: ".")
  }

  func number(_ field: PlaceField, _ range: ClosedRange<Double>) throws(Flaw) -> Double? {
    guard let text = self[field].map({ Self.inMetres($0, field) }) else { return nil }
    guard let number = Self.decimal(hasDecimalCommas ? Self.pointed(text) : text), range.contains(number) else {
      throw Flaw(sentence: "its \(field) '\(text)' is not a valid number")
    }
    return number
  }

  /// Returns a length in metres without its unit.
  private static func inMetres(_ text: String, _ field: PlaceField) -> String {
    guard field == .altitude || field == .radius, text.last == "m", text.dropLast().last?.isLetter == false else {
      return text
    }
    return trimmed(String(text.dropLast()))
  }

  /// Parses digits with a sign, a point and an exponent (`3e-05`), and none of the other forms that `Double` accepts.
  static func decimal(_ text: some StringProtocol) -> Double? {
    let bytes = Array(text.utf8)
    guard bytes.first.map({ $0 > 0x20 }) == true, bytes.last.map({ $0 > 0x20 }) == true else { return nil }
    return PlainText.number(bytes, 0..<bytes.count)
  }
}

/// The fields that a file can contain for a place.
enum PlaceField: Hashable {
  case id, name, latitude, longitude, position, altitude, radius, country, region, category, population, zone
  /// Other names, with the BCP 47 tag of their language if it is known.
  case alternateNames(String? = nil)

  /// Finds a field by the heading of a column or the name of a property, regardless of case and punctuation. `name:de`
  /// and `name_de` are names in German.
  init?(_ heading: String) {
    guard heading.utf8.count <= PlaceDraft.longest else { return nil }
    let plain = String(heading.lowercased().filter { $0.isLetter || $0.isNumber })
    if let field = Self.headings[plain] {
      self = field
    } else if let colon = heading.firstIndex(of: ":"),
      heading[..<colon].lowercased() == "name"
        || Self.headings[heading[..<colon].lowercased().filter { $0.isLetter }]
          == .alternateNames()
    {
      self = .alternateNames(Self.language(heading[heading.index(after: colon)...]))
    } else if let language = Self.columnLanguage(heading.lowercased()) {
      self = .alternateNames(language)
    } else {
      return nil
    }
  }

  /// Returns the language in a heading like `name_de` or `name_zh_hant`.
  private static func columnLanguage(_ heading: String) -> String? {
    guard heading.hasPrefix("name_") else { return nil }
    let text = heading.dropFirst(5)
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts[0].utf8.count == 2,
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x61...0x7A).contains($0) } })
    else { return nil }
    return language(text)
  }

  /// Whether a place may have several of it.
  var isAlternateNames: Bool {
    if case .alternateNames = self { true } else { false }
  }

  /// The language of the names in it, if it is known.
  var language: String? {
    guard case .alternateNames(let language) = self else { return nil }
    return language
  }

  /// Returns a language tag as BCP 47 writes it (`zh_hant` → `zh-Hant`); nil if the text isn't one.
  static func language(_ text: some StringProtocol) -> String? {
    let parts = text.split(whereSeparator: { $0 == "-" || $0 == "_" })
    guard let first = parts.first, (2...3).contains(first.utf8.count), text.utf8.count <= 35,
      text.utf8.allSatisfy({
        (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
      }
      ), first.utf8.allSatisfy({ $0 > 0x39 }), parts.allSatisfy({ $0.utf8.count <= 8 })
    else { return nil }
    return parts.enumerated().map { index, part in
      index == 0
        ? part.lowercased()
        : part.utf8.count == 4 ? part.capitalized : part.utf8.count == 2 ? part.uppercased() : part.lowercased()
    }.joined(separator: "-")
  }

  private static let headings: [String: PlaceField] = {
    let fields: [(PlaceField, String)] = [
      (.id, "id identifier geonameid"), (.name, "name title place placename label"),
      (
        .alternateNames(),
        """
        alternatenames alternatename altnames altname aliases alias othernames officialname shortname oldname intname
        locname
        """
      ),
      (.latitude, "latitude lat y"), (.longitude, "longitude lon lng long x"),
      (.position, "coordinates coordinate position location latlon latlng"),
      (.altitude, "altitude alt elevation ele height"), (.radius, "radius"),
      (.country, "country countrycode cc"), (.region, "region admin1 state province"),
      (.category, "category kind type class"), (.population, "population pop"), (.zone, "timezone zone tz"),
    ]
    return Dictionary(
      uniqueKeysWithValues: fields.flatMap { field, words in
        words.split(whereSeparator: \.isWhitespace).map { (String($0), field) }
      })
  }()
}

/// Patterns that are compiled once.
private enum Pattern {
  nonisolated(unsafe) static let grouped = /[-+]?[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?/
}
