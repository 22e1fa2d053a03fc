@testable import SafeWriting
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Edits in place")
struct InPlaceEditTests {
  private static let old = noise(30_000) + [UInt8](repeating: 0, count: 500) + noise(39_500, seed: 2)
  /// Room is filled, bytes are appended, a sector commits, and then unused bytes are erased: far from that sector, and
  /// in it.
  private static let splices = [
    Splice(20..<24, [1, 2, 3, 4]), .erasing(100..<140), .erasing(50_000..<50_900),
    Splice(30_000..<30_500, noise(500, seed: 5), usedBy: .new), Splice(70_000..<70_000, noise(900, seed: 9)),
  ]

  private static func patch() throws -> Patch { try Patch(splices, to: old.count, imageData: []) }

  @Test("Bytes that only the old or only the new file uses don't count for the commit sector.")
  func phases() throws {
    let patch = try Self.patch()
    let edit = try #require(InPlaceEdit(patch))
    let back = try #require(InPlaceEdit(patch.inverse(of: Bytes(Self.old))))
    #expect(edit.erased.map(\.range) == back.prepared.map(\.range))
    #expect(edit.prepared.map(\.range) == back.erased.map(\.range))
    let live = Self.splices.map { Splice($0.range, $0.bytes) }
    #expect(InPlaceEdit(try Patch(live, to: Self.old.count, imageData: [])) == nil)
    // Erasing commits nothing.
    #expect(InPlaceEdit(try Patch([Self.splices[1]], to: Self.old.count, imageData: [])) == nil)
  }

