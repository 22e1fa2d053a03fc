import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Runs of a library client")
struct BatchTests {
  private static func photos(_ desk: Desk, _ count: Int) async throws -> [Photo] {
    let paths = try (0..<count).map { try desk.photo(Sample.jpeg().array, "\($0).jpg") }
    return await Photo.pairing(Walk.photos(in: paths, recursively: false), jobs: 2)
  }

  private static func states(_ batch: Batch, _ photos: [Photo]) async throws -> [String] {
    var states: [String] = []
    await batch.run(photos, planner: PlacePlanner(Location(try .at(1, 2)))) { states.append("\($0.status)") }
    return states
  }

  @Test("Several batches of one run share its numbering, and one undo reverts them all.")
  func portions() async throws {
    let desk = try Desk()
    let photos = try await Self.photos(desk, 5)
    let run = try await Self.first(desk, photos)
    // The journal is opened again.
    let journal = try desk.journal()
    #expect(try await Self.states(Batch(run, in: journal), [photos[4]]) == ["changed"])
    try journal.finishRun(run)
    #expect(try journal.operations(of: run).count == 5)
    let back = try desk.begin(journal, undoing: run)
    var restored = 0
    try Undo(run, as: back, in: journal)({ if case .restored = $1 { restored += 1 } })
    #expect(restored == 5)
  }

  @Test("Portions of photos are written as one group and reported in order, also if the run is stopped in the middle.")
  func portionsOfOneBatch() async throws {
    let planner = PlacePlanner(Location(try .at(1, 2)))
    for isStopped in [false, true] {
      let desk = try Desk()
      let photos = try await Self.photos(desk, 6)
      let journal = try desk.journal()
      // On a slow machine, groups would be written because of their age.
      var options = Batch.Options()
      options.oldAge = .seconds(3_600)
      let batch = Batch(try desk.begin(journal), in: journal, options: options)
      let stop = Signal()
      var rest = photos[...]
      var outcomes: [Outcome] = []
      var reported: [Int] = []
      await batch.run {
        reported.append(outcomes.count)
        guard !rest.isEmpty else { return nil }
        defer { rest = rest.dropFirst(2) }
        return Batch.Portion(photos: Array(rest.prefix(2))) { photo in
          if isStopped, photo.input.path == photos[3].input.path { stop.raise() }
          return planner
        }
      } until: {
        stop.isRaised
      } report: {
        outcomes.append($0)
      }
      #expect(outcomes.map(\.path) == photos.map(\.input.path))
      let states = outcomes.map { "\($0.status)" }
      #expect(states == (0..<6).map { isStopped && $0 >= 4 ? "notRun" : "changed" })
      #expect(reported == (isStopped ? [0, 0, 0, 6] : [0, 0, 0, 0]))
    }
  }

  private static func first(_ desk: Desk, _ photos: [Photo]) async throws -> RunID {
    let journal = try desk.journal()
    let run = try desk.begin(journal)
    for photo in photos.prefix(2) {
      #expect(try await states(Batch(run, in: journal), [photo]) == ["changed"])
    }
    // At the same time.
    async let third = states(Batch(run, in: journal), [photos[2]])
    async let fourth = states(Batch(run, in: journal), [photos[3]])
    #expect(try await third + fourth == ["changed", "changed"])
    return run
  }

  @Test("An unknown run is an error with a message, and the last end of a run counts.")
  func unknown() async throws {
    let desk = try Desk()
    let photos = try await Self.photos(desk, 1)
    let journal = try desk.journal()
    let run = try desk.begin(journal)
    let other = RunID(99)
    for act in [
      { try journal.finishRun(other) }, { _ = try journal.operations(of: other) },
      { _ = try journal.unfinished(of: other) },
      { try Undo(other, as: run, in: journal)({ _, _ in }) }, { try Undo.trial(of: other, in: journal) { _, _ in } },
    ] as [() throws -> Void] {
      #expect(throws: FileError(.noSuchRun, "there is no run 99", remedy: .listRuns)) { try act() }
    }
    #expect(throws: FileError(.runIsUndo, "run 1 can't undo itself", remedy: .undoInOtherRun)) {
      try Undo(run, as: run, in: journal)({ _, _ in })
    }
    let states = try await Self.states(Batch(other, in: journal), photos)
    #expect(states == ["failed(there is no such run)"])
    try journal.finishRun(run, leaving: ["/a"])
    try journal.finishRun(run, leaving: ["/b", "/c"])
    #expect(try journal.unfinished(of: run) == ["/b", "/c"])
  }

  @Test("Waiting for the disk doesn't block the caller's actor.")
  @MainActor
  func offloading() async {
    let gate = DispatchSemaphore(value: 0)
    // If the actor were blocked, this could never begin.
    let opener = Task { @MainActor in _ = gate.signal() }
    await MetaTag.offloading { gate.wait() }
    await opener.value
  }
}
