/// Changes whose leftover files next to photos are removed. The journal forgets them only when that is on disk:
/// otherwise the files could reappear after a power failure, with no record of them.
struct Removals {
  private(set) var keys: [JournalEntry.Key] = []
  /// An open folder on each file system from which a name was removed.
  private var volumes: [UInt64: Directory] = [:]

  /// - Parameter folder: The folder from which a name was removed; nil if only the row is left.
  mutating func add(_ key: JournalEntry.Key, on device: UInt64, from folder: Directory?) {
    keys.append(key)
    if let folder { add(folder, on: device) }
  }

  /// Adds a folder from which a name was removed that the journal has no row for.
  mutating func add(_ folder: Directory, on device: UInt64) { volumes[device] = volumes[device] ?? folder }

  /// Flushes the removals to disk, each file system once, and records in the journal that nothing is left to do.
  /// Returns false if a disk fails; then the rows stay, and the next recovery looks again.
  mutating func settle(in journal: Journal) throws(FileError) -> Bool {
    defer { self = Removals() }
    for folder in volumes.values where (try? folder.synchronizeVolume()) == nil { return false }
    try journal.noteCleaned(keys)
    return true
  }
}
