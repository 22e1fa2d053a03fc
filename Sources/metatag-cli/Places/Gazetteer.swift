import Foundation
import GeoIndex
import MetaTag
import SystemPackage

/// The tool's gazetteer, and messages about names that it doesn't find.
extension Gazetteer {
  /// Opens the tool's gazetteer. The first use takes a few seconds and prints a message. Damaged imports are reported, and
  /// left out.
  static func opened(console: Console) throws -> Gazetteer {
    let folders = XDGDirectories()
    let own = try UserPlaces.ifAny()
    let gazetteer = try preparing(console) { progress in
      try openDefault(
        cacheDirectory: URL(folder: folders.cache), preparedDirectories: folders.sharedData.map { URL(folder: $0) },
        own: own, progress: progress)
    }
    for source in gazetteer.damagedImports {
      console.warn("metatag: \(UserPlaces.error(ofDamagedImport: source).words)")
    }
    return gazetteer
  }

  /// Runs work that may expand the gazetteer. It shows the progress, and ends the work if the user interrupts it.
  static func preparing<Value>(
    _ console: Console, _ work: (_ progress: @escaping (Double) throws -> Void) throws -> Value
  ) throws -> Value {
    defer { console.endProgress() }
    var shown = -1
    do {
      return try Interrupt.settling {
        try work { share in
          if Interrupt.isWished { throw CancellationError() }
          let percent = Int(share * 100)
          if shown < 0, !Argv.wantsQuiet { console.note("Preparing the gazetteer (once, a few seconds)…") }
          guard percent != shown else { return }
          shown = percent
          console.show("Preparing the gazetteer (once, a few seconds): \(percent) %")
        }
      }
    } catch let error as GeoIndexError {
      throw SetupError(error.words)
    }
  }
}

extension URL {
  /// The URL of a folder.
  init(folder: FilePath) { self.init(filePath: folder.string, directoryHint: .isDirectory) }
}

extension Gazetteer {
  /// Returns advice on how to write coordinates that are ambiguous.
  static func remedy(inCoordinates text: String) -> String {
    let signs = text.split { !$0.isLetter }.contains { $0.lowercased() == "o" }
    return signs ? "write E or W instead of O:" : "write decimals with a point, minutes with their sign:"
  }

  /// Introduces suggestions; says if the name exists, but not in the region after the comma.
  static func introduction(of suggestions: [Place], for text: String) -> String {
    let parts = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    guard parts.count > 1,
      suggestions.contains(where: { [$0.name, $0.matchedName].map { $0.lowercased() }.contains(parts[0].lowercased()) })
    else { return "; did you mean:" }
    return "; there is no '\(parts[0].printable)' in '\(parts[1].printable)'; did you mean:"
  }

  /// Explains two numbers that aren't valid coordinates, for example because they are swapped. Nil for any other text.
  static func flaw(inCoordinates text: String) -> String? {
    // Most texts are names, whose characters needn't be looked at one by one.
    guard text.utf8.contains(where: { (0x30...0x39).contains($0) || $0 == 0x2E }) else { return nil }
    let numbers = text.split { !"0123456789.".contains($0) }
    guard numbers.count == 2, !text.contains(where: \.isLetter) else { return nil }
    do { _ = try Coordinate(parsing: text) } catch { return error.words }
    return nil
  }

  /// Explains that no place has this name.
  static func unknown(_ name: String) -> String {
    if name.allSatisfy(\.isWhitespace) { return "a place's name is missing: write for example Kyoto" }
    if name.hasPrefix("@") { return "no pin is named '\(name.printable)'; 'metatag place pins' lists the pins" }
    let remedy =
      if isFailedCoordinates(name) {
        ": it looks like missing coordinates"
      } else if isPlusCodeWithoutTown(name) {
        ": a short Plus Code needs its town after it ('\(name.printable) Kyoto')"
      } else if name.hasPrefix("http") {
        ": map links of Google, Apple, Bing, OpenStreetMap, Waze, Yandex and 2GIS are supported if they "
          + "contain a position; give coordinates instead"
      } else if name.contains(#/^\d{5}(-\d{4})?$/#) {
        ": postal codes aren't known; give the town, with its region or country"
      } else if let flaw = flaw(inCoordinates: name) {
        ": \(flaw)"
      } else if !name.contains(where: \.isLetter) {
        ": coordinates are degrees, as in 46.36,14.09, or decimal degrees and an altitude, as in 46.36,14.09,501"
      } else {
        ""
      }
    return "no place is named '\(name.printable)'\(remedy)"
  }
}

