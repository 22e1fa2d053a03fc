/// Changes of names: renaming, and moves to the trash and back.
extension Rewriter {
  /// Changes the names of files that belong together, all or none. Durable when this returns. If the disk or the journal
  /// fails, the files have their old names again.
  /// - Parameters:
  ///   - entries: The rows of the changes, which are recorded first.
  ///   - change: The change in words, for an error about files that have neither lasting nor old names.
  ///   - make: Changes the name of one file.
  ///   - takeBack: Gives one file its old name back.
  ///   - synchronize: Waits until the names are on disk, and completes the rows.
  /// - Throws: `.notDurable` if a name could neither be made to last nor be taken back; recovery settles it.
  func changeNames(
    _ entries: [JournalEntry], _ change: String, make: (Int) throws(FileError) -> Void,
    takeBack: (Int) throws(FileError) -> Void, synchronize: (inout [JournalEntry]) throws(FileError) -> Void
  ) throws(FileError) {
    var entries = entries
    try journal.record(
      entries.map { entry throws(FileError) in (entry, try Patch([], to: entry.old.size, imageData: []), nil) })
    var made = 0
    do throws(FileError) {
      for index in entries.indices {
        try make(index)
        made += 1
      }
      try synchronize(&entries)
      for index in entries.indices { entries[index].state = .committed }
      try journal.update(entries)
    } catch {
      do throws(FileError) {
        for index in (0..<made).reversed() { try takeBack(index) }
      } catch let obstacle {
        throw .notDurable(change, error, obstacle)
      }
      if made > 0 {
        do throws(FileError) { try synchronize(&entries) } catch {
          // After a power failure they may have their new names. Recovery settles the rows.
          throw FileError(
            .notDurable, "has its old name again, but after a power failure it may not: \(error.description)",
            remedy: .nextRun)
        }
      }
      for index in entries.indices { (entries[index].state, entries[index].reason) = (.failed, error.description) }
      // If this fails, recovery finds the old names.
      try? journal.update(entries)
      throw error
    }
    // If this fails, recovery finds the files done.
    for index in entries.indices { entries[index].state = .cleaned }
    try? journal.update(entries)
  }
}

extension FileError {
  /// Creates the error of a change that could neither be made to last for certain nor be taken back.
  static func notDurable(_ change: String, _ error: FileError, _ obstacle: FileError) -> FileError {
    FileError(
      .notDurable,
      "\(change), which may not last: \(error.description); it could not be taken back: \(obstacle.description)",
      remedy: .nextRun)
  }
}
