import Basics
import Foundation

/// A place as it is in a file: text that is validated when the place is created.
struct PlaceDraft {
  private var values: [PlaceField: String] = [:]
  private(set) var alternateNames: [String] = []
  /// The position, if the format has positions of its own.
  var point: Coordinate?

  /// The maximum length of a name in bytes.
  static let longest = 400
  /// The default radius of a place, in metres.
  static let radius = 250.0

  /// The text of a field. Blank text is ignored; if several names are equivalent, the first one counts.
  subscript(field: PlaceField) -> String? {
    get { values[field] }
    set {
      guard let text = newValue?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty else { return }
      if field == .alternateNames {
        alternateNames += text.split(whereSeparator: { ",;|".contains($0) }).map {
          $0.trimmingCharacters(in: .whitespacesAndNewlines)
        }
      } else if values[field] == nil {
        values[field] = text
      }
    }
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
    guard let point = TypedCoordinates.point(text) else { throw Flaw(sentence: "'\(text)' is not a valid position") }
    return point
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
    let grouped = text.wholeMatch(of: /[-+]?[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?/) != nil
    return (grouped ? text.replacing(".", with: "") : text).replacing(",", with: ".")
  }

  func number(_ field: PlaceField, _ range: ClosedRange<Double>) throws(Flaw) -> Double? {
    guard let text = self[field] else { return nil }
    guard let number = Self.decimal(hasDecimalCommas ? Self.pointed(text) : text), range.contains(number) else {
      throw Flaw(sentence: "its \(field) '\(text)' is not a valid number")
    }
    return number
  }

  /// Parses digits with a sign and a point, and none of the other forms that `Double` accepts.
  static func decimal(_ text: some StringProtocol) -> Double? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D || $0 == 0x2B }),
      let number = Double(text), number.isFinite
    else { return nil }
    return number
  }
}

/// The fields that a file can contain for a place.
enum PlaceField: Hashable {
  case id, name, alternateNames, latitude, longitude, position, altitude, radius, country, region, category, population
  case zone

  /// Finds a field by the heading of a column or the name of a property, regardless of case and punctuation. `name:de`
  /// is an alternate name.
  init?(_ heading: String) {
    let plain = String(heading.lowercased().filter { $0.isLetter || $0.isNumber })
    guard let field = Self.headings[plain] ?? (heading.lowercased().hasPrefix("name:") ? .alternateNames : nil) else {
      return nil
    }
    self = field
  }

  private static let headings: [String: PlaceField] = {
    let fields: [(PlaceField, String)] = [
      (.id, "id identifier geonameid"), (.name, "name title place placename label"),
      (.alternateNames, "alternatenames alternatename altnames altname aliases alias othernames"),
      (.latitude, "latitude lat y"), (.longitude, "longitude lon lng long x"),
      (.position, "coordinates coordinate position location latlon latlng"),
      (.altitude, "altitude alt elevation ele height"), (.radius, "radius"),
      (.country, "country countrycode cc"), (.region, "region admin1 state province"),
      (.category, "category kind type class"), (.population, "population pop"), (.zone, "timezone zone tz"),
    ]
    return Dictionary(
      uniqueKeysWithValues: fields.flatMap { field, words in words.split(separator: " ").map { (String($0), field) } })
  }()
}
