import Foundation
import GRDB
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Journal")
struct JournalTests {
  @Test("Only one process writes, and others may read at the same time.")
  func oneWriter() throws {
    let desk = try Desk()
    #expect(try Journal.reading(directory: desk.state) == nil)
    let run: RunID
    do {
      let journal = try desk.journal()
      run = try desk.begin(journal)
      let error = #expect(throws: FileError.self) { try desk.journal() }
      #expect(error?.kind == .conflict)
      // The caller that opens the journal adds its path.
      #expect(error?.description.contains("\(desk.state)") == false)
      #expect(try Journal.reading(directory: desk.state)?.runs(limit: 1).map(\.id) == [run])
    }
    #expect(try Journal.reading(directory: desk.state)?.runs(limit: 1).map(\.id) == [run])
    #expect(try desk.journal().runs(limit: 1).map(\.id) == [run])
  }

  @Test("A written record is on the disk when the call returns.")
  func durable() throws {
    let journal = try Desk().journal()
    let level = try journal.database.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    #expect(level == 2, "SQLite's FULL: the log is synchronized after every transaction")
  }

  @Test("Only the owner can read the folder and the file.")
  func modes() throws {
    let desk = try Desk()
    _ = try desk.journal()
    #expect(desk.status(desk.state).st_mode & 0o777 == 0o700)
    #expect(desk.status(desk.state.appending("journal.db")).st_mode & 0o777 == 0o600)
  }

  @Test("Runs are listed newest first, with the outcomes of their files.")
  func log() throws {
    let desk = try Desk()
    let paths = try (0..<3).map { try desk.photo(noise(100), "\($0).jpg") }
    let first = try desk.change(paths, [Splice(0..<0, [1])]).run
    let second = try desk.change([paths[0]], [Splice(0..<0, [1])]).run
    _ = try desk.undo(second)
    let runs = try desk.journal().runs(limit: 10)
    #expect(runs.map(\.changed) == [1, 0, 3])
    #expect(runs.map(\.undone) == [0, 1, 0])
    #expect(runs.map(\.undoes) == [second, nil, nil])
    #expect(runs.last?.started == Instant(seconds: 1_700_000_000))
    #expect(runs.last?.arguments == ["metatag", "test"])
    #expect(runs.last?.state == .finished)
    #expect(try desk.journal().operations(of: first).map(\.path) == paths)
    #expect(try desk.journal().runs(limit: 2).count == 2)
  }

  @Test("A journal that isn't a database is an error, not an empty journal.")
  func damaged() throws {
    let desk = try Desk()
    _ = try desk.journal()
    try desk.write(noise(5_000), to: desk.state.appending("journal.db"))
    let error = #expect(throws: FileError.self) { try desk.journal() }
    #expect(error?.code == .damagedJournal && error?.remedy == .replaceJournal(afterUndo: false))
    #expect(try desk.read(desk.state.appending("journal.db")) == noise(5_000))
  }

  @Test("A folder in the place of the journal is an error with a remedy.", arguments: [false, true])
  func folder(isRead: Bool) throws {
    let desk = try Desk()
    #expect(mkdir(desk.state.string, 0o700) == 0 && mkdir(desk.state.appending("journal.db").string, 0o700) == 0)
    let error = #expect(throws: FileError.self) {
      _ = isRead ? try Journal.reading(directory: desk.state) : try desk.journal()
    }
    #expect(error?.code == .journalFailed && error?.remedy == .replaceJournal(afterUndo: false))
  }
}
