import Basics

/// Recognizes places that are there several times: with a name in common, of a similar kind, and near each other.
struct KnownPlaces {
  private var places: [Place] = []
  /// The numbers of places by the keys of their names.
  private var numbers: [[UInt8]: [Int]] = [:]

  /// Adds a place unless it is known.
  /// - Parameters:
  ///   - index: The index that has the place.
  ///   - number: Its number there.
  /// - Returns: Nil if it was added, otherwise the number of the place that it equals, in the order in which they were
  ///   added.
  mutating func add(_ place: Place, of index: PlaceIndex, _ number: Int) -> Int? {
    let keys = Set(
      index.names(of: number).filter { index.aliasFlags[$0] & PlaceIndex.code == 0 }.map { alias in
        let key = Array(index.key(of: alias))
        // A name without letters has no key.
        return key.isEmpty ? Array(place.name.utf8) : key
      })
    let known = keys.flatMap { numbers[$0] ?? [] }.filter { Self.isSame(places[$0], place) }.min()
    guard known == nil else { return known }
    for key in keys { numbers[key, default: []].append(places.count) }
    places.append(place)
    return nil
  }

  private static func isSame(_ place: Place, _ other: Place) -> Bool {
    guard isSame(place.kind, other.kind) else { return false }
    let distance = place.coordinate.haversineDistance(to: other.coordinate)
    if place.own?.source != other.own?.source {
      return distance <= reach(place.kind) + max(place.radius ?? 0, other.radius ?? 0)
    }
    // A file may have a town as a point and as an area, and a stop for each direction.
    return place.own != nil && distance <= twice
  }

  /// The distance within which one source has a place twice, in metres.
  private static let twice = 100.0

  /// Whether two sources may give these kinds to one place. The user's own kind is of no other, and Andorra has a region of
  /// its name.
  static func isSame(_ kind: Place.Kind, _ other: Place.Kind) -> Bool {
    kind == other || kind.group == other.group && kind.group != .other && ![kind, other].contains(.country)
  }

  /// How far apart two sources may have one place, in metres.
  static func reach(_ kind: Place.Kind) -> Double {
    switch kind.group {
    case .region: 100_000
    case .settlement, .nature: 5_000
    case .transport: kind == .airport ? 10_000 : 1_000
    case .sight: 1_000
    case .service, .other: 200
    }
  }
}

extension PlaceIndex {
  /// Whether it has a place with this name, of a similar kind and near.
  /// - Parameter key: The key of the name.
  func hasPlace(_ key: [UInt8], of kind: Place.Kind, at point: Coordinate) -> Bool {
    guard !key.isEmpty else { return false }
    return entries(beginningWith: key).exact.prefix(NameSearch.namesakes).contains { entry in
      guard isWhole(entry) else { return false }
      let number = place(of: alias(ofEntry: entry))
      guard let other = PlaceClass(rawValue: classes[number])?.kind, KnownPlaces.isSame(kind, other) else {
        return false
      }
      return point.haversineDistance(to: self.point(of: number)) <= KnownPlaces.reach(kind) + radius(of: number)
    }
  }
}
