import CSys
import Foundation
package import GRDB
import Glibc
import Synchronization
public import SystemPackage

/// What was done to which file, so that it can be resumed and undone: an SQLite file in a folder of its own.
///
/// Every change is in it before it is visible. It keeps the bytes a change replaces, not copies of photos.
/// Only one process writes at a time.
public final class Journal: Sendable {
  /// The folder, absolute.
  package let folder: FilePath
  /// Part of every scratch file's name, so that no other journal takes it for its own.
  package let token: String
  package let database: DatabaseQueue
  /// Holds the lock as long as it is open; −1 for reading.
  private let lock: CInt
  /// The last number that a change of a run got.
  let sequences = Mutex<[RunID: Int]>([:])

  /// Opens the journal for writing, and makes it where there is none: the folder is for its owner only.
  ///
  /// - Throws: `FileError.Kind.conflict` while another process writes; `.io` when it can't be opened or made.
  public convenience init(directory: FilePath) throws(FileError) {
    try makeFolder(directory)
    let path = directory.appending("journal.lock")
    let lock = path.withPlatformString { Glibc.open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    guard lock >= 0 else { throw FileError(errno: errno, doing: "open the journal's lock") }
    guard Journal.acquire(lock) else {
      close(lock)
      throw FileError(.conflict, "another metatag is changing photos with this journal; wait until it has ended")
    }
    try self.init(owning: lock, directory: directory)
  }

  /// Who only asks whether somebody writes (`isWritten`) holds the lock for an instant.
  private static func acquire(_ lock: CInt) -> Bool {
    for _ in 0..<20 {
      if flock(lock, LOCK_EX | LOCK_NB) == 0 { return true }
      usleep(2_000)
    }
    return false
  }

  /// Whether a process writes, this one or another.
  package var isWritten: Bool {
    if lock >= 0 { return true }
    let path = folder.appending("journal.lock")
    let lock = path.withPlatformString { Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
    guard lock >= 0 else { return false }
    defer { close(lock) }
    return flock(lock, LOCK_SH | LOCK_NB) != 0
  }

  /// Opens the journal to read it, also while another process writes. Nil when nothing was ever written.
  ///
  /// - Throws: `FileError.Kind.io` when it can't be opened, or it can't be told whether there is one.
  public static func reading(directory: FilePath) throws(FileError) -> Journal? {
    var status = stat()
    guard directory.appending("journal.db").withPlatformString({ stat($0, &status) }) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw FileError(errno: errno, doing: "open the journal")
    }
    guard status.st_size > 0 else { return nil }
    do throws(FileError) {
      return try Journal(owning: -1, directory: directory)
    } catch {
      if isUnmade(directory) { return nil }
      throw error
    }
  }

  /// Whether a first run was cut off while it made the journal: nothing was done yet.
  private static func isUnmade(_ directory: FilePath) -> Bool {
    do {
      let path = directory.appending("journal.db").string
      return try connect(path, writing: false).read { try !$0.tableExists("journal") }
    } catch let error as DatabaseError {
      // It is to be rolled back, which only a writer may: one that is made has a log that is written ahead instead.
      return error.extendedResultCode == .SQLITE_READONLY_ROLLBACK
    } catch {
      return false
    }
  }

  private init(owning lock: CInt, directory: FilePath) throws(FileError) {
    do throws(FileError) {
      guard let path = String(validating: directory.appending("journal.db")) else {
        throw FileError(.unsupported, "the journal's folder must have a name in UTF-8; set XDG_STATE_HOME to another")
      }
      database = try translating("open the journal") { try Journal.connect(path, writing: lock >= 0) }
      token = try translating("read the journal") { [database] in
        try database.read { try String.fetchOne($0, sql: "SELECT token FROM journal") } ?? ""
      }
    } catch {
      if lock >= 0 { close(lock) }
      throw error
    }
    self.lock = lock
    folder = directory
  }

  deinit {
    guard lock >= 0 else { return }
    // A child process that is just being started still holds the descriptor; closing ours alone would not unlock.
    flock(lock, LOCK_UN)
    close(lock)
  }

  private static func connect(_ path: String, writing: Bool) throws -> DatabaseQueue {
    // SQLite gives its own files beside it the mode of this one.
    if writing { close(Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)) }
    var configuration = Configuration()
    configuration.readonly = !writing
    configuration.busyMode = .timeout(30)
    if writing { configuration.journalMode = .wal }
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    }
    let database = try DatabaseQueue(path: path, configuration: configuration)
    if writing {
      // GRDB asks for less when it turns the log on: what is about to happen has to be on the disk before it does.
      try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      try schema.migrate(database)
    }
    return database
  }
}

