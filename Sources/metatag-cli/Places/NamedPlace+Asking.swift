import Foundation
import GeoIndex
import Glibc
import MetaTag

/// The choice of one place among those with a name.
extension Gazetteer {
  /// Finds the one place that a name means, reports it, and asks on a terminal if it is ambiguous.
  ///
  /// - Parameters:
  ///   - most: The greatest number of candidates that an error lists.
  ///   - isUsage: Whether an unknown or ambiguous name is an error of usage.
  /// - Throws: `SetupError` with the candidates if the name is ambiguous and there is no terminal.
  func onePlace(
    _ name: String, language: String? = nil, most: Int = .max, isUsage: Bool = false, console: Console
  ) throws -> Place {
    let place: Place
    switch try resolve(name, language: language) {
    case .one(let found): place = found
    case .ambiguous(let places): place = try choice(among: places, for: name, most, isUsage, console)
    case .none(let suggestions):
      throw SetupError(
        Self.unknown(name)
          + (suggestions.isEmpty ? "" : Self.introduction(of: suggestions, for: name))
          + suggestions.prefix(most).map { "\n  \($0.line)" }.joined(), isUsage: isUsage)
    }
    // After a pin's exact name there is nothing to report.
    if place.kind != .coordinate, name.lowercased() != "@" + place.name.lowercased() {
      console.warn("\(name.printable) → \(place.origin)\(place.lineWithPosition)")
    }
    return place
  }

  /// Finds the one point that a name means, but no country or region.
  /// - Parameter isUsage: Whether an unknown or ambiguous name is an error of usage.
  func onePoint(_ name: String, isUsage: Bool = false, console: Console) throws -> Location {
    let place = try onePlace(name, most: 5, isUsage: isUsage, console: console)
    guard !place.isArea else {
      throw SetupError(
        "\(place.line) is a \(place.areaWord), not a point. Name a town in it, or give coordinates.", isUsage: true)
    }
    return try place.location
  }

  private func choice(
    among places: [Place], for name: String, _ most: Int, _ isUsage: Bool, _ console: Console
  ) throws -> Place {
    if places.allSatisfy({ $0.kind == .coordinate }) {
      throw SetupError(
        "'\(name.printable)' is ambiguous; \(Self.remedy(inCoordinates: name))"
          + places.map { "\n  '\($0.line)' (\($0.latitude),\($0.longitude))" }.joined(), isUsage: isUsage)
    }
    if isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 {
      console.warn("Which place is '\(name.printable)'?")
      for (number, place) in places.enumerated() {
        console.warn("  \(number + 1)  \(place.lineWithPosition)\(place.otherName)")
      }
      console.prompt("Number, or Enter to cancel: ")
      let answer = readLine(strippingNewline: true)?.filter { !$0.isWhitespace } ?? ""
      guard let number = Int(answer), places.indices.contains(number - 1) else {
        throw SetupError("Cancelled. Nothing was changed.")
      }
      return places[number - 1]
    }
    let one =
      "No certain match for '\(name.printable)'. If you mean this place, write it as below, or give coordinates:"
    throw SetupError(
      (places.count == 1 ? one : "'\(name.printable)' is ambiguous. Use one of these, or coordinates:")
        + places.prefix(most).map { place in
          if place.isExtended { return "\n  '\(place.latitude),\(place.longitude)', a point in \(place.line)" }
          return place.isArea
            ? "\n  '\(place.lineWithPosition)'\(place.otherName)"
            : "\n  '\(place.line)' (\(place.latitude),\(place.longitude))\(place.otherName)"
        }.joined() + (places.count > most ? "\n  and others" : ""), isUsage: isUsage)
  }
}

extension Place {
  var isArea: Bool { kind == .country || kind == .admin1 }

  var areaWord: String { kind == .country ? "country" : "region" }

  /// The line with coordinates: `Venice, Veneto, Italy (45.43713, 12.33265)`. A region has none, because a point in it
  /// would mislead.
  var lineWithPosition: String { isArea ? "\(line) (\(areaWord))" : "\(line) (\(latitude), \(longitude))" }

  /// The name by which it was found, if it differs from its own: `, also called White House`.
  var otherName: String {
    func plain(_ text: String) -> String {
      text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        .filter { $0.isLetter || $0.isNumber }
    }
    let isShown = plain(line).contains(plain(matchedName))
    return isShown || matchedName.isEmpty ? "" : ", also called \(matchedName.printable)"
  }

  /// Its origin, to tell it from a place of the gazetteer with the same name: `your pin `, `your import 'huts': `.
  fileprivate var origin: String {
    switch own?.source {
    case nil: ""
    case "pins"?: "your pin "
    case let source?: "your import '\(source.printable)': "
    }
  }
}
