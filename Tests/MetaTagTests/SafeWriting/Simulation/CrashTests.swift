@testable import SafeWriting
import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

/// Runs the code that changes photos on simulated disks, with a power failure, an error or another program at every call.
@Suite("Simulated disks")
struct CrashTests {
  /// The scenarios; with METATAG_SCENARIO, those whose names contain it.
  static let scenarios = Scenario.all.filter { scenario in
    ProcessInfo.processInfo.environment["METATAG_SCENARIO"].map { scenario.name.contains($0) } ?? true
  }
  /// The number of disks to recover, over all scenarios.
  static let stateCount = ProcessInfo.processInfo.environment["METATAG_STATES"].flatMap { Int($0) } ?? 20_000
  static let seed = ProcessInfo.processInfo.environment["METATAG_SEED"].flatMap { UInt64($0) } ?? 1

  @Test(
    "After a power failure at any call, every photo is old or new, and the journal says which.", arguments: scenarios
  )
  func power(_ scenario: Scenario) throws {
    let problems = try CrashTests.powerFailures(scenario, samples: nil)
    #expect(problems == [])
  }

  /// Returns what is wrong after the first power failure that goes wrong.
  /// - Parameters:
  ///   - samples: The number of disks for each call; nil to divide `stateCount`.
  ///   - isNoted: Whether a problem counts.
  static func powerFailures(
    _ scenario: Scenario, samples: Int?, noting isNoted: (String) -> Bool = { _ in true }
  ) throws -> [String] {
    var generator = SeededGenerator(seed: seed)
    let simulation = Simulation(scenario)
    let calls = try simulation.run().disk.callCount
    let samples = samples ?? max(2, stateCount / scenarios.count / (calls + 1))
    for call in 0...calls {
      let run = try simulation.run(faults: [call: .powerFailure])
      // The last one ended before the power failed.
      let results = call == calls ? run.results : []
      for sample in 0..<samples {
        let problems = try simulation.recover(run.disk, run.journal, results, sample, depth: 3, &generator)
          .filter(isNoted)
        if !problems.isEmpty { return ["seed \(seed), call \(call), sample \(sample)"] + problems }
      }
    }
    return []
  }

  @Test("After an error at any call, once or from then on, every row is true.", arguments: scenarios)
  func errors(_ scenario: Scenario) throws {
    let problems = try CrashTests.errors(scenario)
    #expect(problems == [])
  }

  static func errors(_ scenario: Scenario) throws -> [String] {
    var generator = SeededGenerator(seed: seed)
    let simulation = Simulation(scenario)
    let calls = try simulation.run().disk.callCount
    let faults = [EIO, ENOSPC, EDQUOT, EACCES, EINTR].map { SimulatedDisk.Fault.error($0) } + [.shortWrite]
    for (call, fault) in (0..<calls).flatMap({ call in faults.map { (call, $0) } }) {
      for isPersistent in [false, true] {
        let last = isPersistent ? call + 1_000 : call
        let run = try simulation.run(faults: Dictionary(uniqueKeysWithValues: (call...last).map { ($0, fault) }))
        var problems = simulation.untruths(run.disk, run.results)
        // The disk works again, or is another one; and the power may fail before that.
        for sample in 0..<3 {
          problems += try simulation.recover(run.disk, run.journal, run.results, sample, depth: 2, &generator)
        }
        if !problems.isEmpty { return ["seed \(seed), call \(call), \(fault), \(isPersistent)"] + problems }
      }
    }
    return []
  }

  @Test("What another program saves at any moment is kept.", arguments: scenarios)
  func intruders(_ scenario: Scenario) throws {
    let problems = try CrashTests.intruders(scenario)
    #expect(problems == [])
  }

  @Test("The mode that another program sets at any moment is kept.", arguments: scenarios)
  func modes(_ scenario: Scenario) throws {
    let simulation = Simulation(scenario)
    let calls = try simulation.run().disk.callCount
    for call in 0..<calls {
      for file in scenario.files where file.old != nil && file.new != nil {
        var isSet = false
        let run = try simulation.run(
          intrusions: [call: { isSet = $0.intrude(at: "/photos/\(file.name)", mode: 0o611) }])
        let files = run.disk.live.names("/photos").compactMap { run.disk.live.file("/photos/\($0)") }
        #expect(!isSet || files.contains { $0.attributes.mode == 0o611 }, "call \(call): \(file.name) lost its mode")
      }
    }
  }

