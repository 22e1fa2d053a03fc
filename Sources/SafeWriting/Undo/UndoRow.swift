import Foundation
package import SystemPackage

/// Everything that is needed to take back a run's changes of one photo, as a line that a worker on another machine gets.
package struct UndoRow: Codable, Sendable {
  /// The version of the form.
  package static let form = 1

  /// The identifier of the row.
  package let id: String
  /// The version of the form.
  package let metatagUndo: Int
  /// The version of the program that wrote the row.
  package let version: String
  /// The token of the journal with the run.
  package let journal: String
  /// The number of the run in that journal.
  package let run: Int64
  /// The path of the photo, for readers.
  package let path: String
  let changes: [Change]

  /// A change of one file: a row of the journal. Bytes are in base64.
  struct Change: Codable {
    let sequence: Int
    let folder: Data
    let name: Data
    let scratch: Data?
    let method: String
    let old: Data
    let new: Data
    let digest: Data
    let oldHash: Data?
    let newHash: Data?
    let group: Int?
    let checksum: Data
    let fingerprint: Data?
    let origin: Data?
    let originState: Data?
    let undo: Data
  }

  /// Reads a row.
  /// - Throws: `DecodingError`, or `FileError` for a row in a form that this version doesn't know.
  package init(_ line: [UInt8]) throws {
    self = try JSONDecoder().decode(UndoRow.self, from: Data(line))
    guard metatagUndo == UndoRow.form else {
      throw FileError(.unsupported, "has form \(metatagUndo), but this version reads form \(UndoRow.form)")
    }
    guard !changes.isEmpty, changes.allSatisfy(\.isWellFormed) else {
      throw FileError(.malformed, "has no changes, or a change without a valid folder or name")
    }
    guard Set(changes.map(\.sequence)).count == changes.count else {
      throw FileError(.malformed, "has two changes with the same number")
    }
    for entry in try entries() { _ = try entry.undo.map { undo throws(FileError) in try PackedSplices.unpacked(undo) } }
  }

  /// The row as JSON in one line.
  package var line: [UInt8] {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
      return Array(try encoder.encode(self))
    }
  }

  /// The paths of the files.
  package var paths: [FilePath] {
    changes.map { FilePath(bytes: Array($0.folder) + [0x2F] + Array($0.name)) }
  }
}

extension UndoRow {
  fileprivate init(_ entries: [JournalEntry], at path: FilePath, in journal: Journal, version: String) throws(FileError)
  {
    let first = entries.map(\.key.sequence).min() ?? 0
    let run = entries.first?.run ?? 0
    (id, metatagUndo, self.version) = ("\(run)-\(first)", UndoRow.form, version)
    (self.journal, self.run, self.path) = (journal.token, run, path.string)
    changes = try entries.map { entry throws(FileError) in
      let inverse = try journal.inverse(of: entry).splices
      // A row of an earlier version has no checksum, or its splices elsewhere.
      let entry = try entry.sealed(over: inverse)
      return Change(
        sequence: entry.sequence, folder: entry.folder, name: entry.name, scratch: entry.scratch,
        method: entry.method.rawValue, old: entry.old.packed, new: entry.new.packed, digest: entry.digest,
        oldHash: entry.oldHash, newHash: entry.newHash, group: entry.atomicGroup, checksum: entry.checksum ?? Data(),
        fingerprint: entry.fingerprint.map(Fingerprint.packed), origin: entry.origin.map { Data($0.path.bytes) },
        originState: entry.origin?.state.packed, undo: entry.undo ?? Data())
    }
  }

  /// The rows of the journal.
  func entries() throws(FileError) -> [JournalEntry] {
    try changes.map { change throws(FileError) in
      guard let method = JournalEntry.Method(rawValue: change.method) else {
        throw FileError(.malformed, "a change has no known method")
      }
      var entry = JournalEntry(
        run: run, sequence: change.sequence, folder: change.folder, name: change.name, scratch: change.scratch,
        method: method, old: try FileIdentity(packed: change.old), new: try FileIdentity(packed: change.new),
        digest: change.digest)
      entry.state = .cleaned
      (entry.oldHash, entry.newHash, entry.atomicGroup) = (change.oldHash, change.newHash, change.group)
      (entry.checksum, entry.undo) = (change.checksum, change.undo)
      entry.fingerprint = try change.fingerprint.map { packed throws(FileError) in try Fingerprint.unpacked(packed) }
      if let path = change.origin, let state = change.originState {
        entry.origin = JournalEntry.Origin(path: FilePath(bytes: Array(path)), state: try FileIdentity(packed: state))
      }
      return entry
    }
  }
}

extension UndoRow.Change {
  /// Whether its folder is an absolute path, and its names are names of files.
  fileprivate var isWellFormed: Bool {
    func isName(_ bytes: Data) -> Bool {
      !bytes.isEmpty && !bytes.contains(0) && !bytes.contains(0x2F) && bytes != Data(".".utf8)
        && bytes != Data("..".utf8)
    }
    func isPath(_ bytes: Data) -> Bool { bytes.first == 0x2F && !bytes.contains(0) }
    // In the trash, the row has a whole path.
    return isPath(folder) && isName(name) && scratch.map { isName($0) || isPath($0) } ?? true
      && origin.map(isPath) ?? true
  }
}

extension Journal {
  /// Calls `body` with a row for each photo that `run` changed and that can be undone.
  /// - Parameter version: The version of this program.
  package func undoRows(
    of run: RunID, _ selection: UndoSelection, version: String, _ body: (UndoRow) throws -> Void
  ) throws {
    for photo in try UndoOrder(of: run, in: self, selection).photos {
      let rows = try rows(of: photo)
      if let damaged = rows.damaged.first { throw damaged.error }
      guard let leader = photo.first?.path else { continue }
      try body(try UndoRow(rows.entries, at: leader, in: self, version: version))
    }
  }
}
