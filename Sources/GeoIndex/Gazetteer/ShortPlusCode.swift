import Basics

extension Gazetteer {
  /// Whether `text` is a short Plus Code without its beginning (`9G8F+6X`), and without the town that would replace it.
  public static func isPlusCodeWithoutTown(_ text: String) -> Bool {
    PlusCode(text).map { $0.centre == nil && $0.locality.isEmpty } ?? false
  }

  /// Returns the meaning of a short Plus Code: near the place that follows it, otherwise near the reference position.
  func positions(
    of code: PlusCode, typedAs text: String, near: (latitude: Double, longitude: Double)?, in countries: Set<String>
  ) throws(GeoIndexError) -> [SearchResult] {
    let point: Coordinate
    // The text after a code is a town, not another code.
    if !code.locality.isEmpty {
      guard PlusCode(code.locality) == nil,
        let place = try search(code.locality, near: near, in: countries, limit: 1).first?.place
      else { return [] }
      point = place.coordinate
    } else if let near, abs(near.latitude) <= 90, near.longitude.isFinite {
      point = Coordinate(turning: near)
    } else {
      return []
    }
    return [SearchResult(coordinate: Place(at: code.centre(near: point), typedAs: text))]
  }

  /// Resolves a short Plus Code without asking: ambiguous if the place is ambiguous and the code has a different
  /// meaning near each candidate.
  func resolve(_ code: PlusCode, _ text: String) throws(GeoIndexError) -> PlaceResolution {
    guard PlusCode(code.locality) == nil else { return .none(suggestions: []) }
    let places: [Place]
    switch try resolve(code.locality) {
    case .one(let place): places = [place]
    case .ambiguous(let several): places = several
    case .none(let suggestions): return .none(suggestions: suggestions)
    }
    let positions = places.map {
      Place(at: code.centre(near: $0.coordinate), typedAs: text)
    }
    return Set(positions).count == 1 ? .one(positions[0]) : .ambiguous(places)
  }
}
