import Basics
import Foundation

/// Facts about cities that the gazetteer lacks: `cities.tsv` next to the borders, a table that users may edit. The file
/// explains its format.
struct CityTable {
  /// The city that comprises a whole first-level region, by the region's code.
  private(set) var regions: [String: Int64] = [:]
  /// Endings of the names of a region's counties, and the city to which these counties belong.
  private(set) var counties: [String: [(ending: String, city: Int64)]] = [:]
  /// The countries whose counties are municipalities.
  private(set) var municipalities: Set<String> = []
  /// The distance in metres from the center to the edge, by GeoNames id.
  private(set) var radii: [Int64: Double] = [:]
  /// Parts of cities, with points spread over them.
  private(set) var parts: [(city: Int64, part: Int64, points: [Coordinate])] = []

  /// Parses the table.
  /// - Parameter text: The lines of the file.
  init(_ text: String) throws(GeoIndexError) {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where !line.isEmpty && line.first != "#" {
      guard take(line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)) else {
        throw GeoIndexError(.damagedGazetteer, "line \(index + 1) of cities.tsv next to the borders is invalid")
      }
    }
  }

  private mutating func take(_ fields: [String]) -> Bool {
    switch (fields[0], fields.count) {
    case ("region", 3):
      regions[fields[1]] = Int64(fields[2])
      return regions[fields[1]] != nil
    case ("county", 4):
      guard let city = Int64(fields[3]) else { return false }
      counties[fields[1], default: []].append((fields[2], city))
    case ("municipalities", 2): municipalities.insert(fields[1])
    case ("radius", 3):
      guard let city = Int64(fields[1]), let metres = Double(fields[2]), metres > 0 else { return false }
      radii[city] = metres
    case ("part", 3...):
      guard let city = Int64(fields[1]), let part = Int64(fields[2]) else { return false }
      let points = fields.dropFirst(3).map(Self.point)
      guard !points.contains(nil) else { return false }
      parts.append((city, part, points.compactMap(\.self)))
    default: return false
    }
    return true
  }

  private static func point(_ text: String) -> Coordinate? {
    let degrees = text.split(separator: ",").map { Double($0) }
    guard degrees.count == 2, let latitude = degrees[0], let longitude = degrees[1] else { return nil }
    return try? Coordinate(validating: latitude, longitude)
  }
}
