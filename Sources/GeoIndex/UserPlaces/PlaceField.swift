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
