import Foundation
import GeoIndex

/// The gazetteer that comes with the program, expanded once for each run of the tests.
enum WholeGazetteer {
  private static let opened: Result<GeoIndex, any Error> = Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "metatag-geoindex-\(UUID().uuidString)")
    // The open database outlives its name.
    defer { try? FileManager.default.removeItem(at: folder) }
    return try GeoIndex.openDefault(cacheDirectory: folder)
  }

  static func index() throws -> GeoIndex { try opened.get() }
}
