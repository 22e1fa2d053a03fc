import Glibc

/// What sort of thing a place is, as the gazetteer's file and the index say it. Scripts/gazetteer has the same list.
enum PlaceClass: UInt8, CaseIterable {
  case city
  /// Seat of a country's government.
  case capital
  /// Seat of a first-level region.
  case seat
  /// Part of a city.
  case quarter
  /// An island or station that is known well, though few live there.
  case locality
  /// With an IATA code.
  case airport
  /// Without one.
  case airfield
  case region
  case country

  var kind: Place.Kind {
    switch self {
    case .city, .seat, .quarter: .city
    case .capital: .capital
    case .locality: .locality
    case .airport, .airfield: .airport
    case .region: .admin1
    case .country: .country
    }
  }

  /// People live there, in one place: what "the nearest town" may be.
  var isTown: Bool { rawValue <= Self.quarter.rawValue }

  /// How likely a place is meant, all else being equal: 0...1.
  func importance(population: Int) -> Float {
    // Ten more: no people known is not none.
    let size = Float(log10(Double(population) + 10))
    return switch self {
    case .city: size / 7.6
    case .capital: min(1, size / 7.6 + 0.05)
    case .seat: min(1, size / 7.6 + 0.02)
    case .quarter: size / 7.6 - 0.05
    case .locality: 0.35
    case .airport: 0.35
    case .airfield: 0.12
    case .region: 0.44 + 0.3 * size / 8
    case .country: 0.7 + 0.3 * size / 9.2
    }
  }
}
