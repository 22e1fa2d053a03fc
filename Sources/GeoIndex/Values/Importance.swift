import Glibc

/// The likelihood that a place is meant, all else being equal: 0...1. It is the first thing by which places of one name
/// are ranked.
///
/// - 0.9: known to nearly everyone (London, the Eiffel Tower);
/// - 0.75: known to most travellers (a city of 500,000, Neuschwanstein);
/// - 0.6: a chief sight of its country, or a city of 100,000;
/// - 0.45: known in all of its country, or a town of 10,000;
/// - 0.3: known in its part of the country, or a village.
enum Importance {
  /// Returns the importance of a place of the gazetteer of which only the number of inhabitants is known.
  /// - Parameter names: The number of its other names. A place known in many languages is meant more often than one of
  ///   equal size that is known in only one country.
  static func of(_ place: PlaceClass, population: Int, names: Int) -> Float {
    // Ten is added because an unknown population is not zero.
    let size = Float(log10(Double(population) + 10))
    let prominence = min(1, (Float(names) / 64).squareRoot())
    let town = 0.9 * size / 7.6 + 0.1 * prominence
    return switch place {
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
    // Less than its chief town.
    case .feature(.admin2): 0.2 + 0.3 * size / 8 + 0.12 * prominence
    case .feature: 0.3 + 0.3 * prominence
    }
  }
}
