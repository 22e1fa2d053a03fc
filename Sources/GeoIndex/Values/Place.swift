/// A place of the gazetteer, or one of the user's own.
public struct Place: Sendable, Hashable, Identifiable {
  /// The kinds of places.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The seat of a country's government (GeoNames feature code PPLC).
    case capital
    /// Any other city, town or village, or a quarter of one.
    case city
    /// An island or station that is well known, although few people live there.
    case locality
    /// An airport or airfield.
    case airport
    /// A first-level region: state, province, prefecture.
    case admin1
    /// A country, or a territory with an ISO 3166-1 code.
    case country
    /// One of the user's own places, of no other kind.
    case own
    /// A position that was typed, not a place of the gazetteer.
    case coordinate
  }

  /// Properties that only the user's own places have.
  public struct Own: Sendable, Hashable {
    /// The name of the import that it came with; `pins` for a pin.
    public let source: String
    /// The category in its file, unless that is a `Kind`.
    public let category: String?
    /// The altitude in metres above sea level; nil if unknown.
    public let altitude: Double?
    /// The radius of the place in metres.
    public let radius: Double
  }

  /// A stable identifier: the GeoNames id, or a negative number if GeoNames has none; the same in every version of the
  /// gazetteer. For the user's own places, it is the same whenever the file is imported under the same name.
  public let id: Int64
  /// The usual name, as GeoNames writes it: mostly the English one. For a coordinate: `latitude, longitude`.
  public let name: String
  /// The name by which a search found it: `name`, or an alternate one in any script (`東京`, `München`).
  public let matchedName: String
  /// The kind of place.
  public let kind: Kind
  /// The two ISO 3166-1 letters of the country; empty for a coordinate.
  public let countryCode: String
  /// The English name of the country; empty for a coordinate.
  public let country: String
  /// The first-level region (state, province, prefecture); nil if unknown.
  public let admin1: String?
  /// Degrees north, WGS 84, -90...90, to five decimals; for the user's own places as given. The position of a region or
  /// country is amid its towns.
  public let latitude: Double
  /// Degrees east, WGS 84, -180...180, to five decimals.
  public let longitude: Double
  /// The number of inhabitants; 0 if unknown.
  public let population: Int
  /// The IANA name of the time zone (`Asia/Tokyo`); for regions and countries, that of their largest town; empty for a
  /// coordinate.
  public let timeZone: String
  /// The properties of a user's own place; nil for a place of the gazetteer.
  public var own: Own?

  /// Whether it is an island that the gazetteer has only as a point. Such places in the Antarctic are stations.
  public var isIsland: Bool { kind == .locality && own == nil && countryCode != "AQ" }
}
