import ArgumentParser
import GeoIndex

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
