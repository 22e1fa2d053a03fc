public import ArgumentParser
import Foundation
import GeoIndex
public import MetaTag

// MetaTag's parsers as ArgumentParser calls them: one grammar for each unit, in the library and on the command line.

extension TimeShift {
  static func argument(_ word: String) throws -> TimeShift { try TimeShift(parsing: try Argv.text(of: word)) }
}

extension CalendarShift {
  static func argument(_ word: String) throws -> CalendarShift { try CalendarShift(parsing: try Argv.text(of: word)) }
}

// Coordinates in any form that `place search` reads, or a pin (`@home`) in their place.

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

  /// - Throws: also where `text` can be read in two ways.
  private static func coordinates(_ text: String) throws -> Location {
    let flaw: ParseError
    do throws(ParseError) { return try Location(parsing: text) } catch { flaw = error }
    // Of a geo URI and ISO 6709 the gazetteer's reading leaves the altitude out: what is wrong in them stays wrong. A
    // Plus Code with zeros is of an area.
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

  /// Coordinates with the altitude behind them, as geo URIs have it and `place pick` prints it; nil if it is something
  /// else. What has no decimal points is: `48,85,2` may be anything.
  static func withAltitude(_ text: String) -> Location? {
    let uri = text.filter { !$0.isWhitespace }
    let numbers = uri.split(separator: ",")
    guard numbers.count == 3, numbers.prefix(2).allSatisfy({ $0.contains(".") }) else { return nil }
    return try? Location(parsing: uri.hasPrefix("geo:") ? uri : "geo:\(uri)")
  }
}

extension TextArgument {
  /// A place's name; a pin must be there.
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

/// What becomes of what is there, where nothing says which of two is better.
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