  static func intruders(_ scenario: Scenario) throws -> [String] {
    let simulation = Simulation(scenario)
    let calls = try simulation.run().disk.callCount
    let foreign = noise(1_234, seed: 77)
    for (call, isRenamed) in (0..<calls).flatMap({ [($0, true), ($0, false)] })
    where isRenamed || scenario.noticesWriters {
      for file in scenario.files where file.old != nil {
        let run = try simulation.run(intrusions: [
          call: { $0.intrude(at: "/photos/\(file.name)", foreign, renaming: isRenamed) }
        ])
        let files = run.disk.live.names("/photos").map { run.disk.live.file("/photos/\($0)")?.bytes }
        if !files.contains(foreign) {
          return ["call \(call), renamed \(isRenamed): what was saved as \(file.name) is lost"]
        }
      }
    }
    return []
  }
}

/// A scenario, run on disks that fail in different ways.
struct Simulation {
  let scenario: Scenario
  private let image: DiskImage
  private let journal: SimulatedJournal.State

  init(_ scenario: Scenario) {
    self.scenario = scenario
    var (image, state) = (scenario.image, SimulatedJournal.State())
    if let before = scenario.before {
      // The files get their first content by the run before.
      var first = scenario
      first.before = nil
      let disk = SimulatedDisk(Scenario.unchanged(scenario).image, scenario.kind, now: .now)
      let journal = SimulatedJournal(state, on: disk)
      journal.begin(RunID(1))
      _ = FileSystems.$current.withValue(disk) {
        try? before(
          Rewriter(
            journal: journal, run: RunID(1), options: .init(keepsModificationTime: true),
            preflight: Preflight(leastInPlace: 0)), journal)
      }
      try? journal.end(RunID(1), as: .finished)
      (image, state) = (disk.live, journal.state)
    }
    (self.image, journal) = (image, state)
  }

  struct Run {
    let disk: SimulatedDisk
    let journal: SimulatedJournal
    let results: [Result<Void, FileError>]
  }

  /// Runs the scenario to its end, or to the power failure.
  func run(
    faults: [Int: SimulatedDisk.Fault] = [:], intrusions: [Int: (SimulatedDisk) -> Void] = [:]
  ) throws -> Run {
    let disk = SimulatedDisk(image, scenario.kind, now: .now)
    (disk.faults, disk.intrusions) = (faults, intrusions)
    let journal = SimulatedJournal(journal, on: disk)
    let run = RunID(journal.state.runs.isEmpty ? 1 : 2)
    journal.begin(run)
    let results = FileSystems.$current.withValue(disk) { () -> [Result<Void, FileError>] in
      do {
        return try scenario.run(Rewriter(journal: journal, run: run, preflight: Preflight(leastInPlace: 0)), journal)
      } catch {
        return scenario.files.map { _ in .failure((error as? FileError) ?? .changedMeanwhile) }
      }
    }
    if !disk.isOff { try? journal.end(run, as: .finished) }
    return Run(disk: disk, journal: journal, results: results)
  }

  /// Cuts the power, recovers, and returns what is wrong then. The power may fail again during recovery.
  func recover(
    _ disk: SimulatedDisk, _ journal: SimulatedJournal, _ results: [Result<Void, FileError>], _ sample: Int,
    depth: Int, _ generator: inout SeededGenerator
  ) throws -> [String] {
    let loss: SimulatedDisk.Loss = sample == 0 ? .all : sample == 1 ? .none : .random
    let image = disk.image(losing: loss, isTorn: sample.isMultiple(of: 4), &generator)
    let device = sample.isMultiple(of: 2) ? disk.device : disk.device + 1
    let next = SimulatedDisk(image, scenario.kind, device: device, now: disk.now)
    let again = SimulatedJournal(journal.state, on: next)
    if depth > 1, Int.random(in: 0..<3, using: &generator) == 0 {
      next.faults = [Int.random(in: 0..<14, using: &generator): .powerFailure]
    }
    let result = FileSystems.$current.withValue(next) {
      Result { () throws(FileError) in try Recovery.report(of: again) }
    }
    if next.isOff { return try recover(next, again, results, sample, depth: depth - 1, &generator) }
    guard case .success(let report) = result else { return ["recovery failed: \(result)"] }
    var problems = problems(next, again, results)
    if !disk.isOff { problems += falseFailures(next, results) }
    if !report.conflicts.isEmpty || !report.unreachable.isEmpty || !report.orphans.isEmpty {
      problems.append("\(report)")
    }
    if sample.isMultiple(of: 8) {
      let second = FileSystems.$current.withValue(next) { try? Recovery.report(of: again) }
      if second?.isEmpty != true {
        problems.append("a second recovery reports \(second.map { "\($0)" } ?? "an error")")
      }
    }
    return problems
  }

