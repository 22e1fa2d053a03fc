import Foundation
import Glibc
package import SystemPackage

/// A new modification time for a file whose bytes don't change.
package struct TimeChange {
  package let path: FilePath
  /// The present identity of the file.
  package let old: FileIdentity
  package let modified: FileTime
  /// The journal row that this change takes back.
  package let undone: JournalEntry.Key?

  package init(_ path: FilePath, from old: FileIdentity, to modified: FileTime, undoing undone: JournalEntry.Key? = nil)
  {
    self.path = path
    self.old = old
    self.modified = modified
    self.undone = undone
  }
}

extension Rewriter {
  /// Sets the modification times of files together, and returns the result for each, in order; durable when this
  /// returns. The journal records the changes first. Access times are kept.
  package func setTimes(_ changes: [TimeChange]) -> [Result<Void, FileError>] {
    var results: [Result<Void, FileError>] = []
    var rows: [(index: Int, place: DirectoryEntry, entry: JournalEntry)] = []
    for (index, change) in changes.enumerated() {
      do throws(FileError) {
        let place = try DirectoryEntry.retiming(change.path)
        rows.append((index, place, JournalEntry(change, of: self, at: place)))
        results.append(.success(()))
      } catch {
        results.append(.failure(error))
      }
    }
    // The rows whose files have had their new time.
    var made: Set<Int> = []
    let folders = Dictionary(rows.map { ($0.entry.old.device, $0.place.folder) }) { first, _ in first }
    do throws(FileError) {
      try journal.record(
        rows.map { row throws(FileError) in
          (row.entry, try Patch([], to: row.entry.old.size, imageData: []), nil)
        })
      for row in rows.indices {
        do throws(FileError) {
          rows[row].entry.new = try rows[row].place.setTime(rows[row].entry)
          made.insert(row)
        } catch {
          results[rows[row].index] = .failure(error)
          // The file has its new time if that could not be taken back.
          guard error.code != .notDurable else { continue }
          rows[row].entry.state = error.kind == .conflict ? .conflict : .failed
          rows[row].entry.reason = error.description
        }
      }
      for folder in folders.values { try folder.synchronizeVolume() }
      for row in rows.indices where rows[row].entry.state == .staged { rows[row].entry.state = .committed }
      try journal.update(rows.map(\.entry))
    } catch {
      // Those that have a new time already get the old one back. If that fails, recovery settles them.
      for row in rows.indices where (try? results[rows[row].index].get()) != nil {
        let final = rows[row].place.takeBack(rows[row].entry, error)
        results[rows[row].index] = .failure(final)
        guard final.code != .notDurable else { continue }
        (rows[row].entry.state, rows[row].entry.reason) = (.failed, error.description)
      }
      // If one of these fails, recovery settles the rows.
      do throws(FileError) { for folder in folders.values { try folder.synchronizeVolume() } } catch {
        let uncertain = FileError(
          .notDurable, "has its old time again, but after a power failure it may not: \(error.description)",
          remedy: .nextRun)
        for row in made where rows[row].entry.state == .failed { results[rows[row].index] = .failure(uncertain) }
        return results
      }
      try? journal.update(rows.map(\.entry).filter { $0.state != .staged && $0.state != .committed })
      return results
    }
    // If this fails, recovery finds the files done.
    for row in rows.indices where rows[row].entry.state == .committed { rows[row].entry.state = .cleaned }
    try? journal.update(rows.map(\.entry).filter { $0.state == .cleaned })
    return results
  }
}

extension JournalEntry {
  fileprivate init(_ change: TimeChange, of rewriter: Rewriter, at place: DirectoryEntry) {
    var new = change.old
    new.modified = change.modified
    self.init(
      run: rewriter.run.rawValue, sequence: rewriter.nextSequence(), folder: Data(place.folder.path.bytes),
      name: Data(place.name.bytes), scratch: nil, method: .times, old: change.old, new: new, digest: Data(),
      undoesRun: change.undone?.run, undoesSequence: change.undone?.sequence)
  }
}

extension DirectoryEntry {
  /// Returns the location of the file at `path` if its time can be changed.
  package static func retiming(_ path: FilePath) throws(FileError) -> DirectoryEntry {
    let place = try DirectoryEntry(resolving: path)
    if let status = try place.folder.status(of: place.name) { try place.refuseUnlessWritable(status) }
    return place
  }

  /// Sets the time in the entry; returns the file's new identity.
  fileprivate func setTime(_ entry: JournalEntry) throws(FileError) -> FileIdentity {
    let descriptor = try folder.open(name, O_RDONLY)
    guard try FileIdentity(of: descriptor) == entry.old else { throw FileError.changedMeanwhile }
    try refuseIfOpenForWriting(descriptor)
    try Attributes.setTimes(descriptor, accessed: nil, modified: entry.new.modified)
    let new: FileIdentity
    do throws(FileError) { new = try FileIdentity(of: descriptor) } catch { throw takeBack(entry, error) }
    // Some file systems store times with a precision of two seconds, and no year before 1901 or after 2446.
    guard abs(new.modified.seconds - entry.new.modified.seconds) <= 2 else {
      try Attributes.setTimes(descriptor, accessed: nil, modified: entry.old.modified)
      throw FileError(
        .attributesNotKept,
        "its file system can't store the time \(Instant(entry.new.modified).inUTC ?? "requested")")
    }
    return new
  }

  /// Gives the file its old time back, because it isn't certain that the new one would last. Returns the error to report.
  fileprivate func takeBack(_ entry: JournalEntry, _ error: FileError) -> FileError {
    do throws(FileError) {
      let descriptor = try folder.open(name, O_RDONLY)
      let now = try FileIdentity(of: descriptor)
      // It has its old time, or another program has changed it since.
      guard now.modified != entry.old.modified, now.isSameContent(as: entry.new) else { return error }
      try Attributes.setTimes(descriptor, accessed: nil, modified: entry.old.modified)
      return error
    } catch let obstacle {
      return .notDurable("has its new time", error, obstacle)
    }
  }
}
