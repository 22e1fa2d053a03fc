@testable import SafeWriting
import CSys
import Foundation
import GRDB
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

/// A folder with photos and a journal next to it.
struct Desk {
  let scratch: Scratch
  var photos: FilePath { scratch.url.filePath.appending("photos") }
  var state: FilePath { scratch.url.filePath.appending("state") }

  init() throws {
    scratch = try Scratch()
    try FileManager.default.createDirectory(
      at: scratch.url.appending(path: "photos"), withIntermediateDirectories: true)
  }

  /// Writes a file with a known modification time that has nanoseconds.
  @discardableResult
  func photo(_ bytes: [UInt8], _ name: String = "a.jpg") throws -> FilePath { try photo(bytes, Array(name.utf8)) }

  @discardableResult
  func photo(_ bytes: [UInt8], _ name: [UInt8]) throws -> FilePath {
    let path = FilePath(bytes: photos.bytes + [0x2F] + name)
    try write(bytes, to: path)
    let times = [FileTime(seconds: 1_500_000_000, nanoseconds: 123_456_789).timespec, Desk.modified]
    _ = path.withPlatformString { utimensat(AT_FDCWD, $0, times, 0) }
    return path
  }

  static let modified = FileTime(seconds: 1_600_000_000, nanoseconds: 987_654_321).timespec

  func write(_ bytes: [UInt8], to path: FilePath) throws {
    let file = try FileDescriptor.open(
      path, .writeOnly, options: [.create, .truncate], permissions: [.ownerReadWrite, .groupRead])
    try file.closeAfter { _ = try file.writeAll(bytes) }
  }

  func read(_ path: FilePath) throws -> [UInt8] {
    let source = try FileSource(path)
    return try source.bytes(0..<source.count).array
  }

  func status(_ path: FilePath) -> stat {
    var status = stat()
    _ = path.withPlatformString { lstat($0, &status) }
    return status
  }

  /// The names of files in the folder that are not photos.
  func leftovers() throws -> [String] {
    try Directory(photos).names().map(\.string).filter { $0.hasPrefix(".metatag") }.sorted()
  }

  func journal() throws -> Journal { try Journal(directory: state) }

  func begin(_ journal: Journal, undoing: RunID? = nil) throws -> RunID {
    try journal.beginRun(
      arguments: ["metatag", "test"], at: Instant(seconds: 1_700_000_000), version: "0", undoing: undoing)
  }

  /// One run that applies `patch` to each file.
  func change(
    _ paths: [FilePath], _ splices: [Splice], options: Rewriter.Options = Rewriter.Options()
  ) throws -> (run: RunID, results: [Result<Void, FileError>]) {
    let journal = try journal()
    let run = try begin(journal)
    let rewriter = Rewriter(journal: journal, run: run, options: options)
    let group = try paths.map { path in
      let source = try FileSource(path)
      return try rewriter.stage(
        source, at: path, patch: try Patch(splices, to: source.count, imageData: []), check: accept)
    }
    let results = rewriter.commit(group)
    rewriter.finish()
    try journal.finishRun(run)
    return (run, results)
  }

  /// Stages a new file, with everything except its bytes taken from `attributeSource`.
  func stage(
    _ bytes: [UInt8], as name: String, like attributeSource: FilePath, by rewriter: Rewriter
  ) throws -> CreatedFile {
    let name = try #require(FilePath.Component(name))
    return try rewriter.stage(
      new: bytes, as: name, in: try DirectoryEntry(resolving: attributeSource).folder,
      like: try FileSource(attributeSource),
      check: accept)
  }

  /// One run that creates a file.
  func create(_ bytes: [UInt8], as name: String, like attributeSource: FilePath) throws -> (
    run: RunID, error: FileError?
  ) {
    let journal = try journal()
    let rewriter = Rewriter(journal: journal, run: try begin(journal))
    var names = NewNames()
    let file = try names.name(try stage(bytes, as: name, like: attributeSource, by: rewriter))
    let results = rewriter.commit(file.map { [$0] } ?? [])
    rewriter.finish()
    try journal.finishRun(rewriter.run)
    return (rewriter.run, results.first?.error)
  }

  /// Takes the first steps of a commit, as if the process had been killed then. Returns the files that would be removed
  /// last.
  @discardableResult
  func take(_ steps: Int, of commit: consuming GroupCommit) -> OldFiles {
    if steps > 0 { commit.record() }
    if steps > 1 { commit.prepare() }
    if steps > 2 { commit.verify() }
    if steps > 3 { commit.swap() }
    if steps > 4 { commit.finish() }
    if steps > 5 { commit.settle() }
    var oldFiles = OldFiles { _ in true }
    if steps > 6 { commit.clean(into: &oldFiles) }
    if steps > 7 { oldFiles.removeAll(journal: commit.journal) }
    return oldFiles
  }