extension Place {
  /// The name with region and country, which is also valid after --place: `Kyoto, Kyoto, Japan`.
  var line: String {
    let around =
      switch kind {
      case .country: [String]()
      case .admin1: [country]
      // The middle of a range or a sea lies in one of its countries.
      case .range, .river, .bay, .desert: [String]()
      default: [admin1 ?? "", country]
      }
    return ([name] + around).filter { !$0.isEmpty }.joined(separator: ", ").printable
  }

  /// Its location, for photos.
  var location: Location {
    get throws {
      guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
        throw SetupError("the gazetteer has no valid position for \(line)")
      }
      return Location(coordinate, altitude: own?.altitude)
    }
  }

  /// Writes the place as an object. The distance in metres and the bearing in degrees are from the place to the
  /// location of the request.
  func write(to writer: inout JSONWriter, distance: Double? = nil, bearing: Double? = nil) {
    writer.object { writer in
      writer.member("id", Int(id))
      writer.member("name", name)
      writer.member("matchedName", matchedName)
      writer.member("kind", kind.rawValue)
      writer.member("latitude", latitude)
      writer.member("longitude", longitude)
      writeSurroundings(to: &writer, country: country, admin1: admin1)
      own?.write(to: &writer)
      writer.member("distance", distance.map { $0.rounded() })
      writer.member("bearing", bearing.map { ($0 * 10).rounded() / 10 })
    }
  }
}

extension Place {
  /// Writes its surroundings as members of an object.
  /// - Parameters: Names in the requested language.
  func writeSurroundings(to writer: inout JSONWriter, country: String, admin1: String?) {
    writer.member("country", countryCode.isEmpty ? nil : countryCode)
    writer.member("countryName", country.isEmpty ? nil : country)
    writer.member("admin1", admin1)
    writer.member("population", population == 0 ? nil : population)
    writer.member("timeZone", timeZone.isEmpty ? nil : timeZone)
  }
}

extension Place.Own {
  /// Writes them as members of an object.
  func write(to writer: inout JSONWriter) {
    writer.member("source", source)
    writer.member("category", category)
    writer.member("altitude", altitude)
  }
}

/// Returns the distance and direction from a place, for use before its name: `12.3 km east of`.
func wordsOfDirection(distance: Double, bearing: Double) -> String {
  guard distance >= 1_000 else { return "in" }
  let winds = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]
  return "\((distance / 100).rounded() / 10) km \(winds[Int((bearing / 45).rounded()) & 7]) of"
}

extension UserPlaces {
  private static var folder: URL { URL(folder: XDGDirectories().data) }

  /// Opens the user's own places for writing.
  static func opened() throws -> UserPlaces {
    do { return try UserPlaces(directory: folder) } catch { throw SetupError(error.words) }
  }

  /// Opens them for reading; nil if there are none.
  static func ifAny() throws -> UserPlaces? {
    do { return try reading(directory: folder) } catch { throw SetupError(error.words) }
  }

  /// Adds a place to the recent ones. A failure is reported and ignored.
  static func remember(_ place: Place, console: Console) {
    // Coordinates aren't places, and pins are listed anyway.
    guard place.kind != .coordinate, place.own?.source != "pins" else { return }
    do {
      try opened().remember(place)
    } catch {
      console.warn("metatag: the place could not be added to the recent places: \(error.words)")
    }
  }
}
