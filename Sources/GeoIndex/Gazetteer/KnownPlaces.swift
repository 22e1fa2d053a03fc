import Basics

/// Recognizes places that several sources have: with the same name, of a similar kind, and near each other.
struct KnownPlaces {
  /// By the keys of their names.
  private var places: [[UInt8]: [Place]] = [:]
  private var folding = Folding()

  /// Adds a place.
  /// - Returns: False if it is already known from another source; then it isn't added.
  mutating func add(_ place: Place) -> Bool {
    let keys = Set([place.name, place.matchedName].map { folding.keyBytes($0) })
    for key in keys where places[key]?.contains(where: { Self.isSame($0, place) }) == true { return false }
    for key in keys { places[key, default: []].append(place) }
    return true
  }

  private static func isSame(_ place: Place, _ other: Place) -> Bool {
    place.own?.source != other.own?.source && isSame(place.kind, other.kind)
      && place.coordinate.haversineDistance(to: other.coordinate)
        <= reach(place.kind) + max(place.radius ?? 0, other.radius ?? 0)
  }

  /// Whether two sources may give these kinds to one place. The user's own kind is of no other.
  static func isSame(_ kind: Place.Kind, _ other: Place.Kind) -> Bool {
    kind == other || kind.group == other.group && kind.group != .other
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
