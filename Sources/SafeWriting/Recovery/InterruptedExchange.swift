import Glibc
import SystemPackage

/// A change by exchange that was interrupted, and the content found under each of its names.
struct InterruptedExchange {
  /// The state of the photo in the end.
  enum Outcome {
    case old
    case new
    case unclear(String)
  }

  private let change: JournaledChange
  private let place: DirectoryEntry
  /// The name under which the new file was written; after an exchange it holds the old file.
  private let scratch: FilePath.Component
  /// The name of the old file on file systems that can't exchange names.
  private let backup: FilePath.Component
  private let copy: FullCopy
  private let photo: JournaledChange.Content
  private let held: [FilePath.Component: JournaledChange.Content]
  /// Whether another program wrote to one of our names: after the exchange the scratch name should hold the old file.
  private let isForeign: Bool

  init(
    _ change: JournaledChange, at place: DirectoryEntry, scratch: FilePath.Component, copy: FullCopy
  ) throws(FileError) {
    guard let backup = StagedFile.backup(of: scratch) else {
      throw FileError(.damagedJournal, "the journal is damaged: a scratch file has no name")
    }
    self.change = change
    self.place = place
    self.scratch = scratch
    self.backup = backup
    self.copy = copy
    photo = try change.content(of: place.name, in: place.folder)
    var held = [
      scratch: try change.content(of: scratch, in: place.folder),
      backup: try change.content(of: backup, in: place.folder),
    ]
    // A recovery that was cut off may have written only a part of the old file, or not its time (FAT: to 2 s).
    if let whole = copy.open(), try change.content(of: whole) == .old {
      for name in [scratch, backup] where held[name] == .old {
        let file = try DirectoryEntry(place.folder, name).open()
        let isTimed = abs(file.status.st_mtim.tv_sec - change.entry.old.modified.seconds) <= 2
        let isWhole = try file.count == whole.count ? file.begins(with: whole) : false
        if !isTimed || !isWhole { held[name] = .other }
      }
    }
    self.held = held
    // A file that the disk lost is empty; there is nothing to keep.
    let others = try held.filter { $0.value == .other }.keys.map { name throws(FileError) in
      try place.folder.status(of: name)?.st_size
    }
    // A program that opened the old file before the exchange may still write to it.
    let hasWriter = held.keys.contains { name in
      guard let file = try? DirectoryEntry(place.folder, name).open() else { return false }
      return Volume.hasWriter(file.file)
    }
    isForeign = hasWriter || others.contains { $0 != 0 }
  }

  /// The name under which the old file is kept next to the photo.
  private var displaced: FilePath.Component? { [backup, scratch].first { held[$0] == .old } }

  /// Finishes a change that the journal records as committed and on disk. The photo may have changed since, but the
  /// last copy of the old file is never removed.
  func clean() throws(FileError) -> Outcome {
    if photo == .missing, let displaced {
      return .unclear("no longer exists; its old version is kept in the same folder as \(displaced)")
    }
    return isForeign ? .unclear(kept) : .new
  }

  /// Makes the photo whole-new or whole-old.
  func settle() throws(FileError) -> Outcome {
    switch photo {
    case .new:
      guard !isForeign else { return .unclear(kept) }
      try place.folder.synchronizeVolume()
      return .new
    case .old: return .old
    case .missing:
      if let displaced {
        try place.folder.move(displaced, to: place.name)
        try place.folder.synchronizeVolume()
        return .old
      }
      if try restoreFromCopy() { return .old }
      return .unclear(
        held[scratch] == .missing
          ? Recovery.isAway
          : "no longer exists; its new version is kept in the same folder as \(scratch)")
    case .other:
      guard try isTorn() else {
        return .unclear("was changed by another program after the run was interrupted; not changed again\(remains)")
      }
      if let displaced {
        // The new file had replaced it, and the disk then lost the new file.
        guard try place.folder.exchange(displaced, place.name) else {
          try place.folder.remove(place.name)
          try place.folder.move(displaced, to: place.name)
          try place.folder.synchronizeVolume()
          return .old
        }
        try place.folder.synchronizeVolume()
        return .old
      }
      return try restoreFromCopy() ? .old : .unclear("is neither the old nor the new version")
    }
  }

  /// Makes the photo whole-old, even if the change was completed.
  func takeBack() throws(FileError) -> Outcome {
    guard photo == .new else { return try settle() }
    guard let displaced else {
      return try restoreFromCopy() ? .old : .unclear("is changed, but its old version is missing")
    }
    if try !place.folder.exchange(displaced, place.name) {
      try place.folder.move(place.name, to: displaced == scratch ? backup : scratch)
      try place.folder.move(displaced, to: place.name)
    }
    try place.folder.synchronizeVolume()
    return .old
  }

  /// Removes what is left next to the photo, once the photo is settled.
  func letGo() throws(FileError) {
    try place.folder.remove(scratch)
    try place.folder.remove(backup)
    copy.remove()
  }

  /// A sentence part listing what is kept next to a photo that is left as it is.
  private var remains: String {
    [scratch, backup].map { name in
      switch held[name] {
      case .old: "; its old version is kept next to it as \(name)"
      case .new: "; its new version is kept next to it as \(name)"
      case .other: "; another version is kept next to it as \(name)"
      case .missing, nil: ""
      }
    }.joined()
  }

  private var kept: String {
    "is changed; another program wrote to the old file or has it open for writing, so it is kept as \(scratch)"
  }

  /// Whether the photo's name holds a file of ours that the disk lost part of: it is empty, or its modification time is
  /// one we set (within the 2 s precision of FAT), and no part of it was written by anything else.
  private func isTorn() throws(FileError) -> Bool {
    guard let status = try place.folder.status(of: place.name), status.st_mode & S_IFMT == S_IFREG else { return false }
    if status.st_size == 0 { return true }
    let times = [change.entry.old.modified.seconds, change.entry.new.modified.seconds]
    guard times.contains(where: { abs($0 - status.st_mtim.tv_sec) <= 2 }) else { return false }
    let displaced = try displaced.map { name throws(FileError) in try DirectoryEntry(place.folder, name).open() }
    guard let old = displaced ?? copy.open() else { return false }
    return try change.isPart(place.open(), ofChanging: old)
  }

  /// Replaces the photo with the copy kept next to the journal.
  private func restoreFromCopy() throws(FileError) -> Bool {
    guard let copy = copy.open(), try change.content(of: copy) == .old else { return false }
    let folder = place.folder
    try folder.remove(backup)
    let file = try ScratchFile(backup, in: folder)
    try file.write(try Patch([], to: copy.count, imageData: []), of: copy)
    if try folder.status(of: place.name) != nil {
      let torn = try place.open()
      try Attributes.copy(from: torn.file, torn.status, to: file.descriptor)
    }
    try Attributes.setTimes(file.descriptor, accessed: nil, modified: change.entry.old.modified)
    try folder.synchronizeVolume()
    try folder.remove(place.name)
    try folder.move(backup, to: place.name)
    try folder.synchronizeVolume()
    return true
  }
}
