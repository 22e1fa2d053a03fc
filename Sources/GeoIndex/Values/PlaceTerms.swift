/// The terms under which the places of a database may be used and passed on.
public struct PlaceTerms: Sendable, Hashable {
  /// The short name of the licence: `ODbL 1.0`.
  public let licence: String
  /// The text by which the licence wants the source named.
  public let attribution: String

  /// OpenStreetMap.
  static let openStreetMap = PlaceTerms(licence: "ODbL 1.0", attribution: "© OpenStreetMap contributors")
  /// GeoNames.
  static let geoNames = PlaceTerms(licence: "CC BY 4.0", attribution: "GeoNames (geonames.org)")
  /// Wikidata.
  static let wikidata = PlaceTerms(licence: "CC0 1.0", attribution: "Wikidata")
  /// Overture Maps, whose themes have several licences.
  static let overture = PlaceTerms(
    licence: "ODbL 1.0 or CDLA Permissive 2.0, by theme",
    attribution: "Overture Maps Foundation, © OpenStreetMap contributors")
}
