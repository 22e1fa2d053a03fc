public import ArgumentParser
import Foundation
import GeoIndex
public import MetaTag

// ArgumentParser's entries to MetaTag's parsers: the library and the command line have the same grammar for each unit.

extension TimeShift {
  static func argument(_ word: String) throws -> TimeShift { try TimeShift(parsing: try Argv.text(of: word)) }
}

extension CalendarShift {
  static func argument(_ word: String) throws -> CalendarShift { try CalendarShift(parsing: try Argv.text(of: word)) }
}

// Coordinates in any form that `place search` reads, or a pin (`@home`).

extension Coordinate {
  static func argument(_ word: String) throws -> Coordinate { try Location.argument(word).coordinate }
}

extension Location {
  static func argument(_ word: String) throws -> Location {
    let text = try Argv.text(of: word)
    guard text.hasPrefix("@") else { return try withAltitude(text) ?? coordinates(text) }
    guard let pin = try UserPlaces.ifAny()?.pin(named: text) else { throw ValidationError(Gazetteer.unknown(text)) }
    return try pin.location
  }

  /// - Throws: `ValidationError` if `text` is ambiguous, `ParseError` if it isn't a coordinate.
  private static func coordinates(_ text: String) throws -> Location {
    let flaw: ParseError
    do throws(ParseError) { return try Location(parsing: text) } catch { flaw = error }
    // The gazetteer ignores the altitude in geo URIs and ISO 6709, so an error in them must be kept. A Plus Code with
    // zeros is an area.
    let narrow = text.applyingTransform(.fullwidthToHalfwidth, reverse: false) ?? text
    guard narrow.firstMatch(of: /^\s*(?i:geo:|[-+][0-9.]+[-+])|0\+\s*$/) == nil else { throw flaw }
    let readings = Gazetteer.positions(in: text).compactMap {
      Coordinate(latitude: $0.latitude, longitude: $0.longitude)
    }
    guard let first = readings.first else { throw flaw }
    guard readings.count == 1 else {
      throw ValidationError(
        "'\(text.printable)' may be any of these; \(Gazetteer.remedy(inCoordinates: text))"
          + readings.map { "\n  \($0)" }.joined())
    }
    return Location(first)
  }

  /// Parses coordinates followed by an altitude, as in geo URIs and as `place pick` prints them. Returns nil for
  /// anything else, and without decimal points: `48,85,2` is ambiguous.
  static func withAltitude(_ text: String) -> Location? {
    let uri = text.filter { !$0.isWhitespace }
    let numbers = uri.split(separator: ",")
    guard numbers.count == 3, numbers.prefix(2).allSatisfy({ $0.contains(".") }) else { return nil }
    return try? Location(parsing: uri.hasPrefix("geo:") ? uri : "geo:\(uri)")
  }
}

extension TextArgument {
  /// Parses a place name; a pin must exist.
  static func place(_ word: String) throws -> TextArgument {
    let name = try TextArgument.argument(word)
    if name.text.allSatisfy(\.isWhitespace) { throw ValidationError("\(Gazetteer.unknown(name.text)).") }
    if name.text.hasPrefix("@") { _ = try Location.argument(word) }
    return name
  }
}

extension CaptureTime {
  static func argument(_ word: String) throws -> CaptureTime { try CaptureTime(parsing: try Argv.text(of: word)) }
}

extension Overwrite: ExpressibleByArgument {}

/// How to treat existing values that can't be compared with new ones.
enum PlainOverwrite: String, ExpressibleByArgument, CaseIterable, Sendable {
  case keep, replace

  var rule: Overwrite { self == .keep ? .keep : .replace }
}

extension CopyDatePlanner.Source: ExpressibleByArgument {}

extension DateSequence.Order: ExpressibleByArgument {}

extension Conversion.Target: ExpressibleByArgument {}

extension Fallback.Choice: ExpressibleByArgument {}

extension SidecarPolicy.Raw: ExpressibleByArgument {}

extension SidecarPolicy.New: ExpressibleByArgument {}

extension SidecarPolicy.Name: ExpressibleByArgument {}