  /// Returns the rows of the report that aren't true. A row is about all files of a photo.
  func untruths(_ disk: SimulatedDisk, _ results: [Result<Void, FileError>]) -> [String] {
    let areOld = scenario.files.map { scenario.isOld($0, in: disk.live) }
    return zip(zip(scenario.files, areOld), results).compactMap { item, result in
      let (file, isOld) = item
      guard let error = result.error else {
        return scenario.isNew(file, in: disk.live) ? nil : "\(file.name) isn't changed, but its row says so"
      }
      // A photo whose old version isn't certain to last has no row that says it is as it was.
      let isUncertain = !isOld || scenario.isAtomic && areOld.contains(false) || !disk.pending.isEmpty
      let isTrue = error.code == .notDurable ? isUncertain : isOld
      return isTrue ? nil : "\(file.name) has a row that isn't true: \(error)"
    }
  }

  /// Returns the photos that are changed after a power failure although their rows said before that they aren't.
  private func falseFailures(_ disk: SimulatedDisk, _ results: [Result<Void, FileError>]) -> [String] {
    zip(scenario.files, results).compactMap { file, result in
      guard let error = result.error, error.code != .notDurable, !scenario.isOld(file, in: disk.live) else {
        return nil
      }
      return "\(file.name) is changed after a power failure although its row said that it isn't: \(error)"
    }
  }

  /// Returns what is wrong with the photos and with the journal's rows.
  func problems(
    _ disk: SimulatedDisk, _ journal: SimulatedJournal, _ results: [Result<Void, FileError>]
  ) -> [String] {
    var problems: [String] = []
    // Recovery may have settled what a row said about an error.
    let results = results.filter { $0.error == nil }.count == results.count ? results : []
    let state = scenario.files.map {
      (isOld: scenario.isOld($0, in: disk.live), isNew: scenario.isNew($0, in: disk.live))
    }
    for (file, state) in zip(scenario.files, state) where !state.isOld && !state.isNew {
      let found = disk.live.file("/photos/\(file.name)")
      // Wrong bytes are worse than wrong attributes.
      let isTorn = found?.bytes != file.old && found?.bytes != file.new
      problems.append("\(file.name) has \(isTorn ? "neither old nor new bytes" : "other attributes or times")")
    }
    if scenario.isAtomic, !state.allSatisfy(\.isOld), !state.allSatisfy(\.isNew) {
      problems.append("only some of the files have changed")
    }
    problems += untruths(disk, results)
    let run = journal.state.runs.keys.max()?.rawValue
    for row in journal.state.rows where row.entry.run == run {
      let entry = row.entry
      guard let index = scenario.files.firstIndex(where: { Array($0.name.utf8) == Array(entry.name) }) else { continue }
      switch entry.state {
      case .cleaned: if !state[index].isNew { problems.append("\(entry.path) has the row of a changed file") }
      case .failed: if !state[index].isOld { problems.append("\(entry.path) has the row of an unchanged file") }
      case .staged, .committed, .conflict, .undone: problems.append("\(entry.path) has a row that is \(entry.state)")
      }
    }
    let leftovers = disk.live.names("/photos").filter { $0.hasPrefix(".metatag") } + disk.live.names("/journal/copies")
    if !leftovers.isEmpty { problems.append("\(leftovers) are left") }
    return problems
  }
}

extension Scenario {
  /// The disk before the run that comes first.
  static func unchanged(_ scenario: Scenario) -> Scenario {
    Scenario(
      name: scenario.name, kind: scenario.kind, files: scenario.files.map { File($0.name, old: $0.new, new: $0.old) },
      run: scenario.run)
  }
}
