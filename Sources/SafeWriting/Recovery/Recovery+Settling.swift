import Glibc
import SystemPackage

/// Settles interrupted changes of new, removed and renamed files, and of the times of files.
extension Recovery {
  /// Settles a new file that was interrupted while it was being named: it keeps its final name, or it is removed.
  mutating func settleCreation(
    _ change: JournaledChange, at place: DirectoryEntry, scratch: FilePath.Component
  ) throws(FileError) {
    let entry = change.entry
    guard entry.state == .staged else { return try conclude(entry, .cleaned, at: place) }
    // While the scratch file exists, the file under the final name is not ours.
    let names = [scratch] + [StagedFile.staging(of: scratch)].compactMap(\.self)
    let isThere = try names.map { name throws(FileError) in try place.folder.status(of: name) != nil }
    if !isThere.contains(true) {
      if try change.content(of: place.name, in: place.folder) == .new {
        if try mustGoBack(entry) {
          try place.folder.remove(place.name)
          return try conclude(entry, .failed, Journal.cutOff)
        }
        try place.folder.synchronizeVolume()
        try conclude(entry, .committed, at: place)
        return try conclude(entry, .cleaned, at: place)
      }
      guard let status = try place.folder.status(of: place.name) else {
        return try conclude(entry, .failed, Journal.cutOff)
      }
      guard status.st_size == 0, abs(status.st_mtim.tv_sec - entry.new.modified.seconds) <= 2 else {
        return try conclude(
          entry, .conflict, "is not the file that the interrupted run wrote; not changed")
      }
      // The disk lost its content: the modification time is the one we set, within the 2 s precision of FAT.
      try place.folder.remove(place.name)
    }
    guard removesFiles else { return }
    for name in names { try place.folder.remove(name) }
    try conclude(entry, .failed, Journal.cutOff)
  }

  /// Settles a removal that was interrupted: the file is gone, or it is as it was.
  mutating func settleRemoval(
    _ entry: JournalEntry, at place: DirectoryEntry, scratch: FilePath.Component
  ) throws(FileError) {
    let folder = place.folder
    guard try folder.status(of: scratch) != nil else {
      if entry.state == .committed { return try conclude(entry, .cleaned, at: place) }
      guard try folder.status(of: place.name) != nil else {
        return try conclude(entry, .conflict, Recovery.isAway)
      }
      return try conclude(entry, .failed, Journal.cutOff)
    }
    let file = try DirectoryEntry(folder, scratch).open()
    guard let hash = entry.oldHash, file.count == entry.old.size, try file.digest() == Array(hash) else {
      return try conclude(
        entry, .conflict, "was changed by another program while it was being removed; kept next to it as \(scratch)")
    }
    if entry.state == .staged {
      if try mustGoBack(entry) {
        try folder.move(scratch, to: place.name)
        try folder.synchronizeVolume()
        return try conclude(entry, .failed, Journal.cutOff)
      }
      try folder.synchronizeVolume()
      try conclude(entry, .committed, at: place)
    }
    guard removesFiles else { return }
    try folder.remove(scratch)
    noteRemoved(entry, from: folder)
  }
}

extension Recovery {
  /// Determines which of two names the file has. Files that were to be renamed together all get their new names if one
  /// of them has it; otherwise none does.
  mutating func settleRenaming(_ entry: JournalEntry, at place: DirectoryEntry) throws(FileError) {
    if entry.state == .committed { return try conclude(entry, .cleaned, at: place) }
    guard let target = entry.target?.lastComponent else { throw journal.damage(of: entry) }
    if try !isRenamed(entry) {
      guard try place.folder.identity(of: place.name)?.hasSizeAndTime(of: entry.old) == true else {
        if try place.folder.status(of: place.name) == nil, try place.folder.status(of: target) != nil {
          // It has its new name, and was changed since: another process may have continued an undo. As the file may also be
          // another one, its identity isn't recorded, and only a restored file gets the old name back.
          try place.folder.synchronizeVolume()
          try conclude(entry, .committed, at: nil)
          return try conclude(entry, .cleaned, at: nil)
        }
        return try conclude(entry, .conflict, "was moved or changed while it was being renamed; not changed again")
      }
      guard try mustBeRenamed(entry) else {
        return try conclude(entry, .failed, Journal.cutOff)
      }
      guard try place.folder.status(of: target) == nil else {
        return try conclude(entry, .conflict, "keeps its name: another file has the new name, \(target)")
      }
      try place.folder.move(place.name, to: target)
    }
    try place.folder.synchronizeVolume()
    let renamed = DirectoryEntry(place.folder, target)
    try conclude(entry, .committed, at: renamed)
    try conclude(entry, .cleaned, at: renamed)
  }

