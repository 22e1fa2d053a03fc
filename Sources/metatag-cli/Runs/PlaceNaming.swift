import GeoIndex
import MetaTag

extension NamePlanner {
  /// Names from the gazetteer that comes with the tool.
  init(_ options: NamingOptions, _ overwrite: Overwrite, telling console: Console) throws {
    let index = try GeoIndex.opened(telling: console)
    let language = options.language?.text
    if let language, try !index.knows(language: language) {
      throw StartError(
        "the gazetteer has no names in the language '\(language.printable)'; give it as in de, ja, zh-TW")
    }
    let namer = try index.namer(language: language)
    self.init { coordinate in
      // A coordinate is always on Earth: nothing else makes this fail.
      let names = try? namer.names(latitude: coordinate.latitude, longitude: coordinate.longitude)
      return names.map(NamedPlace.init) ?? NamedPlace(PlaceNames(), basis: "")
    }
    self.overwrite = overwrite
    namesPlaceShown = options.shown
    addsIPTC = options.iptc
  }
}

extension NamedPlace {
  fileprivate init(_ found: PlaceNamer.Names) {
    var names = PlaceNames()
    names.sublocation = found.sublocation
    names.city = found.city
    names.state = found.state
    names.country = found.country
    names.countryCode = found.countryCode
    let distance = found.distance.map { ", whose centre is \(($0 / 100).rounded() / 10) km away" } ?? ""
    let forms = found.inOtherForms.isEmpty ? "" : "; known only as \(found.inOtherForms.joined(separator: ", "))"
    self.init(names, basis: names.isEmpty ? "no place is known there" : "named \(names)\(distance)\(forms)")
  }
}
