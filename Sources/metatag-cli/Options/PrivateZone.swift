import ArgumentParser
import GeoIndex
import MetaTag

/// A circle around a place on the command line: `@home:500m`, `48.2,16.37:2km`, `Vienna:20km`.
struct PrivateZone: Sendable {
  private let place: String
  private let radius: Double

  static func argument(_ word: String) throws -> PrivateZone {
    let text = try Argv.text(of: word)
    guard let colon = text.lastIndex(of: ":"), colon > text.startIndex else {
      throw ValidationError("a zone is a place and how far round it: @home:500m or 48.2,16.37:2km.")
    }
    let zone = PrivateZone(
      place: String(text[..<colon]), radius: try Measure.metres(String(text[text.index(after: colon)...])))
    if zone.isWritten { _ = try Coordinate.argument(zone.place) }
    return zone
  }

  /// Whether the place is a pin or coordinates, which need no gazetteer.
  private var isWritten: Bool { place.hasPrefix("@") || place.first?.isNumber == true || place.first == "-" }

  /// Returns the circle.
  /// - Throws: `ValidationError` if the place can't be found.
  func resolved(_ console: Console) throws -> ClearPlanner.Zone {
    let center =
      try isWritten
      ? Coordinate.argument(place)
      : Gazetteer.opened(console: console).onePoint(place, isUsage: true, console: console).coordinate
    guard let zone = ClearPlanner.Zone(around: center, radius: radius) else {
      throw ValidationError("a zone's distance is a number of metres, not below 0.")
    }
    return zone
  }
}
