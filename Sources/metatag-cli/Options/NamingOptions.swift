import ArgumentParser
import Foundation
import GeoIndex
import MetaTag

/// Options for place names.
struct NamingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Preferred language of place names: de, ja, zh-TW. (default: mostly English)",
      valueName: "language"),
    transform: TextArgument.argument)
  var language: TextArgument?

  @Flag(help: "Also write the names as the place shown in the picture (LocationShown).")
  var shown = false

  @Flag(help: "Also write IPTC IIM to a JPEG or TIFF that has none. Existing IPTC is always updated.")
  var iptc = false

  /// Whether any of them is given.
  var areGiven: Bool { language != nil || shown || iptc }
}

/// Whether to keep place names if a photo's location is replaced.
struct KeepNamesOption: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Keep the place names of a photo whose location is replaced. Otherwise, if it moves by more than 100 m, they are "
        + "updated or removed."))
  var keepNames = false

  /// Returns the planner, changed so that names follow the replaced locations unless `keepNames` is set.
  func following(_ planner: any Planner, console: Console) -> any Planner {
    keepNames ? planner : NamesOfMovedPhotos(console: console).following(planner)
  }
}

/// Options for place names given by hand. An empty value removes the name.
struct PlaceNameOptions: ParsableArguments {
  @Option(help: "Sublocation: part of a city, or a landmark.", transform: change)
  var sublocation: Change<String>?

  @Option(help: "City.", transform: change)
  var city: Change<String>?

  @Option(help: "State, province or prefecture.", transform: change)
  var state: Change<String>?

  @Option(help: "Country. Its two-letter code is written too if known.", transform: change)
  var country: Change<String>?

  /// The changes of each name, except the country code.
  var changes: [FieldPlanner.PlaceName: Change<String>] {
    let given: [(FieldPlanner.PlaceName, Change<String>?)] = [
      (.sublocation, sublocation), (.city, city), (.state, state), (.country, country),
    ]
    return given.reduce(into: [:]) { $0[$1.0] = $1.1 }
  }

  /// Returns the change of the country code.
  func codeChange(console: Console) throws -> Change<String>? {
    guard case .set(let name)? = country else { return country == nil ? nil : .remove }
    return try Gazetteer.opened(console: console).countryCode(named: name).map { .set($0) } ?? .remove
  }

  private static func change(_ word: String) throws -> Change<String> {
    let text = try Argv.text(of: word).trimmingCharacters(in: .whitespaces)
    guard !text.isEmpty else { return .remove }
    guard text.count <= 200 else { throw ValidationError("a name has at most 200 characters.") }
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw ValidationError("a name is one line, without control characters.")
    }
    return .set(text)
  }
}

/// Whether geotag writes place names.
struct PlaceNamesChoice: ParsableArguments {
  @Flag(help: "Also write place names: city, region and country.")
  var names = false

  @Flag(help: "With --place or --at, write only the names and no position.")
  var namesOnly = false
}
