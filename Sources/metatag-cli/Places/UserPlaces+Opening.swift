import Foundation
import GeoIndex
import SystemPackage

extension UserPlaces {
  private static var folder: URL { URL(filePath: XDGDirectories().data.string, directoryHint: .isDirectory) }

  /// Opens the user's own places to change them.
  static func opened() throws -> UserPlaces {
    do { return try UserPlaces(directory: folder) } catch { throw SetupError(error.description) }
  }

  /// Opens them to read; nil if there are none.
  static func ifAny() throws -> UserPlaces? {
    do { return try reading(directory: folder) } catch { throw SetupError(error.description) }
  }

  /// Remembers what was chosen. If that can't be done, it is said, and the work goes on.
  static func remember(_ place: Place, console: Console) {
    // Coordinates are no place, and pins are known anyway.
    guard place.kind != .coordinate, place.own?.source != "pins" else { return }
    do {
      try opened().remember(place)
    } catch {
      console.warn("metatag: the place is not remembered among the recent ones: \(error)")
    }
  }
}
