import Basics

/// GeoJSON (RFC 7946), or a sequence of features (RFC 8142, or one per line): features with exactly one point, and lines
/// and areas with a name. The properties may be those of Overture Maps, or tags of OpenStreetMap.
struct GeoJSONPlaces: PlaceFormat {
  let name = "GeoJSON"
  /// The largest size of the members of the outermost object, other than its features.
  private static let mostBytes = 64 << 20

  func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    // A sequence has a record separator before each text.
    head.first { ![0x20, 0x09, 0x0A, 0x0D, 0x1E].contains($0) } == UInt8(ascii: "{")
  }

  func read(_ file: PlaceFile, _ take: (ImportedPlace) throws -> Void) throws {
    var json = JSONReader(file.window)
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
      let shape = geometry == .null ? GeoJSONGeometry() : GeoJSONGeometry(geometry)
    else { return .bad(entry: entry, why: "it is not a GeoJSON feature") }
    guard geometry != .null else { return .bad(entry: entry, why: "it has no geometry") }
    guard shape.points.count <= 1 else {
      return .bad(entry: entry, why: "it has \(shape.points.count) points, expected one")
    }
    var draft = PlaceDraft()
    draft[.id] = feature["id"]?.scalarText
    draft.radius = shape.extent.radius
    fill(&draft, properties, area: shape.extent.area)
    if let numbers = shape.points.first {
      guard let point = GeoJSONGeometry.coordinate(numbers) else {
        return .bad(entry: entry, why: "its coordinates are not a valid [longitude, latitude]")
      }
      draft.point = point
      if let numbers, numbers.count > 2 { draft[.altitude] = "\(numbers[2])" }
    } else {
      guard draft[.name] != nil else { return .shape }
      guard !shape.isInvalid else {
        return .bad(entry: entry, why: "its coordinates are not lists of valid [longitude, latitude]")
      }
      guard let center = shape.extent.center else { return .shape }
      draft.point = center
    }
    return .place(draft, entry: entry)
  }

  private static func fill(_ draft: inout PlaceDraft, _ properties: JSONValue, area: Double) {
    if let overture = OvertureProperties(properties) { return overture.fill(&draft, area: area) }
    let sorted = sorted(properties)
    if let tags = tags(properties) {
      tags.fill(&draft, area: area)
      // Tags rarely give these. Altitudes and populations in tags are written in many ways, which columns don't allow.
      let more: Set<PlaceField> = [.id, .country, .region, .zone, .radius]
      return draft.take(sorted.filter { PlaceField($0.name).map(more.contains) == true })
    }
    draft.take(sorted)
    // In Google's saved places, the place is an object among the properties.
    if draft[.name] == nil { for (_, value) in sorted { draft.take(self.sorted(value)) } }
  }

  /// Returns the properties as tags of OpenStreetMap, if they are such: a tag means a kind, and no column has one.
  private static func tags(_ properties: JSONValue) -> OSMTags? {
    let pairs = (properties.members ?? []).compactMap { member -> (String, String)? in
      guard let key = String(validating: member.name, as: UTF8.self), let value = member.value.scalarText else {
        return nil
      }
      return (key, value)
    }
    let tags = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    guard let found = OSMTags(tags), found.kind != .own,
      !["category", "kind", "type", "class"].contains(where: {
        Place.Kind(rawValue: tags[$0]?.lowercased() ?? "") != nil
      })
    else { return nil }
    return found
  }

  /// Returns the members in the order of their names, so that of two with the same meaning always the same one is used.
  private static func sorted(_ object: JSONValue) -> [(name: String, value: JSONValue)] {
    (object.members ?? []).compactMap { member in
      String(validating: member.name, as: UTF8.self).map { ($0, member.value) }
    }.sorted { ($0.0.count, $0.0) < ($1.0.count, $1.0) }
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
