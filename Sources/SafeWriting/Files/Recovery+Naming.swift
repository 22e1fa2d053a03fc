import Glibc
import SystemPackage

extension Recovery {
  /// Settles a new file that was interrupted while it was being named: it keeps its final name, or it is removed.
  mutating func settleCreation(
    _ change: JournaledChange, at place: DirectoryEntry, scratch: FilePath.Component
  ) throws(FileError) {
    let entry = change.entry
    guard entry.state == .staged else { return try conclude(entry, .cleaned, at: place) }
    // While the scratch name exists, the file under the final name is not ours.
    if try place.folder.status(of: scratch) == nil {
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
          entry, .conflict, "is not the file that was written there before the run was cut off; it is left as it is")
      }
      // The disk lost its content: the modification time is the one we set, within the 2 s precision of FAT.
      try place.folder.remove(place.name)
    }
    try place.folder.remove(scratch)
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
        entry, .conflict, "was written to by another program while it was removed; it is kept beside it as \(scratch)")
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
    try folder.remove(scratch)
    noteRemoved(entry, from: folder)
  }
}