/// Makes `folder` and those above it, for their owner only, as the XDG base directory specification asks.
private func makeFolder(_ folder: FilePath) throws(FileError) {
  guard folder.withPlatformString({ mkdir($0, 0o700) }) != 0, errno != EEXIST else { return }
  let parent = folder.removingLastComponent()
  guard errno == ENOENT, parent != folder, !parent.isEmpty else {
    throw FileError(errno: errno, doing: "make the journal's folder \(folder)")
  }
  try makeFolder(parent)
  guard folder.withPlatformString({ mkdir($0, 0o700) }) == 0 || errno == EEXIST else {
    throw FileError(errno: errno, doing: "make the journal's folder \(folder)")
  }
}

/// Runs something of GRDB's, and says what went wrong in our words.
func translating<R>(_ act: String, _ body: () throws -> R) throws(FileError) -> R {
  do {
    return try body()
  } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY {
    throw FileError(.refused, "could not \(act): it has no such run")
  } catch let error as DatabaseError {
    throw FileError(.io, "could not \(act): \(error.message ?? error.resultCode.description)")
  } catch let error as FileError {
    throw error
  } catch {
    throw FileError(.io, "could not \(act): \(error)")
  }
}

private let schema: DatabaseMigrator = {
  var migrator = DatabaseMigrator()
  migrator.registerMigration("1") { db in
    try db.execute(
      sql: """
        CREATE TABLE journal (token TEXT NOT NULL);
        CREATE TABLE run (
          id INTEGER PRIMARY KEY AUTOINCREMENT, seconds INTEGER NOT NULL, nanoseconds INTEGER NOT NULL,
          arguments TEXT NOT NULL, version TEXT NOT NULL, state TEXT NOT NULL, undoes INTEGER REFERENCES run);
        CREATE TABLE folder (run INTEGER NOT NULL REFERENCES run, path BLOB NOT NULL, PRIMARY KEY (run, path))
          WITHOUT ROWID;
        CREATE TABLE operation (
          run INTEGER NOT NULL REFERENCES run, sequence INTEGER NOT NULL,
          folder BLOB NOT NULL, name BLOB NOT NULL, scratch BLOB,
          method TEXT NOT NULL, state TEXT NOT NULL, reason TEXT,
          old TEXT NOT NULL, new TEXT NOT NULL, digest BLOB NOT NULL, oldHash BLOB, newHash BLOB,
          undoesRun INTEGER, undoesSequence INTEGER,
          PRIMARY KEY (run, sequence));
        CREATE INDEX unsettled ON operation (run, sequence) WHERE state IN ('staged', 'committed');
        CREATE TABLE splice (
          run INTEGER NOT NULL, sequence INTEGER NOT NULL, direction TEXT NOT NULL, ordinal INTEGER NOT NULL,
          lower INTEGER NOT NULL, upper INTEGER NOT NULL, bytes BLOB NOT NULL,
          PRIMARY KEY (run, sequence, direction, ordinal), FOREIGN KEY (run, sequence) REFERENCES operation)
          WITHOUT ROWID;
        """)
    let token = UInt64.random(in: 0x1000_0000...0xFFFF_FFFF)
    try db.execute(
      sql: "INSERT INTO journal VALUES (?)", arguments: [String(token, radix: 16)])
  }
  migrator.registerMigration("bonds") { db in
    try db.execute(sql: "ALTER TABLE operation ADD COLUMN bond INTEGER")
  }
  migrator.registerMigration("uses") { db in
    try db.execute(sql: "ALTER TABLE splice ADD COLUMN use INTEGER NOT NULL DEFAULT 0")
  }
  migrator.registerMigration("unfinished") { db in
    try db.execute(
      sql: """
        ALTER TABLE run ADD COLUMN unfinished INTEGER;
        CREATE TABLE unfinished (
          run INTEGER NOT NULL REFERENCES run, ordinal INTEGER NOT NULL, path BLOB NOT NULL, PRIMARY KEY (run, ordinal))
          WITHOUT ROWID;
        """)
  }
  migrator.registerMigration("failures") { db in
    try db.execute(sql: "ALTER TABLE run ADD COLUMN failures INTEGER")
  }
  migrator.registerMigration("retries") { db in
    try db.execute(sql: "ALTER TABLE run ADD COLUMN retries INTEGER")
  }
  migrator.registerMigration("seals") { db in
    try db.execute(sql: "ALTER TABLE operation ADD COLUMN seal BLOB")
  }
  migrator.registerMigration("fingerprints") { db in
    try db.execute(sql: "ALTER TABLE operation ADD COLUMN fingerprint BLOB")
  }
  return migrator
}()
