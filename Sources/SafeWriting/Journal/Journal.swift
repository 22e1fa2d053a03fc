import CSys
import Foundation
package import GRDB
import Glibc
import Synchronization
public import SystemPackage

/// The record of what was done to which file, so that runs can be resumed and undone: an SQLite database in a folder of
/// its own.
///
/// Every change is recorded before it becomes visible. The journal keeps the bytes that a change replaces, not copies
/// of photos. Only one process can write at a time.
public final class Journal: Sendable {
  /// The folder, as an absolute path.
  package let folder: FilePath
  /// A random token in the name of every scratch file, so that no other journal takes the file for its own.
  package let token: String
  package let database: DatabaseQueue
  /// The descriptor that holds the lock while it is open; −1 if the journal is only read.
  private let lock: CInt
  /// The last sequence number given out in each run.
  let sequences = Mutex<[RunID: Int]>([:])

  /// Opens the journal for writing, and creates it if necessary. Its folder is accessible only to its owner.
  ///
  /// - Throws: `FileError.Kind.conflict` while another process writes; `.io` if the journal can't be opened or created;
  ///   with the code `.damagedJournal` if the file isn't a journal, or `.newerJournal` if a newer version wrote it.
  public convenience init(directory: FilePath) throws(FileError) {
    // As the XDG Base Directory Specification requires, only their owner can access new folders.
    try directory.createFolder(mode: 0o700, called: "the journal's folder")
    try Journal.requireOwnFiles(in: directory)
    try self.init(owning: Journal.lock(directory), directory: directory)
  }

