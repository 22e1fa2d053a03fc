@testable import SafeWriting
import Foundation
import GRDB
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

/// Changes that one journal takes over from another.
@Suite("Adopted journals")
struct AdoptionTests {
  static let old = noise(70_000)
  static let inserting = [Splice(20..<30, noise(50, seed: 9)), Splice(900..<950, noise(7, seed: 3))]

  /// The journal of a worker, in the same place as the photos of a desk.
  private func part(_ desk: Desk, _ name: String) throws -> Journal {
    try Journal(directory: desk.scratch.url.filePath.appending(name))
  }

  /// Changes photos in a run of a journal, those of each list together.
  private func change(_ groups: [[FilePath]], in journal: Journal, on desk: Desk) throws -> RunID {
    let run = try desk.begin(journal)
    let rewriter = Rewriter(journal: journal, run: run)
    var files: [StagedFile] = []
    for paths in groups {
      let group = paths.count > 1 ? rewriter.atomicGroup() : nil
      for path in paths {
        let source = try FileSource(path)
        // A file with two names is written in place.
        let splices = desk.status(path).st_nlink > 1 ? JournalDamageTests.overwriting : Self.inserting
        let patch = try Patch(splices, to: source.count, imageData: [])
        files.append(try rewriter.stage(source, at: path, patch: patch, atomicGroup: group, check: accept))
      }
    }
    #expect(rewriter.commit(files).compactMap(\.error) == [])
    rewriter.finish()
    try journal.finishRun(run)
    return run
  }

  private func adopt(_ source: RunID, of part: Journal, into journal: Journal, as run: RunID) throws {
    var edited: Set<AdoptedEdit> = []
    try journal.adopt(source, of: part, as: run, edited: &edited)
  }

