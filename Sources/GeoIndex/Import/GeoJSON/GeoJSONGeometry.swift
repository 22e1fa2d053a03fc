import Basics

/// The geometry of a GeoJSON feature.
struct GeoJSONGeometry {
  /// The points, with nil for an invalid one. Lines and areas next to a point describe its extent.
  private(set) var points: [[Double]?] = []
  /// The extent of lines and areas.
  private(set) var extent = Extent()
  /// Whether a line or area has coordinates that aren't on Earth.
  private(set) var isInvalid = false

  init() {}

  /// Returns nil if the value isn't a geometry.
  init?(_ geometry: JSONValue) {
    guard add(geometry) else { return nil }
  }

  private mutating func add(_ geometry: JSONValue) -> Bool {
    guard let type = geometry["type"]?.string else { return false }
    let coordinates = geometry["coordinates"] ?? .null
    switch type {
    case "Point": points.append(coordinates.numbers)
    case "MultiPoint":
      let numbers = coordinates.elements.map(\.numbers)
      points += coordinates == .null || numbers.contains(nil) ? [nil] : numbers
    case "LineString": line(coordinates).map { extent.addLine($0) }
    case "MultiLineString": for part in coordinates.elements { line(part).map { extent.addLine($0) } }
    case "Polygon": addPolygon(coordinates)
    case "MultiPolygon": for part in coordinates.elements { addPolygon(part) }
    case "GeometryCollection":
      guard case .array(let parts)? = geometry["geometries"] else { return false }
      for part in parts { guard add(part) else { return false } }
    // Other programs' shapes count as such.
    default: break
    }
    return true
  }

  /// Adds the outer ring of a polygon, which is the first.
  private mutating func addPolygon(_ rings: JSONValue) {
    guard let outer = rings.elements.first, let points = line(outer) else { return }
    extent.addRing(points)
  }

  private mutating func line(_ positions: JSONValue) -> [Coordinate]? {
    var points: [Coordinate] = []
    for position in positions.elements {
      guard let point = Self.coordinate(position.numbers) else {
        isInvalid = true
        return nil
      }
      points.append(point)
    }
    return points
  }

  /// Returns the point of `[longitude, latitude, …]`.
  static func coordinate(_ numbers: [Double]?) -> Coordinate? {
    guard let numbers, numbers.count >= 2 else { return nil }
    return Coordinate(latitude: numbers[1], longitude: numbers[0])
  }
}

extension JSONValue {
  /// The text of a string, of a number, or of a list of strings, which semicolons separate; nil for other values.
  var scalarText: String? {
    switch self {
    case .string: string
    case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
    case .integer(let number): "\(number)"
    case .array(let values):
      values.allSatisfy { $0.string != nil } ? values.compactMap(\.string).joined(separator: ";") : nil
    default: nil
    }
  }
}
