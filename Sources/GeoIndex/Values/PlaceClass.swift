import Glibc

/// The class of a place, as stored in the gazetteer's file and the index. Scripts/gazetteer has the same list.
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
