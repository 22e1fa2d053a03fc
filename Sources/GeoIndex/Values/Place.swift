/// A place of the gazetteer, or one of the user's own.
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
    /// One of the user's own that is said to be nothing else.
    case own
    /// No place of the gazetteer, but a position that was typed.
    case coordinate
  }

  /// What is known of the user's own places only.
  public struct Own: Sendable, Hashable {
    /// The name of the import it came with; `pins` of a pin.
    public let source: String
    /// What its file says it is, if that is no `Kind`.
    public let category: String?
    /// Metres above sea level.
    public let altitude: Double?
    /// Metres around it that are the place.
    public let radius: Double
  }

  /// The same in every version of the gazetteer: its GeoNames id, or a number below zero where GeoNames has none. Of
  /// the user's own, the same whenever its file is imported under the same name.
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
  /// Degrees north, WGS 84, -90...90, to five decimals; the user's own as they are given. Regions and countries lie
  /// amid their towns.
  public let latitude: Double
  /// Degrees east, WGS 84, -180...180, to five decimals.
  public let longitude: Double
  /// People living there; 0 if not known.
  public let population: Int
  /// Time zone, as its IANA name (`Asia/Tokyo`); of regions and countries, their largest town's; empty for a
  /// coordinate.
  public let timeZone: String
  /// Nil for a place of the gazetteer.
  public var own: Own?

  /// Whether it is an island that the gazetteer has as a point only. Those places in the Antarctic are stations.
  public var isIsland: Bool { kind == .locality && own == nil && countryCode != "AQ" }
}
