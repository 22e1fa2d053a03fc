@testable import SafeWriting
import Foundation
import GRDB
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

/// A byte of the journal differs from what was written.
@Suite("A damaged journal")
struct JournalDamageTests {
  static let old = noise(70_000)
  static let inserting = [Splice(20..<30, noise(50, seed: 9)), Splice(900..<950, noise(7, seed: 3))]
  /// Written in place, because the photo has a second name.
  static let overwriting = [Splice(20..<24, [1, 2, 3, 4]), .erasing(600..<650), Splice(70_000..<70_000, noise(90))]

  /// Effects of a flipped bit or a lost row on the undo data.
  static let damages = [
    "UPDATE operation SET undo = CAST(substr(undo, 1, length(undo) - 1) || x'00' AS BLOB)",
    "UPDATE operation SET undo = CAST(substr(undo, 1, length(undo) - 1) AS BLOB)",
    "UPDATE operation SET undo = CAST(x'01' || substr(undo, 2) AS BLOB)",
    "UPDATE operation SET undo = x''",
    "UPDATE operation SET digest = zeroblob(16)",
    "UPDATE operation SET seal = x''",
    "UPDATE operation SET old = new",
  ]

  /// Such effects in a journal of an earlier version.
  static let earlierDamages = [
    "UPDATE splice SET bytes = x'00' || substr(bytes, 2) WHERE direction = 'undo' AND length(bytes) > 1 AND ordinal < 2",
    "UPDATE splice SET lower = lower + 1 WHERE direction = 'undo' AND ordinal = 1",
    "UPDATE splice SET use = (use + 1) % 3 WHERE direction = 'undo' AND ordinal = 1",
    "DELETE FROM splice WHERE direction = 'undo' AND ordinal = 1",
    "UPDATE operation SET old = replace(old, '1600000000', '1600000001')",
  ]

  private func execute(_ sql: String, in journal: Journal) throws {
    try journal.database.write { try $0.execute(sql: sql) }
  }

