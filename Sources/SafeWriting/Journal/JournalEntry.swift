import Foundation
import GRDB
package import SystemPackage

/// A row of the journal: one change to one file, with everything that recovery and undo need.
package struct JournalEntry: Sendable {
  /// The way in which the change gets into the file.
  package enum Method: String, DatabaseValueConvertible, CaseIterable {
    /// A scratch file replaces the photo.
    case exchange
    /// The photo itself is written to.
    case inPlace
    /// The photo gets another name; the row stores that name in `scratch`.
    case renaming
    /// A scratch file becomes a new file.
    case creation
    /// A scratch file becomes the changed copy of a file, `origin`.
    case copy
    /// Only the modification time changes, from that of `old` to that of `new`.
    case times
    /// A file that a run created is removed. It waits under its scratch name until the removal is on disk.
    case removal
    /// The file moves to the trash; the row stores its whole path there in `scratch`.
    case trashing
    /// The file moves back from the trash to where it was. The row is like that of `trashing`.
    case untrashing
  }

  var run: Int64
  var sequence: Int
  let folder: Data
  var name: Data
  /// The scratch file's name, or the file's name after a renaming, or its path in the trash; nil if the file is edited
  /// in place.
  var scratch: Data?
  package let method: Method
  var state = JournalOperation.State.staged
  var reason: String?
  /// The file before the change. For a creation or a copy, the empty scratch file.
  let old: FileIdentity
  /// The scratch file until the change is committed, then the photo.
  var new: FileIdentity
  /// SHA-256 of the new bytes of all splices, concatenated, or its beginning.
  var digest: Data
  /// SHA-256 of the whole file if every byte is verified, otherwise nil.
  var oldHash: Data?
  var newHash: Data?
  var undoesRun: Int64?
  var undoesSequence: Int?
  /// The number shared by changes of a run that are made together or not at all; nil if the change is independent.
  var atomicGroup: Int?
  /// The beginning of `checksum(over:)` when the row was recorded; nil in rows of older versions.
  var checksum: Data?
  /// The `Fingerprint` of the new file; nil in rows of older versions, and in changes that undo others.
  var fingerprint: Data?
  /// The file that was copied, if the change is a copy.
  var origin: Origin?
  /// The inverse splices, packed; nil in rows of older versions, whose splices are rows of their own.
  var undo: Data?

  /// A file that was copied: its path, and its state at the time.
  struct Origin: Sendable {
    let path: FilePath
    let state: FileIdentity
  }

  /// Whether a file that is edited in place may have this modification time because of the edit: it is the one that was
  /// to be set, or the edit wrote to the file then.
  func mayHaveSet(_ time: FileTime) -> Bool {
    // A group waits for its last file before it is written. File systems take the time from a clock that may be a moment
    // behind.
    let longestWait = 30
    return time == new.modified || (-1...longestWait).contains(time.seconds - new.changed.seconds)
  }

  /// Whether a file that is edited in place was to get a certain time, and not that of the edit.
  var setsGivenTime: Bool {
    let (time, edit) = (new.modified, new.changed)
    let nanoseconds = (edit.seconds - time.seconds) * 1_000_000_000 + edit.nanoseconds - time.nanoseconds
    return !(0..<10_000_000).contains(nanoseconds)
  }

  /// Whether the change made a file that was not there before.
  var makesFile: Bool { method == .creation || method == .copy }
}

extension JournalEntry: FetchableRecord {
  /// Reads a row of the view `change`, column by column: compiler-generated decoding took a tenth of an undo's processor
  /// time.
  init(row: Row) throws {
    run = try row.decode(atIndex: 0)
    sequence = try row.decode(atIndex: 1)
    folder = try row.decode(atIndex: 2)
    name = try row.decode(atIndex: 3)
    scratch = try row.decode(atIndex: 4)
    method = try row.decode(atIndex: 5)
    let state: String = try row.decode(atIndex: 6)
    reason = try row.decode(atIndex: 7)
    old = try FileIdentity(stored: row[8])
    new = try FileIdentity(stored: row[9])
    digest = try row.decode(atIndex: 10)
    oldHash = try row.decode(atIndex: 11)
    newHash = try row.decode(atIndex: 12)
    undoesRun = try row.decode(atIndex: 13)
    undoesSequence = try row.decode(atIndex: 14)
    atomicGroup = try row.decode(atIndex: 15)
    checksum = try row.decode(atIndex: 16)
    undo = try row.decode(atIndex: 20)
    let packed: Data? = try row.decode(atIndex: 17)
    fingerprint = undo == nil ? packed : try packed.map(Fingerprint.unpacked)
    if let path: Data = try row.decode(atIndex: 18) {
      origin = Origin(path: FilePath(bytes: Array(path)), state: try FileIdentity(stored: row[19]))
    }
    guard let known = JournalOperation.State(rawValue: state) else {
      throw FileError(.damagedJournal, "the journal is damaged: unknown state '\(state)' of a change")
    }
    self.state = known
  }

  /// Inserts the row, column by column for the same reason.
  /// - Parameters:
  ///   - directory: The number of its folder in the table `directory`.
  ///   - usual: The name that its scratch file has, if it has one of the usual form.
  func insert(_ db: Database, in directory: Int64, usual: Data) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO operation (
          run, sequence, folder, name, scratch, method, state, reason, old, new, digest, oldHash, newHash, undoesRun,
          undoesSequence, bond, seal, fingerprint, origin, originState, undo
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    let scratch: (any DatabaseValueConvertible)? = scratch == usual ? 0 : scratch
    try statement.execute(arguments: [
      run, sequence, directory, name, scratch, method.rawValue, state.rawValue, reason, old.packed, new.packed, digest,
      oldHash, newHash, undoesRun, undoesSequence, atomicGroup, checksum,
      fingerprint.map(Fingerprint.packed),
      origin.map { Data($0.path.bytes) }, origin?.state.packed, undo,
    ])
  }

