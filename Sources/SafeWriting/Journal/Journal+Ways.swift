import Foundation
import GRDB
import SystemPackage

/// The recorded patches between the old and the new file. Undo and recovery write them into photos.
extension Journal {
  /// Returns the patch that takes `entry` back; it is empty if no byte changed.
  ///
  /// - Throws: `.malformed` if the row or its splices differ from what was recorded. Rows of older versions have no
  ///   checksum and are not checked.
  package func inverse(of entry: JournalEntry) throws(FileError) -> Patch {
    let splices = try splices(.undo, of: entry)
    if let checksum = entry.checksum, try entry.checksum(over: splices) != checksum { throw damage(of: entry) }
    return try patch(splices, to: entry.new.size, of: entry)
  }

  /// Returns the patch that makes the change `entry`; `inverse` takes it back.
  ///
  /// - Throws: `.malformed` if it is not what was recorded.
  package func redo(of entry: JournalEntry, inverse: Patch) throws(FileError) -> Patch {
    let splices = try splices(.redo, of: entry)
    let patch = try patch(splices, to: entry.old.size, of: entry)
    guard patch.newRanges == inverse.splices.map(\.range), splices.map(\.range) == inverse.newRanges,
      splices.map(\.use) == inverse.splices.map(\.use.inverse),
      try Bytes(splices.flatMap(\.bytes)).digest() == Array(entry.digest)
    else { throw damage(of: entry) }
    return patch
  }

  private func splices(_ direction: SpliceRow.Direction, of entry: JournalEntry) throws(FileError) -> [Splice] {
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

  private func patch(_ splices: [Splice], to count: Int, of entry: JournalEntry) throws(FileError) -> Patch {
    do {
      return try Patch(splices, to: count, imageData: [])
    } catch {
      throw damage(of: entry)
    }
  }

  func damage(of entry: JournalEntry) -> FileError {
    FileError(
      .damagedJournal,
      "the journal in \(folder) is damaged: what run \(entry.run) recorded of this file, to take its change back, has changed; nothing was written"
    )
  }
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
    for splice in inverse {
      add(splice.range.lowerBound, splice.range.upperBound, splice.bytes.count, splice.use.rawValue)
    }
    var hash = try SHA256()
    head.withUnsafeBytes { hash.update($0) }
    for splice in inverse { splice.bytes.withUnsafeBytes { hash.update($0) } }
    return Data(hash.finish())
  }
}
