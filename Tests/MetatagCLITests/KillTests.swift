import Foundation
import TestSupport
import Testing

/// A run that is killed in the middle leaves every photo whole: old, or new.
@Suite("Killed in the middle", .serialized)
struct KillTests {
  static let count = 300

  @Test("ten times at random moments: every file is whole, undo gives the old ones back, and a second run finishes")
  func kill() throws {
    let tool = try Tool()
    let photos = try Scratch()
    let sample = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let files = try (0..<Self.count).map { try photos.write(sample + Data("\($0)".utf8), as: "\($0).jpg") }
    let old = try files.map { try Data(contentsOf: $0) }
    let change = ["geotag", "--at", "46.05,14.5", "--overwrite", "replace", "-q", photos.url.path]

    let start = ContinuousClock.now
    #expect(try Oracle.run(Tool.program, change, environment: tool.environment()).status == 0)
    let whole = start.duration(to: .now) / .seconds(1)
    let new = try files.map { try Data(contentsOf: $0) }
    #expect(zip(old, new).allSatisfy { $0 != $1 })
    #expect(try tool("undo").status == 0)

    var random = SeededGenerator(seed: 20_261_121)
    var midway = 0
    for round in 1...10 {
      try tool.run(change, killedAfter: whole * .random(in: 0.1...0.95, using: &random))
      let now = try files.map { try Data(contentsOf: $0) }
      let changed = zip(now, new).count { $0 == $1 }
      #expect(zip(now, zip(old, new)).allSatisfy { $0 == $1.0 || $0 == $1.1 }, "round \(round): a file is neither")
      if (1..<Self.count).contains(changed) { midway += 1 }

      if round.isMultiple(of: 2) {
        #expect([0, 2].contains(try tool("undo").status))
        #expect(try files.map { try Data(contentsOf: $0) } == old, "round \(round): undo")
      } else {
        #expect(try Oracle.run(Tool.program, change, environment: tool.environment()).status == 0)
        #expect(try files.map { try Data(contentsOf: $0) } == new, "round \(round): second run")
        while try tool("undo", "-q").status == 0 {}
        #expect(try files.map { try Data(contentsOf: $0) } == old, "round \(round): undo of both runs")
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: photos.url.path)
      #expect(names.count == Self.count, "round \(round): \(names.filter { $0.hasPrefix(".") })")
    }
    #expect(midway > 0, "no kill hit the middle of a run")
  }
}
