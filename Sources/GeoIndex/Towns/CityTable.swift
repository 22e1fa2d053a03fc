import Foundation

/// Facts about cities that the gazetteer lacks: `cities.tsv` beside the borders, a table that its reader may change.
/// The file says what its lines mean.
struct CityTable {
  /// The city that all of a first-level region is, by the region's code.
  private(set) var regions: [String: Int64] = [:]
  /// Ends of the names of a region's counties, and the city that these are parts of.
  private(set) var counties: [String: [(ending: String, city: Int64)]] = [:]
  /// Countries whose counties are municipalities.
  private(set) var municipalities: Set<String> = []
  /// Metres from the centre to the edge, by GeoNames ids.
  private(set) var radii: [Int64: Double] = [:]
  /// Parts of cities, with points all over them.
  private(set) var parts: [(city: Int64, part: Int64, points: [Point])] = []

  /// Reads the table.
  /// - Parameter text: the file's lines.
  init(_ text: String) throws(GeoIndexError) {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where !line.isEmpty && line.first != "#" {
      guard take(line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)) else {
        throw GeoIndexError(.damagedGazetteer, "line \(index + 1) of cities.tsv beside the borders isn't understood")
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

  private static func point(_ text: String) -> Point? {
    let degrees = text.split(separator: ",").map { Double($0) }
    guard degrees.count == 2, let latitude = degrees[0], let longitude = degrees[1] else { return nil }
    return try? Point(validating: latitude, longitude)
  }
}
