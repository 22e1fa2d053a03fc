import ArgumentParser
import Foundation
import GeoIndex
import MetaTag

/// Time zones as the user types them, also as a city.
extension Zone {
  /// Whether another zone has had the same local time as this one since 2000, and will have it next year.
  fileprivate func keepsTime(of other: Zone) -> Bool {
    let (start, end) = (Int64(946_684_800), Int64(Date().timeIntervalSince1970) + 366 * 86_400)
    return self == other
      || stride(from: start, to: end, by: 86_400).allSatisfy {
        offset(at: Instant(seconds: $0)) == other.offset(at: Instant(seconds: $0))
      }
  }

  /// Parses a UTC offset, an IANA name, a pin (`@home`), or a city, country or region that isn't ambiguous.
  static func argument(_ word: String) throws -> Zone {
    let text = try Argv.text(of: word)
    if text.hasPrefix("@") {
      return try zone(at: try Location.argument(word).coordinate, named: text, try Gazetteer.opened(console: Console()))
    }
    let flaw: ParseError
    do throws(ParseError) { return try Zone(parsing: text) } catch { flaw = error }
    return try ArgumentError.inWords {
      guard mayBeCity(text) else { throw flaw }
      return try ofCity(text, orElse: flaw)
    }
  }

  /// With a slash or a sign, it would be a zone; short words in capitals are abbreviations or airport codes.
  private static func mayBeCity(_ text: String) -> Bool {
    text.contains(where: \.isLetter) && !text.contains("/") && !isAbbreviation(text)
      && text.wholeMatch(of: /[A-Z]{1,4}|(?i:UTC|GMT) *[-+\u{2212}0-9].*|[-+\u{2212}].*/) == nil
  }

  private static func ofCity(_ text: String, orElse flaw: ParseError) throws -> Zone {
    let console = Console()
    let index = try Gazetteer.opened(console: console)
    switch try index.resolve(text) {
    case .one(let place) where place.isArea:
      let names = try index.zones(of: place)
      let zones = names.compactMap { try? Zone(parsing: $0) }
      guard let zone = zones.first, zones.count == names.count, zones.allSatisfy(zone.keepsTime) else {
        let more = names.count > 4 ? " and \(names.count - 4) more" : ""
        throw ValidationError(
          "\(place.name.printable) has several time zones: \(names.prefix(4).joined(separator: ", "))\(more). "
            + "Name one of them, or a city.")
      }
      console.warn("the time zone of '\(text.printable)' is \(zone) (\(place.line))")
      return zone
    case .one(let place):
      let zone = try zone(at: try place.location.coordinate, named: text, index)
      console.warn("the time zone of '\(text.printable)' is \(zone) (\(place.line))")
      return zone
    case .ambiguous(let places):
      if !areGuesses(places), let zone = try common(to: places, index) {
        let lines = places.map(\.line).joined(separator: "; ")
        console.warn("the time zone of '\(text.printable)' is \(zone) (\(lines))")
        return zone
      }
      if places.count == 1 {
        throw ValidationError(
          "'\(text.printable)' is not a time zone. If you mean this place, write its name as below, or name the zone:"
            + "\n  '\(places[0].line)' (\(places[0].timeZone))")
      }
      throw ValidationError(
        "'\(text.printable)' is ambiguous; add a region or country, or name the zone:"
          + places.map { "\n  '\($0.line)' (\($0.timeZone))" }.joined())
    case .none(let suggestions):
      guard namesMeant(by: text).isEmpty, !suggestions.isEmpty else { throw flaw }
      throw ValidationError(
        "'\(text.printable)' is neither a time zone nor a known city; did you mean:"
          + suggestions.map { "\n  '\($0.line)' (\($0.timeZone))" }.joined())
    }
  }

  /// Whether the text may mean something else than the places found: there is only one, which the text doesn't surely
  /// name, or one was found by its code, although the text isn't in capitals.
  private static func areGuesses(_ places: [Place]) -> Bool {
    places.count == 1 || places.contains { $0.matchedName.wholeMatch(of: /[A-Z]{2,4}/) != nil }
  }

  /// Returns the zone that all `places` share; nil if some differ, or if there may be more places than are listed.
  private static func common(to places: [Place], _ index: Gazetteer) throws -> Zone? {
    guard places.count < PlaceResolution.mostCandidates else { return nil }
    var zones: [Zone] = []
    for place in places {
      let names =
        place.isArea
        ? try index.zones(of: place)
        : try index.zones(latitude: place.latitude, longitude: place.longitude).prefix(1).map(\.self)
      let own = names.compactMap { try? Zone(parsing: $0) }
      guard !own.isEmpty, own.count == names.count else { return nil }
      zones += own
    }
    guard let zone = zones.first, zones.allSatisfy(zone.keepsTime) else { return nil }
    return zone
  }

  private static func zone(at place: Coordinate, named text: String, _ index: Gazetteer) throws -> Zone {
    let names = try index.zones(latitude: place.latitude, longitude: place.longitude)
    guard let zone = names.lazy.compactMap({ try? Zone(parsing: $0) }).first else {
      throw ValidationError("no time zone is known at '\(text.printable)' (\(place)).")
    }
    return zone
  }
}
