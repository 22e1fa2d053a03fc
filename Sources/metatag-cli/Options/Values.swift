public import ArgumentParser
import Foundation
import GeoIndex
public import MetaTag

// ArgumentParser's entries to MetaTag's parsers: the library and the command line have the same grammar for each unit.

/// Values of options as the user types them.
extension TimeShift {
  static func argument(_ word: String) throws -> TimeShift {
    try ArgumentError.inWords { try TimeShift(parsing: try Argv.text(of: word)) }
  }
}

extension CalendarShift {
  static func argument(_ word: String) throws -> CalendarShift {
    try ArgumentError.inWords { try CalendarShift(parsing: try Argv.text(of: word)) }
  }
}

// Coordinates in any form that `place search` reads, or a pin (`@home`).

extension Coordinate {
  static func argument(_ word: String) throws -> Coordinate { try Location.argument(word).coordinate }
}

extension Location {
  static func argument(_ word: String) throws -> Location {
    let text = try Argv.text(of: word)
    guard text.hasPrefix("@") else {
      return try ArgumentError.inWords { try withAltitude(text) ?? coordinates(text) }
    }
    guard let pin = try UserPlaces.ifAny()?.pin(named: text) else { throw ValidationError(Gazetteer.unknown(text)) }
    return try pin.location
  }

  /// Parses coordinates, also in the forms that only the gazetteer knows.
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
        "'\(text.printable)' is ambiguous; \(Gazetteer.remedy(inCoordinates: text))"
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
  static func argument(_ word: String) throws -> CaptureTime {
    try ArgumentError.inWords { try CaptureTime(parsing: try Argv.text(of: word)) }
  }
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

/// Distances and speeds on the command line, which need a unit.
enum Measure {
  /// Parses a distance in metres: `500m`, `20km`, `5mi`.
  static func metres(_ word: String) throws -> Double {
    guard !(try Argv.text(of: word)).hasPrefix("-") else { throw ValidationError("a distance can't be negative.") }
    guard let metres = value(of: word, in: [("km", 1_000), ("mi", Units.mile), ("m", 1)]) else {
      throw ValidationError("a distance needs a unit: 500m, 20km or 5mi.")
    }
    return metres
  }

  /// Parses a speed in metres per second: `900km/h`, `560mph`, `250m/s`.
  static func metresPerSecond(_ word: String) throws -> Double {
    guard !(try Argv.text(of: word)).hasPrefix("-") else { throw ValidationError("a speed can't be negative.") }
    guard let speed = value(of: word, in: [("km/h", Units.kilometrePerHour), ("mph", Units.milePerHour), ("m/s", 1)])
    else {
      throw ValidationError("a speed needs a unit: 900km/h, 560mph or 250m/s.")
    }
    return speed
  }

  /// Parses a number without a unit, not less than 0: `6`, `2.5`.
  static func number(_ word: String) throws -> Double {
    guard let number = Double(word), number >= 0, number.isFinite else {
      throw ValidationError("expected a number of at least 0: 6 or 2.5.")
    }
    return number
  }

  private static func value(of word: String, in units: [(name: String, factor: Double)]) -> Double? {
    let text = word.lowercased()
    guard let unit = units.first(where: { text.hasSuffix($0.name) }),
      let number = Double(text.dropLast(unit.name.count)),
      number >= 0, number.isFinite
    else { return nil }
    return number * unit.factor
  }
}

/// The value of `--offset`.
enum ClockOffset: Hashable, Sendable {
  /// A duration to add to all photos' times.
  case span(TimeShift)
  /// An estimate for each camera.
  case auto

  static func argument(_ word: String) throws -> ClockOffset {
    let text = try Argv.text(of: word)
    return text == "auto" ? .auto : .span(try TimeShift.argument(word))
  }

  /// The duration that applies to every camera.
  var span: TimeShift {
    switch self {
    case .span(let span): span
    case .auto: .zero
    }
  }
}

extension Place.Kind {
  /// All kinds except typed coordinates.
  static let lasting = allCases.filter { $0 != .coordinate }

  /// Parses a kind.
  static func argument(_ word: String) throws -> Place.Kind { try named(word, among: lasting) }

  /// Parses several kinds, separated by commas.
  static func arguments(_ word: String) throws -> Set<Place.Kind> { try list(word, among: lasting) }

  /// Parses several kinds, including typed coordinates.
  static func searched(_ word: String) throws -> Set<Place.Kind> { try list(word, among: allCases) }

  /// Returns all lasting kinds, in lines for help.
  static func lines(_ indent: String) -> String {
    var lines = [""]
    for kind in lasting.map(\.rawValue) {
      if let last = lines.last, last.utf8.count + kind.utf8.count > 66 { lines.append("") }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : ", ") + kind
    }
    return lines.joined(separator: ",\n\(indent)")
  }

  /// Returns the kinds as a list: `capital, city, ...`
  static func list(_ kinds: [Place.Kind]) -> String { kinds.map(\.rawValue).joined(separator: ", ") }

  private static func list(_ word: String, among kinds: [Place.Kind]) throws -> Set<Place.Kind> {
    var found: Set<Place.Kind> = []
    for name in word.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) where !name.isEmpty {
      if let group = Place.Group(rawValue: name.lowercased()) {
        found.formUnion(group.kinds)
      } else {
        found.insert(try named(name, among: kinds))
      }
    }
    if found.isEmpty { throw ValidationError("a kind is missing; kinds are \(list(kinds)).") }
    return found
  }

  private static func named(_ name: String, among kinds: [Place.Kind]) throws -> Place.Kind {
    guard let kind = Place.Kind(word: name), kinds.contains(kind) else {
      throw ValidationError("unknown kind '\(Argv.shown(name).printable)'; kinds are \(list(kinds)).")
    }
    return kind
  }
}

/// A circle around a place on the command line: `@home:500m`, `48.2,16.37:2km`, `Vienna:20km`.
struct PrivateZone: Sendable {
  private let place: String
  private let radius: Double

  static func argument(_ word: String) throws -> PrivateZone {
    let text = try Argv.text(of: word)
    guard let colon = text.lastIndex(of: ":"), colon > text.startIndex else {
      throw ValidationError("a zone is a place and a distance: @home:500m or 48.2,16.37:2km.")
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
      throw ValidationError("the distance of a zone can't be negative or infinite.")
    }
    return zone
  }
}