  /// A photo that a run changed.
  private func changed(on desk: Desk, inPlace: Bool) throws -> (path: FilePath, run: RunID, bytes: [UInt8]) {
    let path = try desk.photo(Self.old)
    if inPlace { #expect(link(path.string, path.string + ".link") == 0) }
    let (run, results) = try desk.change([path], inPlace ? Self.overwriting : Self.inserting)
    #expect(results.compactMap(\.error) == [])
    return (path, run, try desk.read(path))
  }

  @Test(
    "A damaged journal keeps undo from writing a byte, and the error says so.", arguments: damages + earlierDamages,
    [false, true])
  func undo(damage: String, inPlace: Bool) throws {
    let desk = try Desk()
    let (path, run, new) = try changed(on: desk, inPlace: inPlace)
    let time = FileTime(desk.status(path).st_mtim)
    if Self.earlierDamages.contains(damage) { try desk.unpackJournal() }
    try execute(damage, in: try desk.journal())
    var recorded: [Undo.Outcome] = []
    try Undo.trial(of: run, in: try desk.journal()) { recorded.append($1) }
    recorded += try desk.undo(run).outcomes
    #expect(recorded.count == 2)
    for outcome in recorded {
      guard case .notRestored(let error) = outcome else {
        Issue.record("\(outcome)")
        continue
      }
      #expect(error.kind == .malformed, "\(error)")
      #expect(error.description.hasPrefix("the journal in \(desk.state) is damaged: the undo data of run 1"))
      #expect(error.description.hasSuffix("nothing was written"))
    }
    #expect(try desk.read(path) == new && FileTime(desk.status(path).st_mtim) == time)
    #expect(try desk.leftovers() == [])
  }

  @Test("A damaged journal keeps recovery from writing a byte, and the report says so.", arguments: ["undo", "redo"])
  func recovery(direction: String) throws {
    let desk = try Desk()
    let path = try desk.photo(Self.old)
    #expect(link(path.string, path.string + ".link") == 0)
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    let patch = try Patch(Self.overwriting, to: Self.old.count, imageData: [])
    let staged = try rewriter.stage(try FileSource(path), at: path, patch: patch, check: accept)
    // Committed, but not yet erased: the bytes to write come from the journal either way.
    desk.take(4, of: GroupCommit([staged], journal: journal))
    let before = try desk.read(path)
    let redo = "UPDATE splice SET bytes = x'EE' || substr(bytes, 2) WHERE ordinal = 1 AND direction = 'redo'"
    try execute(direction == "undo" ? Self.damages[0] : redo, in: journal)
    let report = try journal.recover()
    #expect(report.unreachable.map(\.path) == [path] && report.finished == [] && report.restored == [])
    #expect(report.unreachable.first?.reason.contains("is damaged: the undo data of run 1 for this file") == true)
    #expect(try desk.read(path) == before)
  }

  @Test("A damaged journal keeps undo from changing a file's name and time.")
  func namesAndTimes() throws {
    let desk = try Desk()
    let path = try desk.photo(Self.old)
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    let wanted = FileTime(Instant(seconds: 1_700_000_000))
    #expect(rewriter.setTimes([TimeChange(path, from: FileIdentity(desk.status(path)), to: wanted)])[0].error == nil)
    try rewriter.rename([Rewriter.Renaming(path: path, name: "b.jpg")])
    try execute("UPDATE operation SET name = CAST('c.jpg' AS BLOB) WHERE method = 'renaming'", in: journal)
    try execute(Self.damages[6] + " WHERE method = 'times'", in: journal)
    let outcomes = try desk.undo(rewriter.run, in: journal)
    #expect(outcomes.count == 2 && outcomes.allSatisfy { if case .notRestored = $0 { true } else { false } })
    #expect(try Directory(desk.photos).names().map(\.string) == ["b.jpg"])
    #expect(FileTime(desk.status(desk.photos.appending("b.jpg")).st_mtim) == wanted)
  }

  @Test(
    "A run whose row can't be read is undone; a new run doesn't begin.",
    arguments: [
      "seconds = 'abc'", "seconds = 9000000000000000000", "arguments = '[['", "state = 'finisheD'",
    ])
  func runs(damage: String) throws {
    let desk = try Desk()
    let (path, run, new) = try changed(on: desk, inPlace: false)
    try execute("PRAGMA ignore_check_constraints = ON; UPDATE run SET \(damage)", in: try desk.journal())
    #expect(try desk.journal().runs(limit: 9).map(\.isDamaged) == [true])
    let error = #expect(throws: FileError.self) { try desk.begin(desk.journal()) }
    #expect(error?.code == .damagedJournal && error?.description.contains("1 of 1 runs can't be read") == true)
    #expect(try desk.read(path) == new)
    #expect(try desk.undo(run).outcomes == [.restored])
    #expect(try desk.read(path) == Self.old)
  }

  @Test("One row that can't be read doesn't keep the others from being undone.", arguments: ["new", "state", "old"])
  func oneOfMany(column: String) throws {
    let desk = try Desk()
    let paths = try ["a.jpg", "b.jpg", "c.jpg"].map { try desk.photo(Self.old, $0) }
    let run = try desk.change(paths, Self.inserting).run
    try execute("UPDATE operation SET \(column) = 'damaged' WHERE name = CAST('b.jpg' AS BLOB)", in: try desk.journal())
    #expect(try desk.journal().unreadableChanges(of: run) == 1)
    var outcomes: [FilePath: Undo.Outcome] = [:]
    let journal = try desk.journal()
    try Undo(run, as: desk.begin(journal, undoing: run), in: journal)({ outcomes[$0.path] = $1 })
    #expect(outcomes[paths[0]] == .restored && outcomes[paths[2]] == .restored)
    guard case .notRestored(let error) = outcomes[paths[1]] else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(error.code == .damagedJournal)
    #expect(try paths.map(desk.read).map { $0 == Self.old } == [true, false, true])
  }

  @Test("A scratch file isn't removed while a row of its run can't be read: it may be the only original.")
  func scratch() throws {
    let desk = try Desk()
    let path = try desk.photo(Self.old)
    let journal = try desk.journal()
    let rewriter = Rewriter(journal: journal, run: try desk.begin(journal))
    let patch = try Patch(Self.inserting, to: Self.old.count, imageData: [])
    let staged = try rewriter.stage(try FileSource(path), at: path, patch: patch, check: accept)
    desk.take(5, of: GroupCommit([staged], journal: journal))
    let leftovers = try desk.leftovers()
    #expect(leftovers.count == 1)
    try execute("UPDATE operation SET old = 'damaged'", in: journal)
    let report = try journal.recover()
    #expect(report.unreachable.map(\.path) == [path])
    #expect(try desk.leftovers() == leftovers)
  }

  @Test("A journal of a newer version is neither read nor written.")
  func newer() throws {
    let desk = try Desk()
    let (path, _, new) = try changed(on: desk, inPlace: false)
    try execute("INSERT INTO grdb_migrations VALUES ('future')", in: try desk.journal())
    #expect(#expect(throws: FileError.self) { try desk.journal() }?.code == .newerJournal)
    #expect(#expect(throws: FileError.self) { try Journal.reading(directory: desk.state) }?.code == .newerJournal)
    #expect(try desk.read(path) == new)
  }

  @Test("A journal that has no number left for a run says so.")
  func lastNumber() throws {
    let desk = try Desk()
    _ = try changed(on: desk, inPlace: false)
    let journal = try desk.journal()
    try execute("UPDATE sqlite_sequence SET seq = \(Int64.max) WHERE name = 'run'", in: journal)
    let error = #expect(throws: FileError.self) { try desk.begin(journal) }
    #expect(
      error?.code == .damagedJournal && error?.description.contains("no number is left") == true, "\(error as Any)")
  }

