import Glibc

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

/// The class of a place, as stored in the gazetteer's file and the index. Scripts/gazetteer/build has the same list.
enum PlaceClass: UInt8, CaseIterable {
  case city
  /// The seat of a country's government.
  case capital
  /// The seat of a first-level region.
  case seat
  /// A part of a city.
  case quarter
  /// An island or station that is well known, although few people live there.
  case locality
  /// A place with few or unknown inhabitants: found by its name and by `near`, but never used as a photo's town.
  case village
  /// An airport with an IATA code.
  case airport
  /// An airport without an IATA code.
  case airfield
  case region
  case country

  var kind: Place.Kind {
    switch self {
    case .city, .seat, .quarter, .village: .city
    case .capital: .capital
    case .locality: .locality
    case .airport, .airfield: .airport
    case .region: .admin1
    case .country: .country
    }
  }

  /// Whether people live there, in one place: a candidate for "the nearest town".
  var isTown: Bool { rawValue <= Self.quarter.rawValue }

  /// Returns the likelihood that a place is meant, all else being equal: 0...1.
  /// - Parameter names: The number of its other names. A place known in many languages is meant more often than one of
  ///   equal size that is known in only one country.
  func importance(population: Int, names: Int) -> Float {
    // Ten is added because an unknown population is not zero.
    let size = Float(log10(Double(population) + 10))
    let prominence = min(1, (Float(names) / 64).squareRoot())
    let town = 0.9 * size / 7.6 + 0.1 * prominence
    return switch self {
    case .city: town
    // A capital is well known, even with a few thousand inhabitants.
    case .capital: min(1, max(town + 0.1, 0.62))
    case .seat: min(1, town + 0.01)
    case .quarter: town - 0.05
    case .locality: 0.35
    case .village: 0.08
    case .airport: 0.35
    case .airfield: 0.12
    // Less than a large city of the same name that is its seat.
    case .region: 0.33 + 0.3 * size / 8 + 0.12 * prominence
    case .country: 0.7 + 0.3 * size / 9.2
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
  /// The distance between the point and the place in metres, along the great circle.
  public let distance: Double
  /// The direction from the place to the point, in degrees clockwise from true north, 0..<360: 90 means that the point
  /// is east of the place. 0 if the two coincide.
  public let bearing: Double
}
