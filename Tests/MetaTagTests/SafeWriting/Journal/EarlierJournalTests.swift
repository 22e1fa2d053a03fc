@testable import SafeWriting
import Foundation
import GRDB
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

/// A journal as 0.1.0 made it: its rows have no fingerprints.
@Suite("Journals of earlier versions")
struct EarlierJournalTests {
  private let desk: Desk
  private let path: FilePath
  private let run: RunID

  init() throws {
    desk = try Desk()
    path = try desk.photo(noise(100))
    run = try desk.change([path], [Splice(0..<0, [1, 2])]).run
    // Before the columns were added.
    try desk.unpackJournal(
      """
      ALTER TABLE operation DROP COLUMN fingerprint;
      DELETE FROM grdb_migrations WHERE identifier = 'fingerprints';
      """)
  }

  private func reading() throws -> Journal {
    try #require(try Journal.reading(directory: desk.journal().folder))
  }

  @Test("An earlier journal is read, and its runs are undone.")
  func undo() throws {
    do {
      let journal = try reading()
      #expect(try journal.runs(limit: 9).map(\.changed) == [1])
      #expect(try journal.operations(of: run).map(\.path) == [path])
      #expect(try journal.unfinishedRuns().isEmpty && journal.unnoted().isEmpty)
      #expect(try journal.operations(toUndo: run).map(\.path) == [path])
      #expect(try journal.unsettled().entries.isEmpty && journal.unfound().isEmpty)
      var outcomes: [Undo.Outcome] = []
      try Undo.trial(of: run, in: journal) { outcomes.append($1) }
      #expect(outcomes == [.restored])
    }
    #expect(try desk.undo(run).outcomes == [.restored])
    #expect(try desk.read(path) == noise(100))
  }

  @Test("Without a fingerprint the modification time identifies a file, also where it was moved.")
  func time() throws {
    let moved = path.removingLastComponent().appending("moved.jpg")
    #expect(rename(path.string, moved.string) == 0)
    var selection = UndoSelection()
    selection.movedTo = path.removingLastComponent()
    let journal = try desk.journal()
    for (isTouched, outcome) in [(true, Undo.Outcome.notRestored(.isGone)), (false, .restored)] {
      let time = try #require(FileTime(desk.status(moved).st_mtim) as FileTime?)
      if isTouched { try touch(moved, FileTime(Instant(seconds: 1_000_000))) }
      var outcomes: [Undo.Outcome] = []
      let undo = try desk.begin(journal, undoing: run)
      try Undo(run, as: undo, in: journal, selection)({ outcomes.append($1) })
      #expect(outcomes == [outcome])
      if isTouched { try touch(moved, time) }
    }
    #expect(try desk.read(moved) == noise(100))
  }

  @Test("A file that a later run changed is kept, and restored once that run is undone.")
  func later() throws {
    let time = FileTime(desk.status(path).st_mtim)
    let second = try desk.change([path], [Splice(50..<51, [0x55])]).run
    let (changed, changedTime) = (try desk.read(path), FileTime(desk.status(path).st_mtim))
    for isTouched in [false, true] {
      if isTouched { try touch(path, time) }
      var trial: [Undo.Outcome] = []
      try Undo.trial(of: run, in: try desk.journal()) { trial.append($1) }
      #expect(try desk.undo(run).outcomes == trial)
      guard case .notRestored(let error) = trial.first else {
        Issue.record("\(trial)")
        return
      }
      #expect(error.remedy == .undoFirst(Int(second.rawValue)), "\(error)")
      #expect(error.code == .changedByLaterRun)
      #expect(try desk.read(path) == changed)
    }
    try touch(path, changedTime)
    #expect(try desk.undo(second).outcomes == [.restored])
    #expect(try desk.undo(run).outcomes == [.restored])
    #expect(try desk.read(path) == noise(100))
  }

  private func touch(_ path: FilePath, _ time: FileTime) throws {
    try Attributes.setTimes(Descriptor(path, O_RDONLY, doing: "open it"), accessed: nil, modified: time)
  }
}

@Suite("Fingerprints of files")
struct FingerprintTests {
  @Test(
    "A fingerprint covers the length, all metadata and a picture's ends, but not its middle.",
    arguments: [0, 999, 1_000, 5_095, 96_000, 99_999, 100_000, 119_999])
  func bytes(_ offset: Int) throws {
    let old = noise(120_000)
    let print = try Fingerprint(of: Bytes(old), pictures: [1_000..<100_000])
    #expect(try print.isOf(Bytes(old)) && !print.isOf(Bytes(old + [0])) && !print.isOf(Bytes(Array(old.dropLast()))))
    var new = old
    new[offset] ^= 1
    #expect(try !print.isOf(Bytes(new)))
    var middle = old
    middle[50_000] ^= 1
    #expect(try print.isOf(Bytes(middle)))
  }

  @Test("A fingerprint changes if bytes change places.")
  func order() throws {
    let old = noise(4_000)
    let print = try Fingerprint(of: Bytes(old), pictures: [1_000..<1_100, 2_000..<2_100])
    for (a, b) in [(0, 1), (0, 16), (0, 32), (8, 24), (1_000, 2_000), (10, 3_500), (1_096, 1_000)] {
      var new = old
      new.swapAt(a, b)
      #expect(try new == old || !print.isOf(Bytes(new)), "\(a) \(b)")
    }
  }

  @Test(
    "A damaged fingerprint matches no file.",
    arguments: [Data(), Data([1]), Data(repeating: 0xFF, count: 56), Data(repeating: 0, count: 48)])
  func damaged(_ data: Data) throws {
    #expect(try !Fingerprint(data).isOf(Bytes(noise(100))))
  }

  @Test("A fingerprint of a picture in many pieces covers the largest ones.")
  func pieces() throws {
    let old = noise(100_000)
    let pieces = (0..<1_000).map { $0 * 100..<$0 * 100 + 40 + $0 % 10 }
    let print = try Fingerprint(of: Bytes(old), pictures: pieces)
    #expect(try print.data.count < 400 && print.isOf(Bytes(old)))
  }
}
