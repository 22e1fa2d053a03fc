import Basics
import Foundation

/// GeoJSON (RFC 7946), or a sequence of features (RFC 8142, one per line): the features that have exactly one point.
/// Lines and areas are counted.
struct GeoJSONPlaces: PlaceFormat {
  let name = "GeoJSON"

  func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    // A sequence has a record separator before each text.
    head.first { ![0x20, 0x09, 0x0A, 0x0D, 0x1E].contains($0) } == UInt8(ascii: "{")
  }

  func read(_ input: InputWindow, _ take: (ImportedPlace) throws -> Void) throws {
    var (input, elements, number) = (input, JSONElements(), 0)
    while true {
      try input.fill(1)
      guard input.remaining > 0 else { break }
      let byte = input.bytes[input.at]
      input.at += 1
      switch try elements.take(byte) {
      case .feature(let text):
        number += 1
        try take(Self.place(text, entry: "feature \(number)"))
      case .root(let text):
        // The outermost object of an empty collection identifies itself as a collection.
        if let collection = try? JSONDecoder().decode(Named.self, from: Data(text)),
          collection.type == "FeatureCollection"
        {
          continue
        }
        number += 1
        try take(Self.place(text, entry: "feature \(number)"))
      case nil: break
      }
    }
    guard !elements.isOpen else { throw GeoIndexError(.badFile, "the file breaks off after feature \(number)") }
  }

  private static func place(_ text: [UInt8], entry: String) -> ImportedPlace {
    guard let feature = try? JSONDecoder().decode(Feature.self, from: Data(text)), feature.type == "Feature" else {
      return .bad(entry: entry, why: "it is no GeoJSON feature")
    }
    guard let geometry = feature.geometry else { return .bad(entry: entry, why: "it has no geometry") }
    let points = geometry.points
    guard !points.isEmpty else { return .shape }
    guard points.count == 1 else { return .bad(entry: entry, why: "it has \(points.count) points, a place has one") }
    guard let numbers = points[0], numbers.count >= 2,
      let point = Coordinate(latitude: numbers[1], longitude: numbers[0])
    else {
      return .bad(entry: entry, why: "its coordinates are no [longitude, latitude] on Earth")
    }
    var draft = PlaceDraft()
    draft.point = point
    if numbers.count > 2 { draft[.altitude] = "\(numbers[2])" }
    draft[.id] = feature.id?.text
    let properties = sorted(feature.properties ?? [:])
    draft.take(properties)
    // In Google's saved places, the place is an object among the properties.
    if draft[.name] == nil { for (_, value) in properties { draft.take(sorted(value?.members ?? [:])) } }
    return .place(draft, entry: entry)
  }

  /// Returns the members in the order of their names, so that of two with the same meaning always the same one is used.
  private static func sorted(_ members: [String: Scalar?]) -> [(key: String, value: Scalar?)] {
    members.sorted { ($0.key.count, $0.key) < ($1.key.count, $1.key) }
  }

  private struct Named: Decodable {
    let type: String?
  }

  private struct Feature: Decodable {
    let type: String
    let id: Scalar?
    let geometry: Geometry?
    let properties: [String: Scalar?]?
  }

  /// The points of a geometry; nil for an invalid one. Lines and areas next to a point describe its extent and are
  /// ignored.
  private struct Geometry: Decodable {
    let points: [[Double]?]

    private enum Keys: CodingKey {
      case type, coordinates, geometries
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      switch try container.decode(String.self, forKey: .type) {
      case "Point": points = [try? container.decode([Double].self, forKey: .coordinates)]
      case "MultiPoint": points = (try? container.decode([[Double]].self, forKey: .coordinates)) ?? [nil]
      case "GeometryCollection":
        points = try container.decode([Geometry].self, forKey: .geometries).flatMap(\.points)
      default: points = []
      }
    }
  }

  /// A text or a number, or an object of these; other values are ignored.
  fileprivate struct Scalar: Decodable {
    let text: String?
    let members: [String: Scalar?]?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      members = try? container.decode([String: Scalar?].self)
      if let text = try? container.decode(String.self) {
        self.text = text
      } else if let number = try? container.decode(Int.self) {
        text = "\(number)"
      } else {
        text =
          (try? container.decode(Double.self)).map { "\($0)" }
          ?? (try? container.decode([String].self))?.joined(separator: ";")
      }
    }
  }
}

extension PlaceDraft {
  /// Takes over the properties of a place whose position is known.
  fileprivate mutating func take(_ properties: [(key: String, value: GeoJSONPlaces.Scalar?)]) {
    for (name, value) in properties {
      guard let field = PlaceField(name), ![.position, .latitude, .longitude].contains(field) else { continue }
      self[field] = value?.text
    }
  }
}
