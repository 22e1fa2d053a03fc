import Foundation
import GRDB
import SystemPackage

/// The ways from the new file to the old one and back, as the journal holds them: what is written into photos.
extension Journal {
  /// The patch that takes `entry` back; empty where no byte changed.
  ///
  /// - Throws: `.malformed` unless it is what was recorded. Rows of older versions have no seal that could tell.
  package func inverse(of entry: JournalEntry) throws(FileError) -> Patch {
    let splices = try splices(.undo, of: entry)
    if let checksum = entry.checksum, try entry.checksum(over: splices) != checksum { throw damage(of: entry) }
    return try patch(splices, to: entry.new.size, of: entry)
  }

  /// The patch that does `entry`, whose `inverse` takes it back.
  ///
  /// - Throws: `.malformed` unless it is what was recorded.
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
      .malformed,
      "the journal in \(folder) is damaged: what run \(entry.run) noted of this file, to take its change back, is no "
        + "longer what it was; nothing was written")
  }
}

extension JournalEntry {
  /// SHA-256 of all that takes the change back: what of the row never changes, and `inverse`, the splices.
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