  /// The primary key of a row.
  package struct Key: Hashable, Sendable {
    let run: Int64
    let sequence: Int

    package init(run: Int64, sequence: Int) {
      self.run = run
      self.sequence = sequence
    }
  }

  var key: Key { Key(run: run, sequence: sequence) }
  /// Whether the change was made and not undone.
  var isUndoable: Bool { state == .committed || state == .cleaned }
  var undoes: Key? {
    guard let undoesRun, let undoesSequence else { return nil }
    return Key(run: undoesRun, sequence: undoesSequence)
  }
  var folderPath: FilePath { FilePath(bytes: Array(folder)) }
  package var path: FilePath { FilePath(bytes: Array(folder) + [0x2F] + Array(name)) }

  var operation: JournalOperation {
    JournalOperation(
      run: RunID(run), sequence: sequence, path: path, target: target, origin: origin?.path, state: state,
      reason: reason, kind: method.kind)
  }
}

extension JournalEntry.Method {
  fileprivate var kind: JournalOperation.Kind {
    switch self {
    case .exchange, .inPlace: .bytes
    case .renaming: .name
    case .creation, .copy: .creation
    case .times: .time
    case .removal: .removal
    case .trashing: .trashing
    case .untrashing: .untrashing
    }
  }
}

/// A splice as a row of the journal: of a patch that is needed only until the change is done, or of an earlier version.
struct SpliceRow: FetchableRecord {
  let run: Int64
  let sequence: Int
  let direction: PatchDirection
  let ordinal: Int
  let lower: Int
  let upper: Int
  let bytes: Data
  let use: Splice.Use

  /// Inserts the row into the journal.
  func insert(_ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO splice (\(SpliceRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """)
    try statement.execute(arguments: [run, sequence, direction.rawValue, ordinal, lower, upper, bytes, use.rawValue])
  }
}

extension SpliceRow {
  /// The columns, in the order in which `init(row:)` reads them.
  static let columns = "run, sequence, direction, ordinal, lower, upper, bytes, use"

  init(row: Row) throws {
    run = try row.decode(atIndex: 0)
    sequence = try row.decode(atIndex: 1)
    direction = try row.decode(atIndex: 2)
    ordinal = try row.decode(atIndex: 3)
    lower = try row.decode(atIndex: 4)
    upper = try row.decode(atIndex: 5)
    bytes = try row.decode(atIndex: 6)
    use = try row.decode(atIndex: 7)
  }
}

extension JournalEntry {
  /// The new path, if the change is a renaming; otherwise nil.
  var target: FilePath? {
    guard method == .renaming, let name = scratch else { return nil }
    return FilePath(bytes: Array(folder) + [0x2F] + Array(name))
  }
}

extension Splice.Use: DatabaseValueConvertible {}
extension PatchDirection: DatabaseValueConvertible {}

extension Journal {
  package func splices(_ direction: PatchDirection, of entry: JournalEntry) throws(FileError) -> [Splice] {
    let rows = try translating("read the journal") {
      try database.read {
        let statement = try $0.cachedStatement(
          sql: """
            SELECT \(SpliceRow.columns) FROM splice WHERE run = ? AND sequence = ? AND direction = ? ORDER BY ordinal
            """)
        return try SpliceRow.fetchAll(statement, arguments: [entry.run, entry.sequence, direction.rawValue])
      }
    }
    return try rows.map { row throws(FileError) in
      guard row.lower >= 0, row.lower <= row.upper else { throw damage(of: entry) }
      return Splice(row.lower..<row.upper, Array(row.bytes), usedBy: row.use)
    }
  }
}

extension [UInt8] {
  /// The number of bytes of a hash that are recorded: it guards against accidents. Earlier versions recorded all.
  static let hashCount = 16

  /// Whether this is the hash of which `recorded` was recorded.
  func begins(withHash recorded: Data) -> Bool { recorded.count >= Self.hashCount && starts(with: recorded) }
}

extension JournalEntry {
  /// Returns the SHA-256 of everything that undo needs: the parts of the row that never change, and the splices
  /// `inverse`.
  func checksum(over inverse: [Splice]) throws(FileError) -> Data {
    var head: [UInt8] = []
    func add(_ numbers: Int...) { for number in numbers { head += number.bytes(.little) } }
    func add(_ bytes: some Collection<UInt8>) {
      add(bytes.count)
      head += bytes
    }
    add(Int(run), sequence, Int(undoesRun ?? -1), undoesSequence ?? -1, atomicGroup ?? -1)
    for text in [method.rawValue, old.json] { add(text.utf8) }
    for bytes in [folder, name, scratch ?? Data(), digest, oldHash ?? Data(), newHash ?? Data()] { add(bytes) }
    if let fingerprint { add(fingerprint) }
    if let origin {
      add(origin.path.bytes)
      add(origin.state.json.utf8)
    }
    for splice in inverse {
      add(splice.range.lowerBound, splice.range.upperBound, splice.bytes.count, splice.use.rawValue)
    }
    var hash = try SHA256()
    head.withUnsafeBytes { hash.update($0) }
    for splice in inverse { splice.bytes.withUnsafeBytes { hash.update($0) } }
    return Data(hash.finish())
  }
}
