/// A place of the gazetteer.
public struct Place: Sendable, Hashable, Identifiable {
  /// What sort of thing a place is.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The seat of a country's government (GeoNames feature code PPLC).
    case capital
    /// Any other city, town, village or quarter of one.
    case city
    /// An island or station that is known well, though few live there.
    case locality
    /// An airport or airfield.
    case airport
    /// A first-level region: state, province, prefecture.
    case admin1
    /// A country, or what has an ISO 3166-1 code like one.
    case country
    /// No place of the gazetteer, but a position that was typed.
    case coordinate
  }

  /// The same in every version of the gazetteer: its GeoNames id, or a number below zero where GeoNames has none.
  public let id: Int64
  /// Its usual name, as GeoNames writes it: mostly the English one. Of a coordinate: `latitude, longitude`.
  public let name: String
  /// The name by which a search found it: `name`, or an alternate one in any script (`東京`, `München`).
  public let matchedName: String
  /// What sort of thing it is.
  public let kind: Kind
  /// Country, as its two ISO 3166-1 letters; empty for a coordinate.
  public let countryCode: String
  /// Country, by its English name; empty for a coordinate.
  public let country: String
  /// First-level region (state, province, prefecture), if it is known.
  public let admin1: String?
  /// Degrees north, WGS 84, -90...90, to five decimals. Regions and countries lie amid their towns.
  public let latitude: Double
  /// Degrees east, WGS 84, -180...180, to five decimals.
  public let longitude: Double
  /// People living there; 0 if not known.
  public let population: Int
  /// Time zone, as its IANA name (`Asia/Tokyo`); of regions and countries, their largest town's; empty for a coordinate.
  public let timeZone: String
}
