import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Throughput", .enabled(if: measuring, "a measurement: set METATAG_MEASURE=1, and build for release"))
struct ThroughputTests {
  @Test("300 photos of 4 MB are changed, undone, and copied by cp.", .timeLimit(.minutes(2)))
  func figures() async throws {
    let desk = try Desk()
    let paths = try (0..<300).map { try desk.photo(noise(4_000_000, seed: UInt32($0)), "\($0).jpg") }
    let grown = [Splice(2..<20, noise(4_114))]
    sync()
    let clock = ContinuousClock()
    let copying = try clock.measure {
      _ = try Oracle.run("cp", ["-a", desk.photos.string, desk.photos.string + ".copy"])
    }
    let copyingDurably = copying + clock.measure { sync() }
    let journal = try desk.journal()
    let run = try desk.begin(journal)
    let rewriter = Rewriter(journal: journal, run: run)
    let changing = try await clock.measure {
      // Workers stage the next group while this one is committed.
      var staged: [StagedFile] = []
      for start in stride(from: 0, to: paths.count, by: Rewriter.groupCount) {
        let next = paths[start..<min(start + Rewriter.groupCount, paths.count)]
        async let committed = rewriter.committing(staged)
        let files = try await withThrowingTaskGroup { tasks in
          for half in [next.prefix(next.count / 2), next.dropFirst(next.count / 2)] {
            tasks.addTask { try half.map { try rewriter.staging($0, grown) } }
          }
          return try await tasks.reduce(into: []) { $0 += $1 }
        }
        #expect(await committed == 0)
        staged = files
      }
      #expect(await rewriter.committing(staged) == 0)
      try journal.finishRun(run)
    }
    let undo = try desk.begin(journal, undoing: run)
    var restored = 0
    let undoing = try clock.measure {
      try Undo(run, as: undo, in: journal)({ if $1 == .restored { restored += 1 } })
      try journal.finishRun(undo)
    }
    #expect(restored == 300)
    print(
      "300 × 4 MB: cp -a \(copying), cp -a && sync \(copyingDurably), changed and on the disk \(changing), undone \(undoing)"
    )
  }
}

/// Whether measurements are wanted.
private let measuring = ProcessInfo.processInfo.environment["METATAG_MEASURE"] != nil

extension Rewriter {
  @concurrent fileprivate func committing(_ group: [StagedFile]) async -> Int {
    commit(group).count { $0.error != nil }
  }

  fileprivate func staging(_ path: FilePath, _ splices: [Splice]) throws -> StagedFile {
    let source = try FileSource(path)
    return try stage(source, at: path, patch: try Patch(splices, to: source.count, imageData: []), check: accept)
  }
}
