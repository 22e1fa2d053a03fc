import ArgumentParser
import GeoIndex
import MetaTag

/// Distances and speeds on the command line, which need a unit.
enum Measure {
  /// Parses a distance in metres: `500m`, `20km`, `5mi`.
  static func metres(_ word: String) throws -> Double {
    guard !(try Argv.text(of: word)).hasPrefix("-") else { throw ValidationError("a distance is not negative.") }
    guard let metres = value(of: word, in: [("km", 1_000), ("mi", 1_609.344), ("m", 1)]) else {
      throw ValidationError("a distance has a unit: 500m, 20km or 5mi.")
    }
    return metres
  }

  /// Parses a speed in metres per second: `900km/h`, `560mph`, `250m/s`.
  static func metresPerSecond(_ word: String) throws -> Double {
    guard !(try Argv.text(of: word)).hasPrefix("-") else { throw ValidationError("a speed is not negative.") }
    guard let speed = value(of: word, in: [("km/h", 1 / 3.6), ("mph", 0.44704), ("m/s", 1)]) else {
      throw ValidationError("a speed has a unit: 900km/h, 560mph or 250m/s.")
    }
    return speed
  }

  /// Parses a number without a unit, not less than 0: `6`, `2.5`.
  static func number(_ word: String) throws -> Double {
    guard let number = Double(word), number >= 0, number.isFinite else {
      throw ValidationError("a number that is not negative is wanted: 6 or 2.5.")
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

  /// Returns the kinds as a list: `capital, city, ...`
  static func list(_ kinds: [Place.Kind]) -> String { kinds.map(\.rawValue).joined(separator: ", ") }

  private static func list(_ word: String, among kinds: [Place.Kind]) throws -> Set<Place.Kind> {
    Set(try word.split(whereSeparator: { ", ".contains($0) }).map { try named(String($0), among: kinds) })
  }

  private static func named(_ name: String, among kinds: [Place.Kind]) throws -> Place.Kind {
    guard let kind = kinds.first(where: { $0.rawValue == name.lowercased() }) else {
      throw ValidationError("there is no kind '\(Argv.shown(name).printable)': there are \(list(kinds)).")
    }
    return kind
  }
}
