@testable import SafeWriting
import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Times of files")
struct TimeChangeTests {
  private static let wanted = FileTime(Instant(seconds: 1_700_000_000, nanoseconds: 500_000_000))

  private func change(_ path: FilePath, on desk: Desk) -> TimeChange {
    TimeChange(path, from: FileIdentity(desk.status(path)), to: Self.wanted)
  }

  @Test("Setting a file's time changes nothing else, and undo and its undo are exact.")
  func roundTrip() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(70))
    let before = desk.status(path)
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    let gone = TimeChange(desk.photos.appending("b.jpg"), from: FileIdentity(before), to: Self.wanted)
    let results = rewriter.setTimes([change(path, on: desk), gone])
    #expect(results[0].error == nil && results[1].error?.kind == .io)
    var runs = [rewriter.run]
    for isOld in [false, true, false, true] {
      let now = desk.status(path)
      #expect(FileTime(now.st_mtim) == (isOld ? FileTime(before.st_mtim) : Self.wanted))
      #expect(FileTime(now.st_atim) == FileTime(before.st_atim) && now.st_ino == before.st_ino)
      let undo = try desk.begin(journal, undoing: runs[runs.count - 1])
      var outcomes: [Undo.Outcome] = []
      try Undo(runs[runs.count - 1], as: undo, in: journal)({ outcomes.append($1) })
      #expect(outcomes == [.retimed])
      runs.append(undo)
    }
    #expect(try desk.read(path) == noise(70))
    #expect(try journal.recover().isEmpty)
  }

  @Test("A file that was changed in the meantime keeps its time.")
  func refused() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(70))
    let planned = change(path, on: desk)
    try desk.write(noise(9), to: path)
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    let before = FileTime(desk.status(path).st_mtim)
    #expect(rewriter.setTimes([planned])[0].error?.kind == .conflict)
    #expect(FileTime(desk.status(path).st_mtim) == before)
    #expect(try journal.recover().isEmpty)
  }

  @Test("Undo restores first a file's time, then its name.")
  func renamedBefore() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(70), "a.JPG")
    let old = FileTime(desk.status(path).st_mtim)
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    try rewriter.rename([.init(path: path, name: "a.HEIC")])
    let results = rewriter.setTimes([change(desk.photos.appending("a.HEIC"), on: desk)])
    #expect(results.compactMap(\.error) == [])
    var (trial, outcomes): ([Undo.Outcome], [Undo.Outcome]) = ([], [])
    try Undo.trial(of: rewriter.run, in: journal) { trial.append($1) }
    try Undo(rewriter.run, as: try desk.begin(journal, undoing: rewriter.run), in: journal)({ outcomes.append($1) })
    #expect(outcomes == [.retimed, .renamed] && trial == outcomes)
    #expect(FileTime(desk.status(path).st_mtim) == old)
  }

  @Test("Undo leaves a file whose time has changed since.")
  func changedSince() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(70))
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    #expect(rewriter.setTimes([change(path, on: desk)])[0].error == nil)
    try desk.write(noise(70, seed: 2), to: path)
    var outcomes: [Undo.Outcome] = []
    try Undo(rewriter.run, as: try desk.begin(journal, undoing: rewriter.run), in: journal)({ outcomes.append($1) })
    #expect(outcomes == [.notRestored(FileError(.modifiedAfterRun, "modified after this run"))])
  }

  @Test(
    "A run killed while it sets times leaves the old or the new one, which the journal knows.",
    arguments: [0, 1, 2])
  func killed(step: Int) throws {
    let desk = try Desk()
    let path = try desk.photo(noise(70))
    let journal = try desk.journal()
    let run = try desk.begin(journal)
    let old = FileIdentity(desk.status(path))
    var new = old
    new.modified = Self.wanted
    let entry = JournalEntry(
      run: run.rawValue, sequence: 1, folder: Data(desk.photos.bytes), name: Data("a.jpg".utf8), scratch: nil,
      method: .times, old: old, new: new, digest: Data())
    try journal.record([(entry, try Patch([], to: 70, imageData: []), nil)])
    let time = step == 1 ? Self.wanted.timespec : FileTime(seconds: 5, nanoseconds: 0).timespec
    if step > 0 { #expect(utimensat(AT_FDCWD, path.string, [time, time], 0) == 0) }
    let report = try journal.recover()
    #expect(report.restored.count == (step == 0 ? 1 : 0))
    #expect(report.finished.count == (step == 1 ? 1 : 0))
    #expect(report.conflicts.count == (step == 2 ? 1 : 0))
    #expect(try journal.recover().isEmpty)
    guard step == 1 else { return }
    var outcomes: [Undo.Outcome] = []
    try Undo(run, as: try desk.begin(journal, undoing: run), in: journal)({ outcomes.append($1) })
    #expect(outcomes == [.retimed] && FileTime(desk.status(path).st_mtim) == old.modified)
  }
}