  @Test("The changes of several journals are undone as one run, byte for byte, and redone.")
  func undo() throws {
    let desk = try Desk()
    let paths = try ["a", "b", "c", "d", "e"].map { try desk.photo(Self.old, "\($0).jpg") }
    #expect(link(paths[4].string, paths[4].string + ".link") == 0)
    let journal = try desk.journal()
    let parts = [try part(desk, "one"), try part(desk, "two")]
    _ = try change([[paths[0], paths[1]], [paths[2]]], in: parts[0], on: desk)
    _ = try change([[paths[3], paths[4]]], in: parts[1], on: desk)
    let new = try paths.map(desk.read)
    let run = try desk.begin(journal)
    for part in parts {
      #expect(try journal.adoptable(in: part) == .changes(RunID(1)))
      try adopt(RunID(1), of: part, into: journal, as: run)
      #expect(try journal.adoptable(in: part) == .adopted(run))
    }
    try journal.finishRun(run)
    #expect(try journal.damage() == nil)
    #expect(try journal.runs(limit: 1).first?.changed == 5)
    #expect(try journal.standings(of: run).allSatisfy { $0.standing == .asLeft })
    let (undone, outcomes) = (try desk.begin(journal, undoing: run), [Undo.Outcome]())
    var all = outcomes
    try Undo(run, as: undone, in: journal)({ all.append($1) })
    #expect(all == Array(repeating: .restored, count: 5))
    for path in paths { #expect(try desk.read(path) == Self.old) }
    #expect(FileTime(desk.status(paths[0]).st_mtim) == FileTime(Desk.modified))
    let redo = try desk.begin(journal, undoing: undone)
    try Undo(undone, as: redo, in: journal)({ _, _ in })
    #expect(try paths.map(desk.read) == new)
    #expect(try desk.leftovers() == [])
  }

  @Test("Photos that were changed together stay together, whatever numbers other journals gave.")
  func groups() throws {
    let desk = try Desk()
    let paths = try ["a", "b", "c", "d"].map { try desk.photo(Self.old, "\($0).jpg") }
    let journal = try desk.journal()
    let run = try desk.begin(journal)
    for (name, pair) in [("one", Array(paths[..<2])), ("two", Array(paths[2...]))] {
      let part = try part(desk, name)
      _ = try change([pair], in: part, on: desk)
      try adopt(RunID(1), of: part, into: journal, as: run)
    }
    var selection = UndoSelection()
    selection.files = [try #require(paths[0].resolved)]
    var outcomes: [FilePath] = []
    try Undo(run, as: try desk.begin(journal, undoing: run), in: journal, selection)({ operation, _ in
      outcomes.append(operation.path)
    })
    #expect(Set(outcomes.compactMap(\.lastComponent?.string)) == ["a.jpg", "b.jpg"])
  }

  @Test("A journal that is damaged, unsettled, its own, or has several runs is not taken over.")
  func refused() throws {
    let desk = try Desk()
    let path = try desk.photo(Self.old)
    let (journal, part) = (try desk.journal(), try part(desk, "part"))
    #expect(try journal.adoptable(in: part) == .nothing)
    #expect(throws: FileError.self) { try journal.adoptable(in: journal) }
    _ = try change([[path]], in: part, on: desk)
    #expect(try journal.adoptable(in: part) == .changes(RunID(1)))
    func error(after sql: String) throws -> FileError.Code? {
      try part.database.write { try $0.execute(sql: sql) }
      do throws(FileError) {
        _ = try journal.adoptable(in: part)
        return nil
      } catch { return error.code }
    }
    #expect(try error(after: "UPDATE operation SET state = 'staged'") == .journalBusy)
    #expect(try error(after: "UPDATE operation SET state = 'unknown'") == .damagedJournal)
    #expect(try error(after: "UPDATE operation SET state = 'cleaned'") == nil)
    _ = try desk.begin(part)
    #expect(try error(after: "UPDATE run SET state = 'finished'") == .refused)
  }

  @Test("A change in place that two journals have is taken over once, but not if the first attempt failed.")
  func twice() throws {
    let desk = try Desk()
    let path = try desk.photo(Self.old)
    #expect(link(path.string, path.string + ".link") == 0)
    let journal = try desk.journal()
    _ = try change([[path]], in: try part(desk, "one"), on: desk)
    let (one, two) = (desk.scratch.url.appending(path: "one"), desk.scratch.url.appending(path: "two"))
    try FileManager.default.copyItem(at: one, to: two)
    for (name, token) in [("one", "1234abcd"), ("two", "abcd1234")] {
      try part(desk, name).database.write { try $0.execute(sql: "UPDATE journal SET token = ?", arguments: [token]) }
    }
    let run = try desk.begin(journal)
    var edited: Set<AdoptedEdit> = []
    let broken = try part(desk, "one")
    try broken.database.write { try $0.execute(sql: "UPDATE operation SET undo = zeroblob(9)") }
    #expect(throws: FileError.self) { try journal.adopt(RunID(1), of: broken, as: run, edited: &edited) }
    try journal.adopt(RunID(1), of: try part(desk, "two"), as: run, edited: &edited)
    #expect(try journal.operations(of: run).count == 1)
    let third = desk.scratch.url.appending(path: "three")
    try FileManager.default.copyItem(at: two, to: third)
    try part(desk, "three").database.write { try $0.execute(sql: "UPDATE journal SET token = 'feedfeed'") }
    try journal.adopt(RunID(1), of: try part(desk, "three"), as: run, edited: &edited)
    #expect(try journal.operations(of: run).count == 1)
    #expect(try desk.undo(run, in: journal) == [.restored])
  }

  @Test("What failed is left out.")
  func failed() throws {
    let desk = try Desk()
    let path = try desk.photo(Self.old)
    let (journal, part) = (try desk.journal(), try part(desk, "part"))
    _ = try change([[path]], in: part, on: desk)
    // The bytes of a failed edit in place don't fit the file.
    try part.database.write { try $0.execute(sql: "UPDATE operation SET state = 'conflict', reason = 'x', new = old") }
    let run = try desk.begin(journal)
    try adopt(RunID(1), of: part, into: journal, as: run)
    #expect(try journal.operations(of: run).isEmpty)
  }

  @Test("A change whose bytes are damaged isn't taken over, and none of the others is.")
  func damaged() throws {
    let desk = try Desk()
    let paths = try ["a", "b"].map { try desk.photo(Self.old, "\($0).jpg") }
    let (journal, part) = (try desk.journal(), try part(desk, "part"))
    _ = try change(paths.map { [$0] }, in: part, on: desk)
    try part.database.write {
      try $0.execute(sql: "UPDATE operation SET undo = zeroblob(9) WHERE name = ?", arguments: [Data("b.jpg".utf8)])
    }
    let run = try desk.begin(journal)
    #expect(throws: FileError.self) { try adopt(RunID(1), of: part, into: journal, as: run) }
    #expect(try journal.operations(of: run).isEmpty)
    #expect(try journal.adoptable(in: part) == .changes(RunID(1)))
  }

  // MARK: Undo by rows

  /// Undoes rows in a journal of their own, and returns the outcomes.
  private func undo(_ rows: [UndoRow], in part: Journal, on desk: Desk) throws -> [Undo.Outcome] {
    let undo = try part.beginRun(
      arguments: ["metatag"], at: Instant(seconds: 1_700_000_000), version: "0", undoing: try #require(rows.first))
    try part.add(rows)
    var outcomes: [Undo.Outcome] = []
    try Undo(RunID(try #require(rows.first).run), as: undo, in: part)({ outcomes.append($1) })
    try part.remove(rows)
    try part.finishRun(undo)
    return outcomes
  }

  @Test("A run that is undone by rows in other journals counts as undone once they are taken over, and can be redone.")
  func rows() throws {
    let desk = try Desk()
    let paths = try ["a", "b", "c"].map { try desk.photo(Self.old, "\($0).jpg") }
    let journal = try desk.journal()
    let run = try change([[paths[0], paths[1]], [paths[2]]], in: journal, on: desk)
    let new = try paths.map(desk.read)
    var rows: [UndoRow] = []
    try journal.undoRows(of: run, UndoSelection(), version: "1.2") { rows.append(try UndoRow(try $0.line)) }
    #expect(rows.map(\.paths.count) == [2, 1])
    #expect(rows.allSatisfy { $0.run == run.rawValue && $0.journal == journal.token && $0.version == "1.2" })
    let undone = try desk.begin(journal, undoing: run)
    for (number, row) in rows.enumerated() {
      let part = try part(desk, "part\(number)")
      #expect(!part.isTakenBack(row))
      #expect(try undo([row], in: part, on: desk) == row.paths.map { _ in .restored })
      #expect(part.isTakenBack(row))
      #expect(try journal.adoptable(in: part) == .undo(RunID(run.rawValue + 1), of: run))
      try adopt(RunID(run.rawValue + 1), of: part, into: journal, as: undone)
    }
    for path in paths { #expect(try desk.read(path) == Self.old) }
    #expect(try journal.newestRunToUndo() == nil)
    #expect(try journal.newestRunToRedo() == undone)
    #expect(try journal.runs(limit: 9).map(\.undone) == [0, 3])
    try Undo(undone, as: try desk.begin(journal, undoing: undone), in: journal)({ _, _ in })
    #expect(try paths.map(desk.read) == new)
  }

  @Test("A row of an undo without changes, or with a folder or name that can't be, is refused.")
  func malformedRows() throws {
    let desk = try Desk()
    let journal = try desk.journal()
    let run = try change([[try desk.photo(Self.old)]], in: journal, on: desk)
    var lines: [[UInt8]] = []
    try journal.undoRows(of: run, UndoSelection(), version: "1") { lines.append(try $0.line) }
    let line = try #require(lines.first)
    func row(_ name: String, _ value: Any) throws -> UndoRow {
      var row = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
      var change = try #require((row["changes"] as? [[String: Any]])?.first)
      change[name] = value
      row["changes"] = name == "changes" ? value : [change]
      return try UndoRow(Array(try JSONSerialization.data(withJSONObject: row)))
    }
    func bytes(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
    _ = try row("name", bytes("b.jpg"))
    for name in ["", ".", "..", "a/b", "a\u{0}b"] { #expect(throws: FileError.self) { try row("name", bytes(name)) } }
    for folder in ["", "photos", "/photos\u{0}"] {
      #expect(throws: FileError.self) { try row("folder", bytes(folder)) }
    }
    #expect(throws: FileError.self) { try row("scratch", bytes("../a")) }
    for part in ["old", "new", "undo"] { #expect(throws: FileError.self) { try row(part, bytes("a")) } }
    #expect(throws: FileError.self) { try row("method", "none") }
    #expect(throws: FileError.self) { try row("changes", [Any]()) }
    let whole = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    let change = try #require(whole["changes"] as? [Any])
    #expect(throws: FileError.self) { try row("changes", change + change) }
  }

  @Test("The undo of another journal's run is not taken over.")
  func foreign() throws {
    let desk = try Desk()
    let path = try desk.photo(Self.old)
    let run = try change([[path]], in: try desk.journal(), on: desk)
    var rows: [UndoRow] = []
    try desk.journal().undoRows(of: run, UndoSelection(), version: "1") { rows.append($0) }
    let part = try part(desk, "part")
    _ = try undo(rows, in: part, on: desk)
    #expect(throws: FileError.self) { try self.part(desk, "other").adoptable(in: part) }
  }
}
