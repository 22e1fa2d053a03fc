import GeoIndex
import MetaTag

extension NamePlanner {
  /// Names from the gazetteer that comes with the tool.
  init(_ options: NamingOptions, _ overwrite: Overwrite, telling console: Console) throws {
    let namer = try PlaceNamer.opened(options.language?.text, in: GeoIndex.opened(telling: console))
    self.init { location in
      // A coordinate is always on Earth: nothing else makes this fail.
      let names = try? namer.names(of: location)
      return names.map(NamedPlace.init) ?? NamedPlace(PlaceNames(), basis: "")
    }
    self.overwrite = overwrite
    namesPlaceShown = options.shown
    addsIPTC = options.iptc
  }
}

extension PlaceNamer {
  /// What names places in a language that somebody typed.
  static func opened(_ language: String?, in index: GeoIndex) throws -> PlaceNamer {
    if let language, try !index.knows(language: language) {
      throw StartError(
        "the gazetteer has no names in the language '\(language.printable)'; give it as in de, ja, zh-TW")
    }
    return try index.namer(language: language)
  }
}

extension PlaceNamer {
  /// What a recorded location is called.
  func names(of location: Location) throws -> Names {
    try names(
      latitude: location.coordinate.latitude, longitude: location.coordinate.longitude, error: location.horizontalError)
  }
}

extension PlaceNames {
  init(_ found: PlaceNamer.Names) {
    self.init()
    sublocation = found.sublocation
    city = found.city
    state = found.state
    country = found.country
    countryCode = found.countryCode
  }
}

extension NamedPlace {
  init(_ found: PlaceNamer.Names) {
    let names = PlaceNames(found)
    let distance = found.distance.map { ", whose centre is \(($0 / 100).rounded() / 10) km away" } ?? ""
    let forms = found.inOtherForms.isEmpty ? "" : "; known only as \(found.inOtherForms.joined(separator: ", "))"
    self.init(names, basis: names.isEmpty ? "no place is known there" : "named \(names)\(distance)\(forms)")
  }
}
