package import Foundation

/// The folders of real files next to the project. They are not part of it: a test that needs one is disabled with a
/// reason if it is missing.
package enum Corpus {
  /// The checkout.
  package static let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  /// The folder `shared` next to the checkout.
  package static let shared = project.deletingLastPathComponent().appending(path: "shared")

  /// Whether the real files exist.
  package static var isThere: Bool { FileManager.default.fileExists(atPath: shared.appending(path: "corpus").path) }

  /// The reason for which tests on real files are disabled.
  package static let absence = "../shared/corpus is missing, so tests on real files are skipped"

  /// Every file below `folder` of shared (`corpus/tiff`, `malformed/jpeg`), sorted by path, without manifests.
  package static func files(_ folder: String) -> [URL] {
    let root = shared.appending(path: folder)
    let found = FileManager.default.enumerator(at: root, includingPropertiesForKeys: [.isRegularFileKey])
    return (found?.allObjects as? [URL] ?? [])
      .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true }
      .filter { !["MANIFEST.csv", "README.md"].contains($0.lastPathComponent) }
      .sorted { $0.path < $1.path }
  }
}

extension Corpus {
  /// A program of this package, as it was built with the running tests.
  package static func product(_ name: String) -> URL {
    // The test runner is in the folder of the products, or gets a bundle in it as an argument.
    let candidates =
      CommandLine.arguments.map { URL(filePath: $0).deletingLastPathComponent() }
      + [project.appending(path: ".build/debug")]
    let folder = candidates.first { FileManager.default.isExecutableFile(atPath: $0.appending(path: name).path) }
    return (folder ?? project.appending(path: ".build/debug")).appending(path: name)
  }
}
