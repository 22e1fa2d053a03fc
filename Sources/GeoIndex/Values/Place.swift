/// A place of the gazetteer, or one of the user's own.
public struct Place: Sendable, Hashable, Codable, Identifiable {
  /// Properties that only the user's own places have.
  public struct Own: Sendable, Hashable, Codable {
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
  /// The likelihood that it is meant, all else being equal, 0...1: by population, or by how well a sight is known. 0.9 is
  /// known to nearly everyone, 0.6 a chief sight of its country, 0.3 known only in its part.
  public internal(set) var importance = 0.0
  /// The radius in metres of a circle around the position, by which its extent is known: for features about the largest
  /// that lies within it, for second-level regions one that has most of its towns. Nil if it is small, or unknown.
  public internal(set) var radius: Double?

  /// Whether it is so large that its position doesn't say where in it something is: an island, a lake, a mountain range.
  /// Countries and regions are not included. Localities are islands that the gazetteer has only as a point; those in the
  /// Antarctic are stations.
  public var isExtended: Bool {
    switch kind {
    case .locality: return own == nil && countryCode != "AQ"
    case .river, .range, .desert, .region, .admin2, .lake, .island, .bay: return true
    default: return radius ?? 0 > 2_000
    }
  }

  /// Whether the user pinned it.
  var isPin: Bool { own?.source == Self.pins }

  /// The name of the source whose places are pins.
  static let pins = "pins"

  /// Whether it is neither a settlement, a country or first-level region, nor an airport or a typed position.
  var isFeature: Bool {
    switch kind {
    case .capital, .city, .locality, .admin1, .country, .airport, .coordinate: return false
    default: return true
    }
  }
}

/// The result of looking for the one place that a name means.
public enum PlaceResolution: Sendable, Hashable {
  /// One place is meant. If its kind is `country` or `admin1`, it is an area, and its position is only a point in it.
  case one(Place)
  /// It isn't clear which place is meant. Contains the places with the name, the most important first, at most
  /// `mostCandidates`; perhaps only one, if it is too small to be identified by its name alone.
  case ambiguous([Place])
  /// No place has the name. `suggestions` are places whose names begin with it, the most important first, at most 5.
  case none(suggestions: [Place])

  /// The largest number of candidates in `ambiguous`.
  public static let mostCandidates = 20
}

/// The place nearest to a point.
public struct NearestPlace: Sendable, Hashable {
  /// The place; its `matchedName` is its `name`.
  public let place: Place
  /// The distance between the point and the place in metres, along the great circle; of a place with a radius, to its
  /// edge.
  public let distance: Double
  /// The direction from the place to the point, in degrees clockwise from true north, 0..<360: 90 means that the point
  /// is east of the place. 0 if the two coincide.
  public let bearing: Double
}