  /// Locks the journal in a folder, and returns the descriptor that holds the lock.
  static func lock(_ directory: FilePath) throws(FileError) -> CInt {
    let path = directory.appending("journal.lock")
    let lock = path.withPlatformString { Glibc.open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    guard lock >= 0 else {
      guard errno != EROFS else {
        throw FileError(
          .journalFailed, "its disk is read-only, but the journal must be written to", remedy: .copyJournal)
      }
      throw FileError(errno: errno, doing: "open the journal's lock")
    }
    guard Journal.acquire(lock) else {
      close(lock)
      throw FileError(.journalBusy, "another process is changing photos with this journal", remedy: .wait)
    }
    return lock
  }

  static func unlock(_ lock: CInt) {
    // A child process that is being started may still hold the descriptor, so closing ours alone would not unlock.
    flock(lock, LOCK_UN)
    close(lock)
  }

  /// Tries for 40 ms to get the lock: a process that only checks `isWritten` holds it for an instant.
  private static func acquire(_ lock: CInt) -> Bool {
    for _ in 0..<20 {
      if flock(lock, LOCK_EX | LOCK_NB) == 0 { return true }
      usleep(2_000)
    }
    return false
  }

  /// Whether a process is writing, this one or another.
  package var isWritten: Bool {
    if lock >= 0 { return true }
    let path = folder.appending("journal.lock")
    let lock = path.withPlatformString { Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
    guard lock >= 0 else { return false }
    defer { close(lock) }
    return flock(lock, LOCK_SH | LOCK_NB) != 0
  }

  /// Whether another process is writing, or another part of this one.
  var isWrittenByAnother: Bool { lock < 0 && isWritten }

  /// Opens the journal for reading, also while another process writes. Returns nil if nothing was ever written.
  ///
  /// - Throws: `FileError.Kind.io` if it can't be opened, or if it can't be determined whether it exists.
  public static func reading(directory: FilePath) throws(FileError) -> Journal? {
    try requireOwnFiles(in: directory)
    var status = stat()
    guard directory.appending("journal.db").withPlatformString({ stat($0, &status) }) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw FileError(errno: errno, doing: "open the journal")
    }
    do throws(FileError) {
      return try Journal(owning: -1, directory: directory)
    } catch {
      if isUnmade(directory) { return nil }
      throw error
    }
  }

  /// Throws if only the journal's log is there, or if something else is in the place of the journal or of its folder:
  /// another kind of file, an empty file, or a symbolic link that leads nowhere.
  static func requireOwnFiles(in directory: FilePath) throws(FileError) {
    // SQLite would take an old log for that of a new journal. The log is looked for first: the first run creates it last.
    if let log = directory.appending("journal.db-wal").status(followingLinks: false), log.st_size > 0,
      directory.appending("journal.db").status(followingLinks: false) == nil, errno == ENOENT
    {
      throw FileError(
        .damagedJournal,
        "journal.db is missing, but its log, journal.db-wal, is there; its runs can't be undone without it",
        remedy: .restoreJournal)
    }
    for (path, name, kind) in [
      (directory, "the journal's folder", S_IFDIR), (directory.appending("journal.db"), "journal.db", S_IFREG),
    ] where path.status(followingLinks: false) != nil {
      var status = stat()
      if path.withPlatformString({ stat($0, &status) }) != 0 {
        guard errno == ENOENT else { continue }
        throw FileError(
          .journalFailed, "\(name) is a symbolic link that leads nowhere, perhaps to a disk that isn't connected",
          remedy: .replaceJournal(afterUndo: false))
      }
      guard status.st_mode & S_IFMT == kind else {
        throw FileError(
          .journalFailed, "\(name) is not a \(kind == S_IFDIR ? "folder" : "file")",
          remedy: .replaceJournal(afterUndo: false))
      }
      // SQLite would take it for a new one, and delete the changes that are still in its log.
      guard kind == S_IFDIR || status.st_size > 0 else {
        throw FileError(
          .damagedJournal, "the journal is empty; if it had runs, they can't be undone", remedy: .restoreJournal)
      }
    }
  }

  /// Whether the first run of an earlier version was interrupted while it created the journal: nothing was changed yet.
  private static func isUnmade(_ directory: FilePath) -> Bool {
    do {
      let path = directory.appending("journal.db").string
      return try connect(path, writing: false).read { try !$0.tableExists("journal") }
    } catch let error as DatabaseError {
      // It needs a rollback, which only a writer may do. A complete journal uses write-ahead logging instead.
      return error.extendedResultCode == .SQLITE_READONLY_ROLLBACK
    } catch {
      return false
    }
  }

  private init(owning lock: CInt, directory: FilePath) throws(FileError) {
    let file = directory.appending("journal.db")
    do throws(FileError) {
      guard let path = String(validating: file) else {
        throw FileError(.unsupported, "the journal's folder must have a name in UTF-8", remedy: .otherStateFolder)
      }
      database = try translating("open the journal") { try Journal.connect(path, writing: lock >= 0) }
      token = try translating("read the journal") { [database] in
        try database.read { try String.fetchOne($0, sql: "SELECT token FROM journal") } ?? ""
      }
    } catch {
      if lock >= 0 { close(lock) }
      // SQLite needs room for a file in shared memory, also to read.
      if error.code == .journalFailed { try directory.requireRoom(64 << 10) }
      throw error
    }
    self.lock = lock
    folder = directory
  }

  deinit {
    if lock >= 0 { Journal.unlock(lock) }
  }

  /// Closes the database. The journal can't be used any more, and stays locked.
  /// - Throws: `FileError.Kind.io` if it is in use.
  package func finish() throws(FileError) {
    try translating("close the journal") { try database.close() }
  }

  /// Creates the journal under another name. It gets its own name when it is complete, so that an empty one means a loss.
  private static func create(_ path: String) throws {
    let part = FilePath(path + ".part")
    part.unlink()
    defer { part.unlink() }
    let database = try emptyDatabase(at: part)
    try schema.migrate(database)
    try database.close()
    // Some file systems can't check that the name is free. It was, and only the owner of the lock creates it.
    for flags in [csys_rename_noreplace, 0] {
      if rename(part, to: FilePath(path), flags) == 0 { return }
      if errno == EEXIST { break }
    }
    throw FileError(errno: errno, doing: "create the journal")
  }

  private static func rename(_ old: FilePath, to new: FilePath, _ flags: CUnsignedInt) -> CInt {
    old.withPlatformString { old in
      new.withPlatformString { FileSystems.current.renameat2(AT_FDCWD, old, AT_FDCWD, $0, flags) }
    }
  }

  /// Creates a database that only its owner can access.
  static func emptyDatabase(at path: FilePath, _ configuration: Configuration = Configuration()) throws -> DatabaseQueue
  {
    // SQLite gives its own files next to the database the mode of the database.
    try FileDescriptor.open(path, .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
      .close()
    return try DatabaseQueue(path: path.string, configuration: configuration)
  }

  private static func connect(_ path: String, writing: Bool) throws -> DatabaseQueue {
    if writing {
      // If its status can't be read, the journal isn't missing.
      if FilePath(path).status(followingLinks: false) == nil, errno == ENOENT {
        try create(path)
      } else {
        // Opening another program's database for writing would change it. Other errors show when it is opened for writing.
        do { try connect(path, writing: false).close() } catch let error as FileError { throw error } catch {}
      }
    }
    var configuration = Configuration()
    configuration.readonly = !writing
    configuration.busyMode = .timeout(30)
    if writing { configuration.journalMode = .wal }
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    }
    let database = try DatabaseQueue(path: path, configuration: configuration)
    if try database.read(schema.hasBeenSuperseded) {
      throw FileError(
        .newerJournal, "a newer version wrote the journal", remedy: .useNewerVersion)
    }
    guard try database.read(isOurs) else {
      throw FileError(
        .damagedJournal, "journal.db is the database of another program", remedy: .replaceJournal(afterUndo: false))
    }
    if writing {
      // GRDB sets a lower level when it turns on write-ahead logging. A change must be on disk in the journal before it
      // is made.
      try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      try schema.migrate(database)
    }
    try database.writeWithoutTransaction(createView)
    return database
  }
}

extension Journal {
  /// Whether a database is a journal, or is still empty.
  private static func isOurs(_ db: Database) throws -> Bool {
    let tables = try String.fetchSet(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
    return tables.isEmpty || tables.contains("journal") || tables.contains("grdb_migrations")
  }
}

/// Runs a database operation and converts its errors to `FileError`.
func translating<R>(_ act: String, _ body: () throws -> R) throws(FileError) -> R {
  do {
    return try body()
  } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY {
    throw FileError(.noSuchRun, "there is no such run", remedy: .listRuns)
  } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
    throw FileError(
      .damagedJournal, "could not \(act): it is damaged (\(error.message ?? error.resultCode.description))",
      remedy: error.resultCode == .SQLITE_CORRUPT ? .repairJournal : .replaceJournal(afterUndo: false))
  } catch let error as DatabaseError where [.SQLITE_READONLY, .SQLITE_CANTOPEN].contains(error.resultCode) {
    throw FileError(
      .journalFailed, "could not \(act): its folder or its file can't be written to, which is needed also for reading",
      remedy: .copyJournal)
  } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
    throw FileError(.diskFull, "could not \(act): its disk is full", remedy: .freeSpace(1 << 20))
  } catch let error as DatabaseError {
    throw FileError(.journalFailed, "could not \(act): \(error.message ?? error.resultCode.description)")
  } catch let error as FileError {
    throw error
  } catch {
    throw FileError(.journalFailed, "could not \(act): \(error)")
  }
}

let schema: DatabaseMigrator = {
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
  migrator.registerMigration("origins") { db in
    try db.execute(
      sql: "ALTER TABLE operation ADD COLUMN origin BLOB; ALTER TABLE operation ADD COLUMN originState TEXT")
  }
  migrator.registerMigration("packing") { db in
    try db.execute(
      sql: """
        CREATE TABLE directory (id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE);
        ALTER TABLE operation ADD COLUMN undo BLOB;
        """)
  }
  migrator.registerMigration("adoption") { db in
    try db.execute(
      sql: """
        CREATE TABLE adoption (token TEXT PRIMARY KEY, run INTEGER NOT NULL REFERENCES run) WITHOUT ROWID;
        """)
  }
  return migrator
}()