  /// Whether another file that was to be renamed with it has its new name.
  private func mustBeRenamed(_ entry: JournalEntry) throws(FileError) -> Bool {
    for mate in try journal.entries(inGroupOf: entry) where mate.key != entry.key {
      if [.committed, .cleaned].contains(mate.state) { return true }
      if try isRenamed(mate) { return true }
    }
    return false
  }

  /// Whether it has its new name; it may have been written to since.
  func isRenamed(_ entry: JournalEntry) throws(FileError) -> Bool {
    guard let name = entry.path.lastComponent, let target = entry.target?.lastComponent else { return false }
    let folder = try Directory(entry.folderPath)
    guard let now = try folder.identity(of: target) else { return false }
    if now.inode == entry.old.inode, now.hasSizeAndTime(of: entry.old) { return true }
    // The device may have another number after a restart, and the file another inode on some file systems.
    let isSame = (now.device, now.inode) == (entry.old.device, entry.old.inode) || now.hasSizeAndTime(of: entry.old)
    guard isSame else { return false }
    return try folder.status(of: name) == nil
  }
}

extension Recovery {
  /// Determines which of two times the file has. Some file systems store times with a precision of only two seconds.
  mutating func settleTimes(_ entry: JournalEntry, at place: DirectoryEntry) throws(FileError) {
    if entry.state == .committed { return try conclude(entry, .cleaned, at: place) }
    guard let now = try place.folder.identity(of: place.name), now.size == entry.old.size else {
      return try conclude(
        entry, .conflict, "was moved or changed while its modification time was being set; not changed again")
    }
    if now.modified == entry.old.modified {
      try conclude(entry, .failed, Journal.cutOff)
    } else if abs(now.modified.seconds - entry.new.modified.seconds) <= 2 {
      try place.folder.synchronizeVolume()
      try conclude(entry, .committed, at: place)
      try conclude(entry, .cleaned, at: place)
    } else {
      try conclude(entry, .conflict, "was changed by another program after the run was interrupted; not changed again")
    }
  }
}

extension Journal {
  /// Returns the changes of interrupted runs that recovery would find done, by run, without changing anything. Empty
  /// while a process is at work, because its changes are still undecided.
  ///
  /// - Throws: `FileError.Kind.io` when the journal can't be read.
  package func unnoted() throws(FileError) -> [RunID: UnnotedChanges] {
    guard !isWritten else { return [:] }
    let recovery = Recovery(journal: self)
    var counts: [RunID: UnnotedChanges] = [:]
    for entry in try unsettled().entries where entry.state == .staged {
      // If a photo can't be reached or a row can't be read, the photo doesn't count as changed.
      guard (try? recovery.isDone(entry)) == true else { continue }
      switch entry.method {
      case .creation, .copy: counts[RunID(entry.run), default: .init()].created += 1
      case .exchange, .inPlace, .renaming, .times, .removal, .trashing, .untrashing:
        counts[RunID(entry.run), default: .init()].changed += 1
      }
      guard let undoes = entry.undoes else { continue }
      counts[RunID(undoes.run), default: .init()].undone += 1
    }
    return counts
  }
}

extension Recovery {
  /// Whether recovery will find a change that was begun completed.
  fileprivate func isDone(_ entry: JournalEntry) throws(FileError) -> Bool {
    switch entry.method {
    case .renaming: return try isRenamed(entry)
    case .times:
      guard let name = entry.path.lastComponent else { return false }
      let now = try Directory(entry.folderPath).identity(of: name)?.modified
      return now != nil && now != entry.old.modified
    case .exchange, .inPlace, .creation, .copy, .removal, .trashing, .untrashing:
      return try isNew(entry) ? !mustGoBack(entry) : false
    }
  }
}
