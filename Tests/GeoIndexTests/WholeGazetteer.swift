import Foundation
import GeoIndex

/// The gazetteer of the program, expanded once for each run of the tests.
enum WholeGazetteer {
  private static let opened: Result<Gazetteer, any Error> = Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "metatag-geoindex-\(UUID().uuidString)")
    // The open database outlives its name.
    defer { try? FileManager.default.removeItem(at: folder) }
    return try Gazetteer.openDefault(cacheDirectory: folder)
  }

  static func index() throws -> Gazetteer { try opened.get() }
}