  @Test(
    "An edit in place or its undo, cut off anywhere, is recovered to entirely old or new.",
    arguments: [false, true])
  func cutOff(undoing: Bool) throws {
    let patch = try Self.patch()
    let new = try patch.applied(to: Bytes(Self.old))
    let begun = undoing ? try patch.inverse(of: Bytes(Self.old)) : patch
    let (before, after) = undoing ? (new, Self.old) : (Self.old, new)
    let states = Self.states(try #require(InPlaceEdit(begun)), of: before)
    #expect(states.count > 12 && states.last?.bytes == after)
    for (state, isDone) in states {
      let desk = try Desk()
      let path = try desk.photo(Self.old)
      #expect(link(path.string, path.string + ".link") == 0)
      if undoing { _ = try desk.change([path], Self.splices) }
      let changed = desk.status(path).st_mtim
      try record(begun, of: path, undoing: undoing, on: desk)
      try desk.write(state, to: path)
      let journal = try desk.journal()
      let report = try journal.recover()
      #expect(report.finished == (isDone ? [path] : []) && report.restored == (isDone ? [] : [path]))
      #expect(try desk.read(path) == (isDone ? after : before))
      if !isDone, state != before { #expect(FileTime(desk.status(path).st_mtim) == FileTime(changed)) }
      #expect(try journal.recover().isEmpty)
      guard !undoing, isDone, let run = try journal.newestRunToUndo() else { continue }
      let undo = try desk.begin(journal, undoing: run)
      var outcomes: [Undo.Outcome] = []
      try Undo(run, as: undo, in: journal)({ outcomes.append($1) })
      #expect(outcomes == [.restored])
      #expect(try desk.read(path) == Self.old)
    }
  }

  @Test("A file that another metatag writes to at the same time is left as it is.")
  func locked() throws {
    let desk = try Desk()
    let path = try desk.photo(Self.old)
    #expect(link(path.string, path.string + ".link") == 0)
    let other = try FileDescriptor.open(path, .readOnly)
    #expect(flock(other.rawValue, LOCK_EX) == 0)
    #expect(try desk.change([path], Self.splices).results.map(\.error?.code) == [.openForWriting])
    #expect(try desk.read(path) == Self.old)
    try other.close()
    #expect(try desk.change([path], Self.splices).results.map(\.error?.code) == [nil])
  }

  @Test("An edit that another process made in the same way isn't taken back with one that comes too late.")
  func sameEdit() throws {
    let desk = try Desk()
    let path = try desk.photo(Self.old)
    #expect(link(path.string, path.string + ".link") == 0)
    let journals = try [desk.journal(), Journal(directory: desk.scratch.url.filePath.appending("other"))]
    let staged = try journals.map { journal in
      let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
      let file = try rewriter.stage(try FileSource(path), at: path, patch: try Self.patch(), check: accept)
      return (rewriter, file)
    }
    #expect(staged[0].0.commit([staged[0].1]).map(\.error?.code) == [nil])
    let (new, time) = (try desk.read(path), FileTime(desk.status(path).st_mtim))
    #expect(staged[1].0.commit([staged[1].1]).map(\.error?.code) == [.changedDuringRun])
    #expect(try desk.read(path) == new && FileTime(desk.status(path).st_mtim) == time)
  }

  @Test("Recovery restores the modification time, unless another program has written since.")
  func time() throws {
    let desk = try Desk()
    let path = try desk.photo(Self.old)
    #expect(link(path.string, path.string + ".link") == 0)
    try record(try Self.patch(), of: path, undoing: false, on: desk)
    let place = try DirectoryEntry(resolving: path)
    let edit = try #require(InPlaceEdit(try Self.patch()))
    let back = try #require(InPlaceEdit(try Self.patch().inverse(of: Bytes(Self.old))))
    let descriptor = try place.folder.open(place.name, O_RDWR)
    try edit.apply(to: descriptor)
    var old = FileIdentity(desk.status(path))
    (old.size, old.modified) = (Self.old.count, FileTime(seconds: 1, nanoseconds: 2_000_000_000))
    #expect(throws: FileError.self) { try edit.takeBack(at: place, inverse: back, to: old, isOurs: { _ in true }) }
    #expect(try desk.read(path) == Self.old)

    let journal = try desk.journal()
    var entry = try #require(try journal.unsettled().entries.first)
    let left = FileTime(desk.status(path).st_mtim)
    entry.new.modified = left
    try journal.update([entry])
    for isForeign in [true, false] {
      let time = isForeign ? FileTime(seconds: left.seconds + 90, nanoseconds: 5) : left
      #expect(utimensat(AT_FDCWD, path.string, [time.timespec, time.timespec], 0) == 0)
      #expect(try journal.recover().restored == [path])
      #expect(FileTime(desk.status(path).st_mtim) == (isForeign ? time : FileTime(Desk.modified)))
      try journal.update([entry])
    }
  }

  /// Two files with a second name and one without, staged.
  private static func group(on desk: Desk) throws -> (paths: [FilePath], journal: Journal, staged: [StagedFile]) {
    let paths = try ["a.nef", "b.nef", "c.jpg"].map { try desk.photo(old, $0) }
    for path in paths.prefix(2) { #expect(link(path.string, path.string + ".link") == 0) }
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    let patch = try patch()
    let staged = try paths.map { try rewriter.stage(try FileSource($0), at: $0, patch: patch, check: accept) }
    return (paths, journal, staged)
  }

  @Test("A group cut off after any step is recovered to entirely old or entirely new files.", arguments: 0...8)
  func groupCutOff(after steps: Int) throws {
    let desk = try Desk()
    let (paths, journal, staged) = try Self.group(on: desk)
    let new = try Self.patch().applied(to: Bytes(Self.old))
    desk.take(steps, of: GroupCommit(staged, journal: journal))
    for path in paths.prefix(2) {
      let bytes = try desk.read(path)
      #expect(bytes.count == (steps < 2 ? Self.old : new).count)
      #expect(bytes[20..<24] == (steps < 4 ? Self.old : new)[20..<24])
      #expect(bytes[50_000..<50_900] == (steps < 5 ? Self.old : new)[50_000..<50_900])
    }
    _ = try journal.recover()
    for path in paths {
      #expect(try desk.read(path) == (steps < 4 ? Self.old : new))
      if steps < 4 { #expect(FileTime(desk.status(path).st_mtim) == FileTime(Desk.modified)) }
    }
    #expect(try journal.recover().isEmpty)
    #expect(try desk.leftovers() == [])
  }

  @Test("A write of another program between two steps stays, and the other files are changed.", arguments: 1...4)
  func disturbed(after steps: Int) throws {
    let desk = try Desk()
    let (paths, journal, staged) = try Self.group(on: desk)
    var commit = GroupCommit(staged, journal: journal)
    var oldFiles = OldFiles()
    let all: [(inout GroupCommit) -> Void] = [
      { $0.record() }, { $0.prepare() }, { $0.verify() }, { $0.swap() }, { $0.finish() }, { $0.settle() },
      { $0.clean(into: &oldFiles) }, { _ in oldFiles.removeAll(journal: journal) },
    ]
    for step in all.prefix(steps) { step(&commit) }
    try desk.write(noise(60, seed: 5), to: paths[0])
    for step in all.dropFirst(steps) { step(&commit) }
    #expect(commit.results.map { $0.error?.kind } == [.conflict, nil, nil])
    #expect(try desk.read(paths[0]) == noise(60, seed: 5))
    let new = try Self.patch().applied(to: Bytes(Self.old))
    for path in paths.dropFirst() { #expect(try desk.read(path) == new) }
    #expect(try journal.recover().isEmpty)
  }

  /// Begins a run that applies `patch`, or undoes the last one, and stops it before the file changes.
  private func record(_ patch: Patch, of path: FilePath, undoing: Bool, on desk: Desk) throws {
    let journal = try desk.journal()
    let done = undoing ? try journal.newestRunToUndo().flatMap { try journal.undoable(in: $0).first } : nil
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal, undoing: done.map { RunID($0.run) }))
    let staged = try rewriter.stage(
      try FileSource(path), at: path, patch: try done.map { try JournaledChange($0, in: journal).inverse } ?? patch,
      modified: done?.old.modified, undoing: done?.key, check: accept)
    var commit = GroupCommit([staged], journal: journal)
    commit.record()
  }

  /// Every state in which `edit` of `file` may be cut off, in order, and whether it is committed then.
  private static func states(_ edit: InPlaceEdit, of file: [UInt8]) -> [(bytes: [UInt8], isDone: Bool)] {
    let tail = edit.tail.isEmpty ? [] : [Splice(file.count..<file.count, edit.tail)]
    let early = parts(of: edit.prepared + tail).map { (written($0, to: file), false) }
    let ready = written(edit.prepared + tail, to: file)
    let torn = (written(edit.overwrites.map(half), to: ready), false)
    let late = parts(of: edit.erased).map { written($0, to: written(edit.overwrites, to: ready)) }
    let states = early + [torn] + late.map { ($0, true) }
    return edit.newCount < ready.count ? states + late.map { (Array($0.prefix(edit.newCount)), true) } : states
  }

  /// Each of `splices` not written, half written, or written.
  private static func parts(of splices: [Splice]) -> [[Splice]] {
    splices.reduce([[]]) { lists, splice in lists.flatMap { [$0, $0 + [half(splice)], $0 + [splice]] } }
  }

  private static func half(_ splice: Splice) -> Splice {
    let bytes = Array(splice.bytes.prefix(splice.bytes.count / 2))
    let start = splice.range.lowerBound
    return Splice(start..<start + (splice.range.isEmpty ? 0 : bytes.count), bytes)
  }

  private static func written(_ splices: [Splice], to file: [UInt8]) -> [UInt8] {
    // An append first changes no offset.
    splices.reduce(into: file) { $0.replaceSubrange($1.range, with: $1.bytes) }
  }
}
