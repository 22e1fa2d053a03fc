import SystemPackage

/// Settles interrupted moves to the trash and back.
extension Recovery {
  /// Determines whether a file is in the trash. Files that were to be moved together all move, or none.
  mutating func settleTrashing(
    _ entry: JournalEntry, _ trashed: FilePath, at place: DirectoryEntry
  ) throws(FileError) {
    let move = entry.reversed(trashed)
    guard try entry.isMoved(to: trashed) else {
      if entry.method == .trashing { move.removeDescription() }
      return try conclude(entry, .failed, Journal.cutOff)
    }
    guard try !mustGoBack(entry) else {
      try move.make()
      return try conclude(entry, .failed, Journal.cutOff)
    }
    if entry.method == .untrashing { move.removeDescription() }
    try place.folder.synchronizeVolume()
    try conclude(entry, .committed, at: nil)
    try conclude(entry, .cleaned, at: nil)
  }
}
