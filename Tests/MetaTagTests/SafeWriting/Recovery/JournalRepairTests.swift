@testable import SafeWriting
import Foundation
import GRDB
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("Repair of the journal")
struct JournalRepairTests {
  private static let splices = [Splice(20..<30, noise(400, seed: 9))]

  /// A journal with a run of 40 photos.
  private static func change() throws -> (desk: Desk, paths: [FilePath], run: RunID, file: FilePath) {
    let desk = try Desk()
    let paths = try (0..<40).map { try desk.photo(noise(2_000 + $0, seed: UInt32($0 + 1)), "\($0).jpg") }
    let (run, results) = try desk.change(paths, splices)
    #expect(results.compactMap(\.error) == [])
    return (desk, paths, run, desk.state.appending("journal.db"))
  }

  /// Overwrites the beginning of a page of each of these tables or indexes.
  private static func damage(_ names: [String], in file: FilePath, _ desk: Desk) throws {
    let queue = try DatabaseQueue(path: file.string)
    let pages = try queue.read { db in
      try names.map { try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [$0]) }
    }
    try queue.close()
    var bytes = try desk.read(file)
    for page in pages {
      let start = (try #require(page) - 1) * 4_096
      bytes.replaceSubrange(start..<start + 8, with: [UInt8](repeating: 0xA5, count: 8))
    }
    try desk.write(bytes, to: file)
  }

  @Test("Damaged indexes and small tables don't keep photos from being undone.")
  func indexes() throws {
    let (desk, paths, run, file) = try Self.change()
    try Self.damage(
      ["sqlite_autoindex_operation_1", "unsettled", "sqlite_sequence", "adoption", "grdb_migrations"], in: file, desk)
    let damaged = try desk.read(file)
    #expect(throws: FileError.self) { try desk.undo(run) }
    let repair = try Journal.repair(in: desk.state)
    #expect(repair == JournalRepair(kept: FilePath(file.string + ".damaged-1"), copied: 40, lost: 0))
    #expect(try desk.read(repair.kept).count >= damaged.count)
    #expect(desk.status(file).st_mode & 0o777 == 0o600)
    #expect(try desk.journal().damage() == nil)
    #expect(try desk.undo(run).outcomes == paths.map { _ in .restored })
    for (index, path) in paths.enumerated() {
      #expect(try desk.read(path) == noise(2_000 + index, seed: UInt32(index + 1)))
    }
    #expect(try Directory(desk.state).names().allSatisfy { !$0.string.hasSuffix(".part") })
  }

  @Test("Changes on a damaged page are named by the undo, and the others are undone.")
  func lostRows() throws {
    let (desk, _, run, file) = try Self.change()
    let queue = try DatabaseQueue(path: file.string)
    let page = try queue.read { db in
      try Int.fetchOne(
        db,
        sql: "SELECT pageno FROM dbstat WHERE name = 'operation' AND pagetype = 'leaf' ORDER BY pageno LIMIT 1 OFFSET 1"
      )
    }
    try queue.close()
    var bytes = try desk.read(file)
    let start = (try #require(page) - 1) * 4_096
    bytes.replaceSubrange(start..<start + 4_096, with: noise(4_096))
    try desk.write(bytes, to: file)
    let repair = try Journal.repair(in: desk.state)
    #expect(repair.lost > 0 && repair.copied + repair.lost == 40, "\(repair)")
    let outcomes = try desk.undo(run).outcomes
    #expect(outcomes.count { $0 == .restored } == repair.copied)
    #expect(outcomes.count { if case .notRestored = $0 { true } else { false } } == repair.lost)
    #expect(try desk.journal().structuralDamage() == nil)
    #expect(try desk.journal().damage() != nil)
  }

  @Test("A sound journal keeps all of its rows, and a second repair keeps another file.")
  func sound() throws {
    let (desk, paths, run, file) = try Self.change()
    _ = try desk.undo(run)
    func rows() throws -> [String: [String]] {
      try DatabaseQueue(path: file.string).read { db in
        let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        return try Dictionary(
          uniqueKeysWithValues: tables.map { ($0, try Row.fetchAll(db, sql: "SELECT * FROM \($0)").map(\.description)) }
        )
      }
    }
    let before = try rows()
    #expect(try Journal.repair(in: desk.state).lost == 0)
    #expect(try rows() == before)
    #expect(try Journal.repair(in: desk.state).kept == FilePath(file.string + ".damaged-2"))
    #expect(try desk.change(paths, Self.splices).results.compactMap(\.error) == [])
  }

  @Test("The journal of an earlier version is repaired, too.")
  func earlier() throws {
    let desk = try Desk()
    let path = try desk.photo(noise(500))
    let run = try desk.change([path], [Splice(0..<3, [1])]).run
    try desk.unpackJournal()
    #expect(try Journal.repair(in: desk.state).copied == 1)
    #expect(try desk.undo(run).outcomes == [.restored])
    #expect(try desk.read(path) == noise(500))
  }

  @Test("A damaged definition of a table doesn't keep the others from being read.")
  func definition() throws {
    let (desk, paths, run, file) = try Self.change()
    var bytes = try desk.read(file)
    let text = Array("CREATE TABLE unfinished".utf8)
    let place = try #require((0..<4_096).first { bytes[$0...].starts(with: text) })
    bytes[place + 8] = UInt8(ascii: "{")
    try desk.write(bytes, to: file)
    #expect(throws: FileError.self) { try desk.undo(run) }
    #expect(try Journal.repair(in: desk.state).copied == 40)
    #expect(try desk.undo(run).outcomes == paths.map { _ in .restored })
  }

  @Test("Another file, and a journal that is in use, stay as they are.")
  func refused() throws {
    let desk = try Self.change().desk
    let journal = try desk.journal()
    #expect(throws: FileError(.journalBusy, "another process is changing photos with this journal", remedy: .wait)) {
      try Journal.repair(in: desk.state)
    }
    try journal.finish()
    let other = try Desk()
    _ = try other.journal()
    let noJournal = other.state.appending("journal.db")
    try other.write(noise(9_000), to: noJournal)
    #expect(throws: FileError.self) { try Journal.repair(in: other.state) }
    #expect(try other.read(noJournal) == noise(9_000))
    #expect(try Directory(other.state).names().map(\.string).sorted() == ["journal.db", "journal.lock"])
  }
}