  /// Undoes `run` and returns the outcome of each file.
  func undo(_ run: RunID, writesBeside: Bool = false) throws -> (run: RunID, outcomes: [Undo.Outcome]) {
    let journal = try journal()
    let outcomes = try undo(run, in: journal, writesBeside: writesBeside)
    return (try journal.runs(limit: 1)[0].id, outcomes)
  }

  func undo(_ run: RunID, in journal: Journal, writesBeside: Bool = false) throws -> [Undo.Outcome] {
    let undo = try begin(journal, undoing: run)
    var outcomes: [Undo.Outcome] = []
    try Undo(run, as: undo, in: journal, writesBeside: writesBeside)({ outcomes.append($1) })
    try journal.finishRun(undo)
    return outcomes
  }
}

extension Desk {
  func set(_ name: String, _ value: [UInt8], _ path: FilePath) throws {
    let file = try FileDescriptor.open(path, .readOnly)
    let done = try file.closeAfter { csys_fsetxattr(file.rawValue, name, value, value.count) }
    guard done == 0 else { throw Errno(rawValue: errno) }
  }

  func unset(_ name: String, _ path: FilePath) throws {
    let file = try FileDescriptor.open(path, .readOnly)
    guard try file.closeAfter({ csys_fremovexattr(file.rawValue, name) }) == 0 else { throw Errno(rawValue: errno) }
  }

  /// All attributes of a file except its bytes, as text.
  func attributes(_ path: FilePath) throws -> String {
    let status = status(path)
    let file = try FileDescriptor.open(path, .readOnly)
    let extended = try file.closeAfter {
      var list = [CChar](repeating: 0, count: 4_096)
      let count = max(0, csys_flistxattr(file.rawValue, &list, list.count))
      return list.prefix(count).split(separator: 0).map { name in
        var value = [UInt8](repeating: 0, count: 4_096)
        let size = csys_fgetxattr(file.rawValue, Array(name) + [0], &value, value.count)
        return String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self) + "=\(value.prefix(max(0, size)))"
      }.sorted()
    }
    return "\(status.st_mode) \(status.st_uid) \(status.st_gid) \(FileTime(status.st_mtim)) "
      + "\(FileTime(status.st_atim)) \(extended)"
  }
}

/// A POSIX access list (acl(5), as linux/posix_acl_xattr.h defines it) with an entry for one more user.
func accessList(user: UInt32, mode: UInt16) -> [UInt8] {
  let entries: [(tag: UInt16, mode: UInt16, id: UInt32)] = [
    (1, 6, .max), (2, mode, user), (4, 4, .max), (0x10, 4, .max), (0x20, 0, .max),
  ]
  return UInt32(2).bytes(.little)
    + entries.flatMap { $0.tag.bytes(.little) + $0.mode.bytes(.little) + $0.id.bytes(.little) }
}

/// A second reader that accepts everything.
func accept(_: any ByteSource) throws(FileError) {}

/// Bytes without short repetition, the same ones every time.
func noise(_ count: Int, seed: UInt32 = 1) -> [UInt8] {
  var state = seed
  return (0..<count).map { _ in
    state = state &* 1_664_525 &+ 1_013_904_223
    return UInt8(truncatingIfNeeded: state >> 24)
  }
}

extension Result where Success == Void, Failure == FileError {
  var error: FileError? {
    guard case .failure(let error) = self else { return nil }
    return error
  }
}

extension Desk {
  /// Rewrites the journal as versions before "packing" wrote it: names and paths as they are, identities as JSON, and a row
  /// for each splice. Then executes `sql`.
  func unpackJournal(_ sql: String = "") throws {
    try journal().database.write { db in
      for entry in try JournalEntry.fetchAll(db, sql: "SELECT * FROM change") {
        try db.execute(
          sql: """
            UPDATE operation SET folder = ?, scratch = ?, old = ?, new = ?, fingerprint = ?, originState = ?
            WHERE run = ? AND sequence = ?
            """,
          arguments: [
            entry.folder, entry.scratch, entry.old.json, entry.new.json, entry.fingerprint, entry.origin?.state.json,
            entry.run, entry.sequence,
          ])
        for (ordinal, splice) in try PackedSplices.unpacked(entry.undo ?? Data()).enumerated() {
          try SpliceRow(
            run: entry.run, sequence: entry.sequence, direction: .undo, ordinal: ordinal,
            lower: splice.range.lowerBound, upper: splice.range.upperBound, bytes: Data(splice.bytes), use: splice.use
          ).insert(db)
        }
      }
      try db.execute(
        sql: """
          DROP VIEW change;
          ALTER TABLE operation DROP COLUMN undo;
          DROP TABLE directory;
          DROP TABLE adoption;
          DELETE FROM grdb_migrations WHERE identifier IN ('packing', 'adoption');
          \(sql)
          """)
    }
  }
}

extension Journal {
  /// Returns the changes of `run` that can be undone, newest first.
  func undoable(in run: RunID) throws -> [JournalEntry] {
    var entries: [JournalEntry] = []
    try undoable(in: run) { entries.append($0) }
    return entries
  }
}
