@testable import SafeWriting
import Foundation
import GRDB
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

/// One bit of the journal's file differs from what was written: any bit, of any page.
@Suite("A journal with a flipped bit")
struct JournalFlipTests {
  private static let old = (0..<6).map { noise(3_000 + 100 * $0, seed: UInt32($0 + 1)) }
  private static let splices = [Splice(20..<30, noise(400, seed: 9)), Splice(900..<950, noise(7, seed: 3))]

  /// The number of photos that were given back, among all.
  private struct Tally {
    var restored = 0
    var all = 0
  }

  /// Every file is old or new as the undo says, no trap, and no run that can't be undone begins.
  private func check(_ seed: UInt64, _ tally: inout Tally) throws {
    let desk = try Desk()
    let paths = try Self.old.indices.map { try desk.photo(Self.old[$0], "\($0).jpg") }
    let (run, results) = try desk.change(paths, Self.splices)
    #expect(results.compactMap(\.error) == [])
    // A second run, so that the first isn't at the end of the tables.
    let other = try desk.photo(noise(2_000, seed: 77), "other.jpg")
    _ = try desk.change([other], Self.splices)
    let new = try paths.map(desk.read)
    let file = URL(filePath: desk.state.appending("journal.db").string)
    var bytes = try Data(contentsOf: file)
    var chance = SeededGenerator(seed: seed)
    let bit = Int.random(in: 0..<bytes.count * 8, using: &chance)
    bytes[bit / 8] ^= 1 << (bit % 8)
    try bytes.write(to: file)

    let place = "seed \(seed), byte \(bit / 8)"
    _ = try? Journal.reading(directory: desk.state)?.runs(limit: 9)
    var outcomes: [FilePath: Undo.Outcome] = [:]
    var failure: FileError?
    do throws(FileError) {
      try undo(run, desk, &outcomes)
    } catch {
      failure = error
      if (try? Journal.repair(in: desk.state)) != nil {
        failure = nil
        do throws(FileError) { try undo(run, desk, &outcomes) } catch { failure = error }
      }
    }
    for (index, path) in paths.enumerated() {
      let now = try desk.read(path)
      tally.all += 1
      switch outcomes[path] {
      case .restored, .restoredMetadata:
        #expect(now == Self.old[index], "\(place): \(path) isn't the old one")
        #expect(FileTime(desk.status(path).st_mtim) == FileTime(Desk.modified), "\(place)")
        tally.restored += 1
      case nil where failure == nil && outcomes.values.allSatisfy { if case .notRestored = $0 { false } else { true } }:
        Issue.record("\(place): nothing is said about \(path)")
      default: #expect(now == new[index] || now == Self.old[index], "\(place): \(path) is neither old nor new")
      }
    }
    try checkNewRun(desk, place)
  }

  private func undo(_ run: RunID, _ desk: Desk, _ outcomes: inout [FilePath: Undo.Outcome]) throws(FileError) {
    let journal = try Journal(directory: desk.state)
    _ = try journal.recover()
    _ = try journal.operations(of: run)
    let undo = try journal.beginRun(
      arguments: ["metatag", "undo"], at: Instant(seconds: 1_700_000_000), version: "0", undoing: run)
    try Undo(run, as: undo, in: journal)({ outcomes[$0.path] = $1 })
    try journal.finishRun(undo)
  }

  /// A run with the damaged journal either doesn't begin, or can be undone.
  private func checkNewRun(_ desk: Desk, _ place: String) throws {
    let photo = try desk.photo(Self.old[0], "new.jpg")
    let run: RunID
    do {
      let (begun, results) = try desk.change([photo], Self.splices)
      for result in results { try result.get() }
      run = begun
    } catch {
      #expect(try desk.read(photo) == Self.old[0], "\(place): changed by a run that failed: \(error)")
      return
    }
    #expect((try? desk.undo(run).outcomes) == [.restored], "\(place): a run began that can't be undone")
    #expect(try desk.read(photo) == Self.old[0], "\(place)")
  }

  @Test(
    "Wherever it is: no trap, every photo as the undo says, and nearly all of them are given back.", arguments: 0..<10)
  func anyBit(part: Int) throws {
    let count = Int(ProcessInfo.processInfo.environment["METATAG_FLIPS"] ?? "") ?? 1_000
    var tally = Tally()
    for seed
      in (ProcessInfo.processInfo.environment["METATAG_SEED"].flatMap { Int($0) }.map { $0...$0 }
      ?? 0...(count / 10 - 1))
    { try check(UInt64(part * 1_000_000 + seed), &tally) }
    #expect(tally.restored * 100 >= tally.all * 93, "\(tally)")
    print("flips: \(tally.restored) of \(tally.all) photos given back")
  }
}
