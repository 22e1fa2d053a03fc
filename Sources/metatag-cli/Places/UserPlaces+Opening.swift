import Foundation
import GeoIndex
import SystemPackage

extension UserPlaces {
  private static var folder: URL { URL(filePath: XDGDirectories().data.string, directoryHint: .isDirectory) }

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
      console.warn("metatag: the place is not remembered among the recent ones: \(error.words)")
    }
  }
}