  @Test("Another program's database isn't taken for a journal, and isn't changed.")
  func foreign() throws {
    let desk = try Desk()
    #expect(mkdir(desk.state.string, 0o700) == 0)
    let path = desk.state.appending("journal.db")
    do {
      let database = try DatabaseQueue(path: path.string)
      try database.writeWithoutTransaction { try $0.execute(sql: "CREATE TABLE song (title TEXT)") }
    }
    let before = try desk.read(path)
    #expect(#expect(throws: FileError.self) { try Journal.reading(directory: desk.state) }?.code == .damagedJournal)
    #expect(try desk.read(path) == before)
    #expect(#expect(throws: FileError.self) { try desk.journal() }?.code == .damagedJournal)
    #expect(try desk.read(path) == before)
  }

  @Test("Rows of older versions, which have no seal, are undone as before.", arguments: [false, true])
  func older(inPlace: Bool) throws {
    let desk = try Desk()
    let (path, run, _) = try changed(on: desk, inPlace: inPlace)
    try execute("UPDATE operation SET seal = NULL", in: try desk.journal())
    #expect(try desk.undo(run).outcomes == [.restored])
    #expect(try desk.read(path) == Self.old)
  }

  @Test("A journal whose first run was cut off while creating it has no runs.", arguments: [false, true])
  func unmade(isHot: Bool) throws {
    let (desk, origin) = (try Desk(), try Scratch())
    #expect(mkdir(desk.state.string, 0o700) == 0)
    let path = origin.url.appending(path: "journal.db").path
    let database = try DatabaseQueue(path: path)
    try database.writeWithoutTransaction { db in
      if isHot { try db.execute(sql: "PRAGMA cache_size = 1; BEGIN") }
      try db.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT)")
      if isHot { try db.execute(sql: "INSERT INTO grdb_migrations VALUES (hex(zeroblob(100000)))") }
      for name in ["journal.db", "journal.db-journal"] {
        let file = origin.url.appending(path: name)
        guard FileManager.default.fileExists(atPath: file.path) else { continue }
        try desk.write(Array(try Data(contentsOf: file)), to: desk.state.appending(name))
      }
      if isHot { try db.execute(sql: "ROLLBACK") }
    }
    #expect(FileManager.default.fileExists(atPath: desk.state.appending("journal.db-journal").string) == isHot)
    #expect(desk.status(desk.state.appending("journal.db")).st_size > 0)
    #expect(try Journal.reading(directory: desk.state) == nil)
    // The next run creates it.
    #expect(try desk.journal().runs(limit: 9).isEmpty)
    #expect(try Journal.reading(directory: desk.state)?.runs(limit: 9).isEmpty == true)
  }

  @Test("An empty journal has lost its runs: it is refused, and left as it is.")
  func empty() throws {
    let desk = try Desk()
    _ = try desk.journal()
    let path = desk.state.appending("journal.db")
    try desk.write([], to: path)
    #expect(#expect(throws: FileError.self) { try Journal.reading(directory: desk.state) }?.code == .damagedJournal)
    #expect(#expect(throws: FileError.self) { try desk.journal() }?.code == .damagedJournal)
    #expect(try desk.read(path).isEmpty)
  }

  @Test("A log without its journal is refused, and left as it is: a new journal would take it for its own.")
  func onlyLog() throws {
    let desk = try Desk()
    let journal = try desk.journal()
    let (path, log) = (desk.state.appending("journal.db"), desk.state.appending("journal.db-wal"))
    let bytes = try desk.read(log)
    #expect(!bytes.isEmpty)
    try journal.finish()
    #expect(unlink(path.string) == 0)
    try desk.write(bytes, to: log)
    #expect(#expect(throws: FileError.self) { try Journal.reading(directory: desk.state) }?.code == .damagedJournal)
    withExtendedLifetime(journal) {}
    #expect(desk.status(path).st_size == 0)
    #expect(try desk.read(log) == bytes)
  }

  @Test("A journal gets its name when it is complete. What an interrupted run left of it is replaced.")
  func creation() throws {
    let desk = try Desk()
    #expect(mkdir(desk.state.string, 0o700) == 0)
    for suffix in ["", "-journal"] { try desk.write([1, 2, 3], to: desk.state.appending("journal.db.part\(suffix)")) }
    #expect(try Journal.reading(directory: desk.state) == nil)
    #expect(try desk.journal().runs(limit: 9).isEmpty)
    let names = try FileManager.default.contentsOfDirectory(atPath: desk.state.string)
    #expect(!names.contains { $0.contains(".part") }, "\(names)")
  }
}
