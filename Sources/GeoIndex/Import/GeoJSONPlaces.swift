import Basics

/// GeoJSON (RFC 7946), or a sequence of features (RFC 8142, one per line): the features that have exactly one point.
/// Lines and areas are counted.
struct GeoJSONPlaces: PlaceFormat {
  let name = "GeoJSON"
  /// The largest size of the members of the outermost object, other than its features.
  private static let mostBytes = 64 << 20

  func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    // A sequence has a record separator before each text.
    head.first { ![0x20, 0x09, 0x0A, 0x0D, 0x1E].contains($0) } == UInt8(ascii: "{")
  }

  func read(_ input: InputWindow, _ take: (ImportedPlace) throws -> Void) throws {
    var json = JSONReader(input)
    var number = 0
    while let first = try json.peek() {
      switch first {
      case UInt8(ascii: "{"): try Self.readRoot(&json, &number, take)
      case UInt8(ascii: "["), UInt8(ascii: "\""): _ = try json.rawValue()
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        throw FileError(.malformed, "invalid JSON: unmatched closing bracket", at: json.position)
      // A record separator, or what a program writes between the texts.
      default: try json.skipByte()
      }
    }
  }

  /// Reads an outermost object: a collection, a feature in a sequence, or something else.
  private static func readRoot(
    _ json: inout JSONReader, _ number: inout Int, _ take: (ImportedPlace) throws -> Void
  ) throws {
    let start = json.position
    var hasFeatures = false
    var others = [UInt8(ascii: "{")]
    try json.skipByte()
    while try json.peek() != UInt8(ascii: "}") {
      if try json.skip(",") { continue }
      guard try json.peek() == UInt8(ascii: "\"") else {
        throw FileError(.malformed, "invalid JSON: expected a member name", at: json.position)
      }
      let name = try json.rawValue()
      try json.expect(":")
      if name.elementsEqual("\"features\"".utf8), try json.peek() == UInt8(ascii: "[") {
        hasFeatures = true
        try readFeatures(&json, &number, take)
      } else {
        if others.count > 1 { others.append(UInt8(ascii: ",")) }
        others += name + [UInt8(ascii: ":")] + (try json.rawValue())
        guard others.count <= mostBytes else {
          throw FileError(.valueTooLong, "a JSON object exceeds 64 MB", at: start)
        }
      }
    }
    try json.skipByte()
    guard !hasFeatures else { return }
    others.append(UInt8(ascii: "}"))
    let root = value(others)
    if root?["type"]?.isText("FeatureCollection") == true { return }
    number += 1
    try take(place(root, entry: "feature \(number)"))
  }

  private static func readFeatures(
    _ json: inout JSONReader, _ number: inout Int, _ take: (ImportedPlace) throws -> Void
  ) throws {
    try json.skipByte()
    while let first = try json.peek(), first != UInt8(ascii: "]") {
      if try json.skip(",") { continue }
      let text = try json.rawValue()
      guard first == UInt8(ascii: "{") else { continue }
      number += 1
      try take(place(value(text), entry: "feature \(number)"))
    }
    try json.expect("]")
  }

  /// Returns the value of a text; nil if it is malformed.
  private static func value(_ text: [UInt8]) -> JSONValue? {
    var json = JSONReader(InputWindow(text))
    return try? json.value()
  }

  private static func place(_ feature: JSONValue?, entry: String) -> ImportedPlace {
    let geometry = feature?["geometry"] ?? .null
    let properties = feature?["properties"] ?? .null
    guard let feature, feature["type"]?.isText("Feature") == true, properties == .null || properties.members != nil,
      let points = geometry == .null ? [] : points(of: geometry)
    else { return .bad(entry: entry, why: "it is not a GeoJSON feature") }
    guard geometry != .null else { return .bad(entry: entry, why: "it has no geometry") }
    guard !points.isEmpty else { return .shape }
    guard points.count == 1 else { return .bad(entry: entry, why: "it has \(points.count) points, expected one") }
    guard let numbers = points[0], numbers.count >= 2,
      let point = Coordinate(latitude: numbers[1], longitude: numbers[0])
    else { return .bad(entry: entry, why: "its coordinates are not a valid [longitude, latitude]") }
    var draft = PlaceDraft()
    draft.point = point
    if numbers.count > 2 { draft[.altitude] = "\(numbers[2])" }
    draft[.id] = feature["id"]?.scalarText
    let sorted = sorted(properties)
    draft.take(sorted)
    // In Google's saved places, the place is an object among the properties.
    if draft[.name] == nil { for (_, value) in sorted { draft.take(self.sorted(value)) } }
    return .place(draft, entry: entry)
  }

  /// Returns the members in the order of their names, so that of two with the same meaning always the same one is used.
  private static func sorted(_ object: JSONValue) -> [(name: String, value: JSONValue)] {
    (object.members ?? []).compactMap { member in
      String(validating: member.name, as: UTF8.self).map { ($0, member.value) }
    }.sorted { ($0.0.count, $0.0) < ($1.0.count, $1.0) }
  }

  /// Returns the points of a geometry, with nil for an invalid one; nil if it isn't a geometry. Lines and areas next to a
  /// point describe its extent and are ignored.
  private static func points(of geometry: JSONValue) -> [[Double]?]? {
    guard let type = geometry["type"]?.string else { return nil }
    let coordinates = geometry["coordinates"]
    switch type {
    case "Point": return [coordinates?.numbers]
    case "MultiPoint":
      let points = coordinates?.elements.map(\.numbers)
      return points.map { $0.contains(nil) ? [nil] : $0 } ?? [nil]
    case "GeometryCollection":
      guard let geometries = geometry["geometries"], case .array(let parts) = geometries else { return nil }
      var found: [[Double]?] = []
      for part in parts {
        guard let points = points(of: part) else { return nil }
        found += points
      }
      return found
    default: return []
    }
  }
}

extension JSONValue {
  /// The text of a string, of a number, or of a list of strings, which semicolons separate; nil for other values.
  fileprivate var scalarText: String? {
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

extension PlaceDraft {
  /// Takes over the properties of a place whose position is known.
  fileprivate mutating func take(_ properties: [(name: String, value: JSONValue)]) {
    for (name, value) in properties {
      guard let field = PlaceField(name), ![.position, .latitude, .longitude].contains(field) else { continue }
      self[field] = value.scalarText
    }
  }
}
