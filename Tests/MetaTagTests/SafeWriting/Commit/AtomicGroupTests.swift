@testable import SafeWriting
import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Atomic groups")
struct AtomicGroupTests {
  static let old = noise(70_000)
  static let inserting = [Splice(20..<30, noise(5_000, seed: 9))]
  static let appending = [Splice(20..<24, [1, 2, 3, 4]), Splice(70_000..<70_000, noise(900, seed: 9))]

  /// The two files of an atomic group and a separate one, staged. Those with a second name are written in place.
  private struct Trio {
    let desk: Desk
    let paths: [FilePath]
    let journal: Journal
    let rewriter: Rewriter
    let staged: [StagedFile]

    init(inPlace: [Bool] = [false, false]) throws {
      desk = try Desk()
      journal = try desk.journal()
      rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
      let atomicGroup = rewriter.atomicGroup()
      paths = try ["a.heic", "a.mov", "calm.jpg"].map { [desk] in try desk.photo(AtomicGroupTests.old, $0) }
      let isLinked = inPlace + [false]
      for (path, isLinked) in zip(paths, isLinked) where isLinked {
        #expect(link(path.string, path.string + ".2") == 0)
      }
      staged = try zip(paths, isLinked).map { [rewriter] path, isLinked in
        let splices = isLinked ? AtomicGroupTests.appending : AtomicGroupTests.inserting
        return try rewriter.stage(
          try FileSource(path), at: path, patch: try Patch(splices, to: AtomicGroupTests.old.count, imageData: []),
          atomicGroup: path.lastComponent == "calm.jpg" ? nil : atomicGroup, check: accept)
      }
    }

    var areOld: [Bool] { get throws { try paths.map { [desk] in try desk.read($0) == AtomicGroupTests.old } } }
  }

