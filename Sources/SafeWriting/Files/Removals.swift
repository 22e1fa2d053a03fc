/// Changes of which all is removed that lay beside their photos. The journal forgets them once that is on the disk: else
/// the power may go, and the files come back when nobody knows of them any more.
struct Removals {
  private(set) var keys: [JournalEntry.Key] = []
  /// Of each file system on which a name went, a folder.
  private var volumes: [UInt64: Directory] = [:]

  /// - Parameter folder: Where a name went; nil where only the row is left.
  mutating func add(_ key: JournalEntry.Key, on device: UInt64, from folder: Directory?) {
    keys.append(key)
    if let folder { add(folder, on: device) }
  }

  /// A name went there of which the journal has no row.
  mutating func add(_ folder: Directory, on device: UInt64) { volumes[device] = volumes[device] ?? folder }

  /// Brings them to the disk, each file system once, and notes in the journal that nothing is left to do. False where a
  /// disk couldn't: then the rows stay, and the next recovery looks again.
  mutating func settle(in journal: Journal) throws(FileError) -> Bool {
    defer { self = Removals() }
    for folder in volumes.values where (try? folder.synchronizeVolume()) == nil { return false }
    try journal.noteCleaned(keys)
    return true
  }
}
