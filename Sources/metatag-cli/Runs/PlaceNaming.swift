import GeoIndex
import MetaTag

/// Planning of place names with the tool's gazetteer.
extension NamePlanner {
  /// Creates a planner with the tool's gazetteer.
  init(_ options: NamingOptions, _ overwrite: Overwrite, console: Console) throws {
    let namer = try PlaceNamer.opened(options.language?.text, in: Gazetteer.opened(console: console))
    self.init { location in
      // Fails only for coordinates that aren't on Earth.
      let names = try? namer.names(of: location)
      return names.map(NamedPlace.init) ?? NamedPlace(PlaceNames(), basis: "")
    }
    self.overwrite = overwrite
    namesPlaceShown = options.shown
    addsIPTC = options.iptc
  }
}

extension PlaceNamer {
  /// Opens a namer for a language that the user typed.
  static func opened(_ language: String?, in index: Gazetteer) throws -> PlaceNamer {
    try index.require(language: language)
    return try index.namer(language: language)
  }
}

extension Gazetteer {
  /// Requires that the gazetteer has names in this language.
  func require(language: String?) throws {
    if let language, !knows(language: language) {
      throw SetupError(
        "the gazetteer has no names in the language '\(language.printable)'; give it as in de, ja, zh-TW",
        isUsage: true)
    }
  }
}

extension PlaceNamer {
  /// Returns a lookup that gives the names of locations outside the place by more than their error, and nil for others.
  func elsewhere(than place: Place) -> @Sendable (Location) -> PlaceNames? {
    return { location in
      let position = location.coordinate
      // Fails only for coordinates that aren't on Earth.
      let isInside = try? isIn(place, latitude: position.latitude, longitude: position.longitude)
      let error = place.isArea ? 0 : location.horizontalError ?? 0
      guard isInside == false, place.coordinate.distance(to: position) > error else { return nil }
      return (try? names(of: location)).map { PlaceNames($0) }
    }
  }

  /// Returns a lookup that gives the names of locations where they differ from those of `given`.
  func elsewhere(than given: Location) throws -> @Sendable (Location) -> PlaceNames? {
    let wanted = PlaceNames(try names(of: given))
    return { location in
      guard let names = try? names(of: location), case let names = PlaceNames(names) else { return nil }
      return names.isAnotherPlace(than: wanted) ? names : nil
    }
  }
}

extension NamedPlace {
  init(_ found: PlaceNamer.Names) {
    let names = PlaceNames(found)
    let distance = found.distance.map { ", whose center is \(($0 / 100).rounded() / 10) km away" } ?? ""
    let forms = found.inOtherForms.isEmpty ? "" : "; known only as \(found.inOtherForms.joined(separator: ", "))"
    self.init(names, basis: names.isEmpty ? "no place is known there" : "named \(names)\(distance)\(forms)")
  }
}
