@testable import SafeWriting
import Foundation
import GRDB
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Recovery")
struct RecoveryTests {
  static let old = noise(70_000)
  /// An exchange: the file grows in its middle.
  static let inserting = [Splice(20..<30, noise(5_000, seed: 9))]
  /// Qualifies for writing in place.
  static let appending = [Splice(20..<24, [1, 2, 3, 4]), Splice(70_000..<70_000, noise(900, seed: 9))]

  /// Begins a run and stops it after this number of steps.
  private func cutOff(_ desk: Desk, _ paths: [FilePath], _ splices: [Splice], after steps: Int) throws {
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    let patch = try Patch(splices, to: RecoveryTests.old.count, imageData: [])
    let files = try paths.map { try rewriter.stage(try FileSource($0), at: $0, patch: patch, check: accept) }
    desk.take(steps, of: GroupCommit(files, journal: journal))
  }

  @Test(
    "A run cut off at any step leaves photos old or new and nothing else, and undo works.",
    arguments: 0...8, [false, true])
  func anyStep(_ steps: Int, inPlace: Bool) throws {
    let desk = try Desk()
    let paths = [try desk.photo(RecoveryTests.old), try desk.photo(RecoveryTests.old, "b.jpg")]
    if inPlace {
      for path in paths { #expect(link(path.string, path.string + ".link") == 0) }
    }
    let splices = inPlace ? RecoveryTests.appending : RecoveryTests.inserting
    let new = try Patch(splices, to: 70_000, imageData: []).applied(to: Bytes(RecoveryTests.old))
    try cutOff(desk, paths, splices, after: steps)
    // Nothing refers to the bytes that an edit in place prepares.
    let before = inPlace && steps > 1 ? RecoveryTests.old + new.suffix(900) : RecoveryTests.old
    for path in paths { #expect(try desk.read(path) == (steps > 3 ? new : before)) }

    let journal = try desk.journal()
    let report = try journal.recover()
    #expect(report.conflicts == [] && report.unreachable == [] && report.orphans == [])
    #expect(report.removed == (steps == 0 && !inPlace ? 2 : 0))
    #expect(report.restored == ((1...3).contains(steps) ? paths : []))
    #expect(report.finished == ((4...5).contains(steps) ? paths : []))
    for path in paths { #expect(try desk.read(path) == (steps > 3 ? new : RecoveryTests.old)) }
    #expect(try desk.leftovers() == [])
    #expect(try journal.recover().isEmpty)
    #expect(try journal.runs(limit: 9).map(\.state) == [.interrupted])
    #expect(try journal.runs(limit: 9).map(\.changed) == [steps > 3 ? 2 : 0])

    guard let run = try journal.newestRunToUndo() else {
      #expect(steps <= 3)
      return
    }
    let undo = try desk.begin(journal, undoing: run)
    var outcomes: [Undo.Outcome] = []
    try Undo(run, as: undo, in: journal)({ outcomes.append($1) })
    #expect(outcomes == [.restored, .restored])
    for path in paths {
      #expect(try desk.read(path) == RecoveryTests.old)
      #expect(FileTime(desk.status(path).st_mtim) == FileTime(Desk.modified))
    }
  }

  @Test(
    "What another run made of the photo after a kill stays, and only the scratch file is removed.", arguments: 1...3)
  func madeByAnother(steps: Int) throws {
    let desk = try Desk()
    let path = try desk.photo(RecoveryTests.old)
    try cutOff(desk, [path], RecoveryTests.inserting, after: steps)
    let other = try Journal(directory: desk.scratch.url.filePath.appending("other"))
    let rewriter = Rewriter(journal: other, run: try desk.begin(other))
    let patch = try Patch(RecoveryTests.inserting, to: RecoveryTests.old.count, imageData: [])
    let file = try rewriter.stage(try FileSource(path), at: path, patch: patch, check: accept)
    #expect(rewriter.commit([file]).compactMap(\.error) == [])
    rewriter.finish()
    let (new, inode) = (try desk.read(path), desk.status(path).st_ino)
    let journal = try desk.journal()
    let report = try journal.recover()
    #expect(report.restored == [path] && report.finished == [] && report.conflicts == [])
    #expect(try desk.read(path) == new && desk.status(path).st_ino == inode)
    #expect(try desk.leftovers() == [])
    #expect(try journal.newestRunToUndo() == nil)
  }

  @Test(
    "An edit in place that another run made since keeps its time, and both can be undone exactly.",
    arguments: [true, false])
  func madeInPlaceByAnother(undoesOwn: Bool) throws {
    let desk = try Desk()
    let path = try desk.photo(RecoveryTests.old)
    #expect(link(path.string, path.string + ".link") == 0)
    try cutOff(desk, [path], RecoveryTests.appending, after: 1)
    let other = try Journal(directory: desk.scratch.url.filePath.appending("other"))
    let rewriter = Rewriter(journal: other, run: try desk.begin(other))
    let patch = try Patch(RecoveryTests.appending, to: RecoveryTests.old.count, imageData: [])
    do {
      let file = try rewriter.stage(try FileSource(path), at: path, patch: patch, check: accept)
      #expect(rewriter.commit([file]).compactMap(\.error) == [])
    }
    rewriter.finish()
    try other.finishRun(rewriter.run)
    let time = FileTime(desk.status(path).st_mtim)
    let journal = try desk.journal()
    #expect(try journal.recover().finished == [path])
    #expect(FileTime(desk.status(path).st_mtim) == time)
    let undone = undoesOwn ? journal : other
    #expect(try desk.undo(try #require(try undone.newestRunToUndo()), in: undone) == [.restored])
    #expect(try desk.read(path) == RecoveryTests.old)
    #expect(FileTime(desk.status(path).st_mtim) == FileTime(Desk.modified))
  }

  @Test("Without an exchange of names the photo is restored from its backup's name.", arguments: [false, true])
  func holdback(newIsInPlace: Bool) throws {
    let desk = try Desk()
    let path = try desk.photo(RecoveryTests.old)
    try cutOff(desk, [path], RecoveryTests.inserting, after: 3)
    let staged = desk.photos.appending(try #require(try desk.leftovers().first))
    let scratch = FilePath(staged.string.dropLast(4) + ".tmp")
    #expect(rename(staged.string, scratch.string) == 0)
    #expect(rename(path.string, scratch.string + ".old") == 0)
    if newIsInPlace { #expect(rename(scratch.string, path.string) == 0) }
    let report = try desk.journal().recover()
    #expect(report.finished == (newIsInPlace ? [path] : []))
    #expect(report.restored == (newIsInPlace ? [] : [path]))
    #expect(try desk.read(path).count == (newIsInPlace ? 74_990 : 70_000))
    #expect(try desk.leftovers() == [])
  }

  @Test(
    "A new file that the disk lost is replaced by the old one, and what is left of it is kept.", arguments: [0, 30_000])
  func torn(count: Int) throws {
    let desk = try Desk()
    let path = try desk.photo(RecoveryTests.old)
    try cutOff(desk, [path], RecoveryTests.inserting, after: 4)
    let times = [desk.status(path).st_atim, desk.status(path).st_mtim]
    #expect(truncate(path.string, count) == 0)
    _ = utimensat(AT_FDCWD, path.string, times, 0)
    let rest = try desk.read(path)
    let report = try desk.journal().recover()
    #expect(report.restored == (count == 0 ? [path] : []))
    #expect(report.conflicts.map(\.path) == (count == 0 ? [] : [path]))
    #expect(try desk.read(path) == RecoveryTests.old)
    #expect(try desk.leftovers().map { try desk.read(desk.photos.appending($0)) } == (count == 0 ? [] : [rest]))
    #expect(try desk.journal().recover().isEmpty)
  }

  /// Ways to save a photo.
  enum Saving: CaseIterable { case renaming, inPlace, keepingTime, keepingEverything }

  @Test(
    "What a program saved of a photo after the exchange exists, also within the bytes that the run wrote.",
    arguments: Saving.allCases, [true, false])
  func saved(_ saving: Saving, keepsTime: Bool) throws {
    let desk = try Desk()
    let path = try desk.photo(RecoveryTests.old)
    try cutOff(desk, [path], RecoveryTests.inserting, after: 4)
    var bytes = try desk.read(path)
    bytes[1_000] ^= 0xFF
    // A program that writes less, as exiftool does with HEIC.
    if saving != .keepingEverything { bytes.removeLast(100) }
    let time = desk.status(path).st_mtim
    if saving == .renaming {
      try desk.write(bytes, to: FilePath(path.string + "_tmp"))
      #expect(rename(path.string + "_tmp", path.string) == 0)
    } else {
      try desk.write(bytes, to: path)
    }
    if keepsTime || saving == .keepingTime || saving == .keepingEverything {
      _ = utimensat(AT_FDCWD, path.string, [time, time], 0)
    }
    let report = try desk.journal().recover()
    let all = try ([path] + desk.leftovers().map { desk.photos.appending($0) }).map(desk.read)
    #expect(all.contains(bytes) && all.contains(RecoveryTests.old))
    #expect(report.conflicts.map(\.path) == [path])
    // Only a file that looks like ours loses its name.
    if saving == .renaming || !keepsTime && saving == .inPlace { #expect(try desk.read(path) == bytes) }
  }

  @Test("Of a photo that was moved before the exchange, the new file is removed: it is only a copy.")
  func movedBefore() throws {
    let desk = try Desk()
    let path = try desk.photo(RecoveryTests.old)
    try cutOff(desk, [path], RecoveryTests.inserting, after: 2)
    #expect(try desk.leftovers().map { $0.hasSuffix(".new") } == [true])
    let other = desk.photos.appending("other.jpg")
    #expect(rename(path.string, other.string) == 0)
    let report = try desk.journal().recover()
    #expect(report.restored == [path] && report.conflicts.isEmpty && report.unreachable.isEmpty)
    #expect(try desk.leftovers() == [] && desk.read(other) == RecoveryTests.old)
  }

  @Test("A photo that was moved after the exchange isn't put back, and its change can be undone where it is.")
  func movedSince() throws {
    let desk = try Desk()
    let path = try desk.photo(RecoveryTests.old)
    try cutOff(desk, [path], RecoveryTests.inserting, after: 4)
    let archive = desk.scratch.url.filePath.appending("archive")
    #expect(mkdir(archive.string, 0o700) == 0 && rename(path.string, archive.appending("a.jpg").string) == 0)
    let journal = try desk.journal()
    #expect(try journal.recover().unreachable.map(\.path) == [path])
    #expect(access(path.string, F_OK) != 0)
    #expect(try desk.leftovers().count == 1)
    var selection = UndoSelection()
    selection.movedTo = archive
    let run = try #require(try journal.newestRunToUndo())
    var outcomes: [Undo.Outcome] = []
    try Undo(run, as: try desk.begin(journal, undoing: run), in: journal, selection)({ outcomes.append($1) })
    #expect(outcomes == [.restored])
    #expect(try desk.read(archive.appending("a.jpg")) == RecoveryTests.old)
  }

  @Test("With a damaged journal, photos are settled and no old file is removed.", arguments: [3, 4, 6])
  func damagedJournal(steps: Int) throws {
    let desk = try Desk()
    let path = try desk.photo(RecoveryTests.old)
    try cutOff(desk, [path], RecoveryTests.inserting, after: steps)
    let before = try desk.leftovers()
    let journal = try desk.journal()
    try journal.database.write {
      try $0.execute(sql: "INSERT INTO run VALUES (99, 'x', 'y', '[', '', 'z', NULL, NULL, NULL, NULL)")
    }
    #expect(try journal.damage() != nil)
    _ = try journal.recover()
    #expect(try desk.leftovers() == before)
    let all = try ([path] + before.map { desk.photos.appending($0) }).map(desk.read)
    #expect(all.contains(RecoveryTests.old))
  }

  @Test("A photo that another program wrote after the cut-off is kept, and so is its old file.")
  func foreign() throws {
    let desk = try Desk()
    let path = try desk.photo(RecoveryTests.old)
    try cutOff(desk, [path], RecoveryTests.inserting, after: 4)
    try desk.write(noise(10, seed: 7), to: path)
    _ = utimensat(AT_FDCWD, path.string, [Desk.modified, FileTime(seconds: 1_650_000_000, nanoseconds: 0).timespec], 0)
    let report = try desk.journal().recover()
    #expect(report.conflicts.map(\.path) == [path])
    #expect(try desk.read(path) == noise(10, seed: 7))
    #expect(try desk.leftovers().count == 1)
    #expect(try desk.journal().recover().isEmpty)
  }

  @Test("A full copy next to the journal restores a photo that the file system lost in both versions.")
  func fullCopy() throws {
    let desk = try Desk()
    let path = try desk.photo(RecoveryTests.old)
    try cutOff(desk, [path], RecoveryTests.inserting, after: 3)
    do {
      let journal = try desk.journal()
      let entry = try #require(try journal.unsettled().entries.first)
      try FullCopy(of: entry, in: journal).keep(try FileSource(path))
    }
    #expect(truncate(path.string, 0) == 0)
    #expect(chmod(path.string, 0o604) == 0)
    #expect(truncate(desk.photos.appending(try #require(try desk.leftovers().first)).string, 0) == 0)
    #expect(try desk.journal().recover().restored == [path])
    #expect(try desk.read(path) == RecoveryTests.old)
    #expect(desk.status(path).st_mode & 0o777 == 0o604)
    #expect(FileTime(desk.status(path).st_mtim) == FileTime(Desk.modified))
    #expect(try desk.leftovers() == [])
    #expect(try Directory(desk.state.appending("copies")).names() == [])
  }

  /// States that an edit in place may have reached.
  static let halves: [(name: String, act: @Sendable (FilePath) throws -> Void, isOld: Bool?)] = [
    ("half appended", { try poke($0, Array(noise(900, seed: 9).prefix(300)), at: 70_000) }, true),
    ("appended", { try poke($0, noise(900, seed: 9), at: 70_000) }, true),
    ("room only", { truncate($0.string, 70_900) }, true),
    (
      "torn sector",
      {
        try poke($0, noise(900, seed: 9), at: 70_000)
        try poke($0, [1, 2], at: 20)
      }, true
    ),
    (
      "committed",
      {
        try poke($0, noise(900, seed: 9), at: 70_000)
        try poke($0, [1, 2, 3, 4], at: 20)
      }, false
    ),
    ("someone else's bytes at the end", { try poke($0, noise(100, seed: 3), at: 70_000) }, nil),
    ("someone else's bytes in the sector", { try poke($0, [77], at: 21) }, nil),
  ]

  static func poke(_ path: FilePath, _ bytes: [UInt8], at offset: Int64) throws {
    let file = try FileDescriptor.open(path, .writeOnly)
    try file.closeAfter { _ = try file.writeAll(toAbsoluteOffset: offset, bytes) }
  }

  @Test("An edit in place is reverted before its commit point and kept after it.", arguments: halves.indices)
  func inPlaceHalf(_ index: Int) throws {
    let half = RecoveryTests.halves[index]
    let desk = try Desk()
    let path = try desk.photo(RecoveryTests.old)
    #expect(link(path.string, desk.photos.appending("b.jpg").string) == 0)
    try cutOff(desk, [path], RecoveryTests.appending, after: 3)
    try half.act(path)
    let before = try desk.read(path)
    let report = try desk.journal().recover()
    let new = try Patch(RecoveryTests.appending, to: 70_000, imageData: []).applied(to: Bytes(RecoveryTests.old))
    switch half.isOld {
    case true?:
      #expect(report.restored == [path])
      #expect(try desk.read(path) == RecoveryTests.old)
      #expect(FileTime(desk.status(path).st_mtim) == FileTime(Desk.modified))
    case false?:
      #expect(report.finished == [path])
      #expect(try desk.read(path) == new)
    case nil:
      #expect(report.conflicts.map(\.path) == [path])
      #expect(try desk.read(path) == before)
    }
  }

  @Test("A folder that isn't there is tried again next time.")
  func unreachable() throws {
    let desk = try Desk()
    let path = try desk.photo(RecoveryTests.old)
    try cutOff(desk, [path], RecoveryTests.inserting, after: 4)
    let offloading = desk.scratch.url.filePath.appending("away")
    #expect(rename(desk.photos.string, offloading.string) == 0)
    #expect(try desk.journal().recover().unreachable.map(\.path) == [path])
    #expect(rename(offloading.string, desk.photos.string) == 0)
    #expect(try desk.journal().recover().finished == [path])
    #expect(try desk.leftovers() == [])
  }

  @Test("Photos of an offloaded folder are recovered when it is back.", arguments: [false, true])
  func offloading(inPlace: Bool) throws {
    let desk = try Desk()
    let path = try desk.photo(RecoveryTests.old)
    if inPlace { #expect(link(path.string, path.string + ".link") == 0) }
    try cutOff(desk, [path], inPlace ? RecoveryTests.appending : RecoveryTests.inserting, after: 4)
    let new = try desk.read(path)
    let offloading = desk.scratch.url.filePath.appending("away")
    for orphan in [nil, noise(300, seed: 5)] {
      #expect(rename(desk.photos.string, offloading.string) == 0)
      #expect(mkdir(desk.photos.string, 0o700) == 0)
      if let orphan { try desk.write(orphan, to: path) }
      // Reported once, together with the file that is there instead.
      let report = try desk.journal().recover()
      #expect(report.conflicts.map(\.path) == [path] && report.conflicts[0].reason.hasSuffix(Journal.mayReturn))
      #expect(try desk.journal().recover().isEmpty)
      if let orphan { #expect(try desk.read(path) == orphan) }
      try FileManager.default.removeItem(atPath: desk.photos.string)
      #expect(rename(offloading.string, desk.photos.string) == 0)
    }
    #expect(try desk.journal().recover().finished == [path])
    #expect(try desk.read(path) == new)
    #expect(try desk.leftovers() == [])
    let run = try #require(try desk.journal().newestRunToUndo())
    #expect(try desk.undo(run).outcomes == [.restored])
    #expect(try desk.read(path) == RecoveryTests.old)
  }

  @Test("A photo changed while it was offloaded is kept, and reported once with its leftovers.", arguments: 1...4)
  func awayAndForeign(_ steps: Int) throws {
    let desk = try Desk()
    let path = try desk.photo(RecoveryTests.old)
    try cutOff(desk, [path], RecoveryTests.inserting, after: steps)
    let offloading = desk.scratch.url.filePath.appending("away")
    #expect(rename(desk.photos.string, offloading.string) == 0)
    #expect(mkdir(desk.photos.string, 0o700) == 0)
    #expect(try desk.journal().recover().conflicts.map(\.reason) == [Recovery.isAway])
    #expect(rmdir(desk.photos.string) == 0)
    #expect(rename(offloading.string, desk.photos.string) == 0)
    let theirs = noise(300, seed: 5)
    try desk.write(theirs, to: path)
    let past = FileTime(seconds: 1_000_000, nanoseconds: 0).timespec
    #expect(utimensat(AT_FDCWD, path.string, [past, past], 0) == 0)
    let left = try desk.leftovers()
    #expect(!left.isEmpty)
    let reason = try #require(try desk.journal().recover().conflicts.first?.reason)
    #expect(reason.contains("another program") && left.allSatisfy { reason.contains("\($0)") }, "\(reason) \(left)")
    #expect(try desk.journal().recover().isEmpty)
    #expect(try desk.read(path) == theirs)
    #expect(try desk.leftovers() == left)
  }

  @Test("An offloaded photo that a later run changed keeps that change.")
  func awayAndChanged() throws {
    let desk = try Desk()
    let path = try desk.photo(RecoveryTests.old)
    #expect(link(path.string, path.string + ".link") == 0)
    try cutOff(desk, [path], RecoveryTests.appending, after: 1)
    let offloading = desk.scratch.url.filePath.appending("away")
    #expect(rename(desk.photos.string, offloading.string) == 0)
    #expect(mkdir(desk.photos.string, 0o700) == 0)
    #expect(try desk.journal().recover().conflicts.count == 1)
    #expect(rmdir(desk.photos.string) == 0)
    #expect(rename(offloading.string, desk.photos.string) == 0)
    // A second run makes the same change without knowing of the first.
    let later = try desk.change([path], RecoveryTests.appending).run
    let new = try desk.read(path)
    #expect(try desk.journal().recover().isEmpty)
    #expect(try desk.read(path) == new)
    #expect(try desk.undo(later).outcomes == [.restored])
    #expect(try desk.read(path) == RecoveryTests.old)
  }

  @Test("Another program's modification time on a cut-off edit stays, and prevents the undo.")
  func foreignTime() throws {
    let desk = try Desk()
    let path = try desk.photo(RecoveryTests.old)
    #expect(link(path.string, path.string + ".link") == 0)
    try cutOff(desk, [path], RecoveryTests.appending, after: 4)
    try RecoveryTests.poke(path, [77], at: 9_000)
    let theirs = FileTime(seconds: time(nil) + 90, nanoseconds: 5).timespec
    #expect(utimensat(AT_FDCWD, path.string, [theirs, theirs], 0) == 0)
    #expect(try desk.journal().recover().finished == [path])
    #expect(FileTime(desk.status(path).st_mtim) == FileTime(theirs))
    let run = try #require(try desk.journal().newestRunToUndo())
    #expect(try desk.undo(run).outcomes.map(\.isRestored) == [false])
    #expect(try desk.read(path)[9_000] == 77)
  }

  @Test("An undo in place that is cut off gets the modification time of the earlier run.")
  func timeOfUndo() throws {
    let desk = try Desk()
    let path = try desk.photo(RecoveryTests.old)
    #expect(link(path.string, path.string + ".link") == 0)
    let first = try desk.change([path], [Splice(20..<24, [1, 2, 3, 4])]).run
    let second = try desk.change([path], [Splice(40..<44, [1, 2, 3, 4])]).run
    do {
      let journal = try desk.journal()
      let rewriter = Rewriter(journal: journal, run: try desk.begin(journal, undoing: second))
      let entry = try #require(try journal.undoable(in: second).first)
      let file = try rewriter.stage(
        try FileSource(path), at: path, patch: try JournaledChange(entry, in: journal).inverse,
        modified: entry.old.modified, undoing: entry.key, check: accept)
      desk.take(4, of: GroupCommit([file], journal: journal))
      // Killed before it set the modification time.
      #expect(utimensat(AT_FDCWD, path.string, nil, 0) == 0)
    }
    #expect(try desk.journal().recover().finished == [path])
    #expect(try desk.undo(first).outcomes == [.restored])
    #expect(try desk.read(path) == RecoveryTests.old)
    #expect(FileTime(desk.status(path).st_mtim) == FileTime(Desk.modified))
  }

  @Test("A write of another program before the read-back stays, and so does the change.")
  func writtenBehind() throws {
    let desk = try Desk()
    let path = try desk.photo(RecoveryTests.old)
    #expect(link(path.string, path.string + ".link") == 0)
    let journal = try desk.journal()
    let run = try desk.begin(journal)
    let rewriter = Rewriter(journal: journal, run: run)
    let patch = try Patch([Splice(20..<24, [1, 2, 3, 4])], to: RecoveryTests.old.count, imageData: [])
    var commit = GroupCommit(
      [try rewriter.stage(try FileSource(path), at: path, patch: patch, check: accept)], journal: journal)
    commit.record()
    commit.prepare()
    commit.verify()
    commit.swap()
    try RecoveryTests.poke(path, [77], at: 60)
    #expect(utimensat(AT_FDCWD, path.string, [Desk.modified, Desk.modified], 0) == 0)
    commit.finish()
    commit.settle()
    #expect(commit.results.compactMap(\.error) == [])
    #expect(try Array(desk.read(path)[20..<24]) == [1, 2, 3, 4])
    #expect(try desk.read(path)[60] == 77)
    #expect(try journal.undoable(in: run).count == 1)
  }

  @Test("Scratch files of another journal are reported and kept.")
  func orphans() throws {
    let desk = try Desk()
    let path = try desk.photo(RecoveryTests.old)
    let orphan = try desk.photo([1], ".metatag-12345678-1-1.tmp")
    try cutOff(desk, [path], RecoveryTests.inserting, after: 0)
    #expect(try desk.journal().recover().orphans == [orphan])
    #expect(try desk.leftovers() == [".metatag-12345678-1-1.tmp"])
  }
}
