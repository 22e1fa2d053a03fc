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
  /// Where few live, or nobody counted them: found by its name and by `placesNear`, and no photo's town.
  case village
  /// With an IATA code.
  case airport
  /// Without one.
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

  /// People live there, in one place: what "the nearest town" may be.
  var isTown: Bool { rawValue <= Self.quarter.rawValue }

  /// How likely a place is meant, all else being equal: 0...1.
  /// - Parameter names: how many other names it is known by: who is known in many languages is meant more often than
  ///   who is as large, and of one country only.
  func importance(population: Int, names: Int) -> Float {
    // Ten more: no people known is not none.
    let size = Float(log10(Double(population) + 10))
    let prominence = min(1, (Float(names) / 64).squareRoot())
    let town = 0.9 * size / 7.6 + 0.1 * prominence
    return switch self {
    case .city: town
    // Even of a few thousand people, it is known as such.
    case .capital: min(1, max(town + 0.1, 0.62))
    case .seat: min(1, town + 0.01)
    case .quarter: town - 0.05
    case .locality: 0.35
    case .village: 0.08
    case .airport: 0.35
    case .airfield: 0.12
    // Less than a large city of the same name, which is its seat.
    case .region: 0.33 + 0.3 * size / 8 + 0.12 * prominence
    case .country: 0.7 + 0.3 * size / 9.2
    }
  }
}
