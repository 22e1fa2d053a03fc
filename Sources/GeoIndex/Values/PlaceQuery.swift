import Basics

/// A search for places by name.
public struct PlaceQuery: Sendable, Hashable {
  /// The text to search for.
  public var text: String
  /// A reference position: among similar places, nearer ones come first. Paris remains Paris from anywhere.
  public var near: Position?
  /// The area to which the search is limited; nil for the whole world.
  public var region: SearchRegion?
  /// The countries to which the search is limited (two ISO 3166-1 letters each, either case, or names); empty for all.
  public var countries: Set<String> = []
  /// The kinds of places to find; empty for all.
  public var kinds: Set<Place.Kind> = []
  /// A BCP 47 tag: results, and the areas they lie in, get their names in this language, as far as known.
  public var language: String?
  /// Whether the text is being typed: well-known names that begin with it then come before little-known names that equal
  /// it.
  public var isCompleting = false
  /// The maximum number of places; `Int.max` for all, and none for 0 or less.
  public var limit = 10
  /// The number of results to skip; pages of a list don't overlap. A negative value finds nothing.
  public var offset = 0

  /// Creates a query for a text, in the whole world.
  public init(_ text: String) { self.text = text }

  /// A position in degrees, WGS 84.
  public struct Position: Sendable, Hashable {
    /// Degrees north, -90...90. A position that isn't on Earth is ignored.
    public var latitude: Double
    /// Degrees east; full turns are ignored.
    public var longitude: Double

    /// Creates a position from degrees.
    public init(latitude: Double, longitude: Double) { (self.latitude, self.longitude) = (latitude, longitude) }
  }
}

/// An area to which a search is limited.
public enum SearchRegion: Sendable, Hashable {
  /// A circle around a position, with its radius in metres along great circles.
  case circle(center: PlaceQuery.Position, radius: Double)
  /// A box between parallels and meridians, in degrees. If `west` is greater than `east`, it contains the 180th meridian.
  case box(south: Double, west: Double, north: Double, east: Double)

  /// Whether a point lies in the area, or a circle around it touches the area.
  /// - Parameter radius: The radius of the circle in metres.
  func contains(_ point: Coordinate, radius: Double) -> Bool {
    switch self {
    case .circle(let center, let reach):
      let middle = Coordinate(turning: (min(90, max(-90, center.latitude)), center.longitude))
      return middle.haversineDistance(to: point) <= reach + radius
    case .box(let south, let west, let north, let east):
      let isBetween =
        west <= east ? (west...east).contains(point.longitude) : point.longitude >= west || point.longitude <= east
      if isBetween, south <= point.latitude, point.latitude <= north { return true }
      guard radius > 0 else { return false }
      // The nearest point of the box.
      let nearest = Coordinate(
        clampingLatitude: min(north, max(south, point.latitude)),
        longitude: isBetween
          ? point.longitude
          : turn(from: point.longitude, to: west) < turn(from: point.longitude, to: east) ? west : east)
      return nearest.haversineDistance(to: point) <= radius
    }
  }

  private func turn(from longitude: Double, to other: Double) -> Double {
    let turn = abs(longitude - other).truncatingRemainder(dividingBy: 360)
    return min(turn, 360 - turn)
  }
}