  @Test(
    "If one file of an atomic group can't be changed, the other isn't either.",
    arguments: [0, 1], [[false, false], [true, false], [false, true], [true, true]])
  func bothOrNeither(disturbed: Int, inPlace: [Bool]) throws {
    let trio = try Trio(inPlace: inPlace)
    try trio.desk.write(noise(60, seed: 5), to: trio.paths[disturbed])
    let results = trio.rewriter.commit(trio.staged)
    trio.rewriter.finish()
    #expect(results.map { $0.error != nil } == [true, true, false])
    #expect(try trio.desk.read(trio.paths[disturbed]) == noise(60, seed: 5))
    #expect(try trio.areOld[1 - disturbed])
    #expect(try !trio.areOld[2])
    #expect(FileTime(trio.desk.status(trio.paths[1 - disturbed]).st_mtim) == FileTime(Desk.modified))
    #expect(
      results[1 - disturbed].error?.description.contains(trio.paths[disturbed].lastComponent?.string ?? "") == true)
    #expect(try trio.desk.leftovers() == [])
    #expect(try trio.journal.operations(of: trio.rewriter.run).map(\.state) == [.conflict, .conflict, .cleaned])
  }

  @Test("A damaged scratch file prevents the change of the other file of its group too.")
  func spoiled() throws {
    let trio = try Trio()
    guard case .exchange(let scratch) = trio.staged[1].method else {
      Issue.record("not an exchange")
      return
    }
    try scratch.descriptor.write([0xEE], at: 25)
    let results = trio.rewriter.commit(trio.staged)
    trio.rewriter.finish()
    #expect(results.map { $0.error?.kind } == [.io, .io, nil])
    #expect(try trio.areOld == [true, true, false])
    #expect(try trio.desk.leftovers() == [])
  }

  @Test("Withdrawn files leave nothing behind.")
  func withdrawn() throws {
    let trio = try Trio()
    trio.rewriter.withdraw(trio.staged)
    #expect(try trio.areOld == [true, true, true])
    #expect(try trio.desk.leftovers() == [])
  }

  /// The exchange step of a run that is killed after `count` of its files.
  private func cutOff(_ staged: [StagedFile], of journal: Journal, after count: Int) throws {
    try journal.record(
      staged.map { ($0.entry, $0.inverse, $0.edit == nil ? nil : $0.patch) })
    for file in staged.prefix(count) {
      switch file.method {
      case .exchange(let scratch):
        var displaced: FilePath.Component?
        try file.exchange(with: scratch, displaced: &displaced)
      case .inPlace(let edit, _):
        _ = try file.step(from: file.entry.old) { descriptor throws(FileError) in try edit.apply(to: descriptor) }
      case .creation(let scratch), .copy(let scratch):
        var displaced: FilePath.Component?
        try file.appear(from: scratch, displaced: &displaced)
      case .removal(let name):
        var displaced: FilePath.Component?
        try file.disappear(to: name, displaced: &displaced)
      }
    }
  }

  @Test(
    "A run killed between two files of a group leaves both old; killed after them, both new.",
    arguments: 0...3, [[false, false], [true, false], [false, true], [true, true]])
  func killed(after count: Int, inPlace: [Bool]) throws {
    let trio = try Trio(inPlace: inPlace)
    try cutOff(trio.staged, of: trio.journal, after: count)
    let report = try trio.journal.recover()
    #expect(report.conflicts == [] && report.unreachable == [])
    #expect(try trio.areOld == [count < 2, count < 2, count < 3])
    #expect(try trio.desk.leftovers() == [])
    #expect(try trio.journal.recover().isEmpty)
    guard count > 1 else { return }
    let undo = try trio.desk.begin(trio.journal, undoing: trio.rewriter.run)
    try Undo(trio.rewriter.run, as: undo, in: trio.journal)({ #expect($1 == .restored) })
    #expect(try trio.areOld == [true, true, true])
  }

  /// A changed movie, and a new file that replaces its still.
  private struct Substituted {
    let desk: Desk
    let movie: FilePath
    let journal: Journal
    let rewriter: Rewriter
    let staged: [StagedFile]

    init() throws {
      desk = try Desk()
      journal = try desk.journal()
      rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
      movie = try desk.photo(AtomicGroupTests.old, "a.mov")
      let atomicGroup = rewriter.atomicGroup()
      let source = try FileSource(movie)
      let patch = try Patch(AtomicGroupTests.inserting, to: AtomicGroupTests.old.count, imageData: [])
      let name: FilePath.Component = "a.JPG"
      staged = [
        try rewriter.stage(source, at: movie, patch: patch, atomicGroup: atomicGroup, check: accept),
        try rewriter.stage(
          new: noise(3_000), as: name, in: Directory(desk.photos), like: source, atomicGroup: atomicGroup, check: accept
        ).named(name),
      ]
    }

    var names: [String] { get throws { try Directory(desk.photos).names().map(\.string).sorted() } }
  }

  @Test(
    "A run killed between a changed file and a new one of its group leaves neither; after them, both.", arguments: 0...2
  )
  func newFileKilled(after count: Int) throws {
    let photo = try Substituted()
    try cutOff(photo.staged, of: photo.journal, after: count)
    #expect(try photo.journal.recover().conflicts == [])
    #expect(try photo.names == (count < 2 ? ["a.mov"] : ["a.JPG", "a.mov"]))
    #expect(try (photo.desk.read(photo.movie) == Self.old) == (count < 2))
  }

  @Test("Recovery removes a new file if the other file of its group could not be changed.")
  func newFileTakenBack() throws {
    let photo = try Substituted()
    try cutOff(photo.staged.reversed(), of: photo.journal, after: 1)
    #expect(try photo.names.contains("a.JPG"))
    _ = try photo.journal.recover()
    #expect(try photo.names == ["a.mov"])
    #expect(try photo.desk.read(photo.movie) == Self.old)
  }

  @Test("If one file of a group can't be restored, undo and its trial leave both.", arguments: [0, 1])
  func undoneTogether(changed: Int) throws {
    let trio = try Trio()
    #expect(trio.rewriter.commit(trio.staged).compactMap(\.error) == [])
    trio.rewriter.finish()
    let (run, path) = (trio.rewriter.run, trio.paths[changed])
    #expect(try Oracle.run("cp", ["-p", path.string, path.string + ".kept"]).status == 0)
    try trio.desk.write(noise(60, seed: 5), to: path)
    var trial: [Undo.Outcome] = []
    try Undo.trial(of: run, in: trio.journal) { trial.append($1) }
    let outcomes = try trio.desk.undo(run, in: trio.journal)
    #expect(outcomes == trial)
    #expect(outcomes.map(\.isRestored) == [false, false, true])
    // The newest change of a photo comes first.
    guard case .notRestored(let error) = outcomes[changed] else { return }
    #expect(
      error.description.contains("because \(path.lastComponent?.string ?? "") can't be undone: modified after"))
    #expect(try !trio.areOld[1 - changed] && trio.areOld[2])
    #expect(try trio.desk.leftovers() == [])
    #expect(rename(path.string + ".kept", path.string) == 0)
    #expect(try trio.desk.undo(run, in: trio.journal) == [.restored, .restored])
    #expect(try trio.areOld == [true, true, true])
  }

  @Test("A missing file doesn't prevent the undo of its group, and is restored once it is back.")
  func undoneAlone() throws {
    let trio = try Trio()
    #expect(trio.rewriter.commit(trio.staged).compactMap(\.error) == [])
    trio.rewriter.finish()
    let path = trio.paths[1].string
    #expect(rename(path, path + ".moved") == 0)
    #expect(try trio.desk.undo(trio.rewriter.run, in: trio.journal).map(\.isRestored) == [false, true, true])
    #expect(rename(path + ".moved", path) == 0)
    #expect(try trio.desk.undo(trio.rewriter.run, in: trio.journal) == [.restored])
    #expect(try trio.areOld == [true, true, true])
  }

  @Test("An undo that is stopped between two files of a group begins neither.")
  func undoStopped() throws {
    let trio = try Trio()
    #expect(trio.rewriter.commit(trio.staged).compactMap(\.error) == [])
    trio.rewriter.finish()
    let undo = try trio.desk.begin(trio.journal, undoing: trio.rewriter.run)
    var (asked, outcomes) = (0, [Undo.Outcome]())
    try Undo(trio.rewriter.run, as: undo, in: trio.journal)(
      until: {
        asked += 1
        return asked > 1
      }, { outcomes.append($1) })
    #expect(outcomes == [.notRun, .notRun, .notRun])
    #expect(try trio.areOld == [false, false, false])
    #expect(try trio.desk.leftovers() == [])
  }

  @Test(
    "An undo killed between a changed file and a new one of its group leaves both; after them, none.",
    arguments: 0...2, [false, true])
  func undoKilled(after count: Int, isReversed: Bool) throws {
    let photo = try Substituted()
    #expect(photo.rewriter.commit(photo.staged).compactMap(\.error) == [])
    photo.rewriter.finish()
    let run = photo.rewriter.run
    let undo = Rewriter(journal: photo.journal, run: try photo.desk.begin(photo.journal, undoing: run))
    let atomicGroup = undo.atomicGroup()
    let staged = try photo.journal.undoable(in: run).sorted { $0.path.string < $1.path.string }.map {
      entry -> StagedFile in
      let later = LaterRuns(than: RunID(entry.run), in: photo.journal)
      let (change, source) = try entry.asLeft(in: photo.journal, at: entry.path, later)
      if entry.method == .creation {
        return try undo.stage(
          removalOf: source, at: DirectoryEntry(resolving: entry.path), undoing: entry.key, atomicGroup: atomicGroup)
      }
      return try undo.stage(
        source, at: entry.path, patch: change.inverse, undoing: entry.key, atomicGroup: atomicGroup, check: accept)
    }
    try cutOff(isReversed ? staged.reversed() : staged, of: photo.journal, after: count)
    #expect(try photo.journal.recover().conflicts == [])
    #expect(try photo.names == (count < 2 ? ["a.JPG", "a.mov"] : ["a.mov"]))
    #expect(try (photo.desk.read(photo.movie) == Self.old) == (count == 2))
    guard count < 2 else { return }
    #expect(try photo.desk.undo(run, in: photo.journal) == [.removed, .restored])
    #expect(try photo.names == ["a.mov"] && photo.desk.read(photo.movie) == Self.old)
  }

  @Test("Recovery that is cut off itself continues the same way.", arguments: [1, 2], [0, 1])
  func recoveryCutOff(after count: Int, settled: Int) throws {
    let trio = try Trio()
    try cutOff(trio.staged, of: trio.journal, after: count)
    var recovery = Recovery(journal: trio.journal)
    try recovery.settle(try trio.journal.unsettled().entries[settled])
    _ = try trio.journal.recover()
    #expect(try trio.areOld == [count < 2, count < 2, true])
    #expect(try trio.desk.leftovers() == [])
  }
}
