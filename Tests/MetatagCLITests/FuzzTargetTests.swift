import Foundation
import FuzzTargets
import TestSupport
import Testing

/// The parsers that `Scripts/fuzz` runs on changed bytes, on inputs that are kept.
@Suite("Fuzzed parsers")
struct FuzzTargetTests {
  /// Inputs of which each made its parser fail once. The folder has the target's name.
  private static let crashers = Corpus.project.appending(path: "Tests/Crashers")

  private static func files(in folder: URL) -> [URL] {
    (FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? [])
      .filter { !$0.hasDirectoryPath }
      .sorted { $0.path < $1.path }
  }

  /// Runs a target on a file, which must take less than a second.
  private static func run(_ target: FuzzTarget, on file: URL) throws -> Bool {
    let bytes = [UInt8](try Data(contentsOf: file))
    var isItsOwn = false
    let time = processorTime { isItsOwn = target.run(bytes) }
    #expect(time < .seconds(1), "\(target.rawValue): \(file.lastPathComponent)")
    return isItsOwn
  }

  @Test("A parser reads or refuses every sample image within a second.", arguments: FuzzTarget.allCases)
  func samples(target: FuzzTarget) throws {
    let files = Self.files(in: Corpus.project.appending(path: "SampleImages"))
    #expect(files.count > 20)
    for file in files { _ = try Self.run(target, on: file) }
  }

  @Test("An input that made a parser fail doesn't any more.", arguments: FuzzTarget.allCases)
  func crashers(target: FuzzTarget) throws {
    for file in Self.files(in: Self.crashers.appending(path: target.rawValue)) {
      #expect(try Self.run(target, on: file), "\(file.lastPathComponent) is not an input of \(target.rawValue)")
    }
  }

  @Test("Every kept input belongs to a parser.")
  func folders() {
    for file in Self.files(in: Self.crashers) {
      #expect(FuzzTarget(rawValue: file.deletingLastPathComponent().lastPathComponent) != nil, "\(file.path)")
    }
  }
}
