import Glibc
import SystemPackage

/// A change by exchange that was interrupted, and the content found under each of its names.
struct InterruptedExchange {
  /// The state of the photo in the end.
  enum Outcome {
    case old
    case new
    /// It is the new one, but no longer there; the old one is kept in the folder.
    case away(String)
    case unclear(String)
  }

  private let change: JournaledChange
  private let place: DirectoryEntry
  /// The name under which the new file was written; after an exchange it holds the old file.
  private let scratch: FilePath.Component
  /// The name of the old file on file systems that can't exchange names.
  private let backup: FilePath.Component
  /// The name of the new file before the exchange; nil if it has another one by now.
  private let staging: FilePath.Component?
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
    let staging = StagedFile.staging(of: scratch)
    self.staging = try staging.flatMap { name throws(FileError) in
      try place.folder.status(of: name) == nil ? nil : name
    }
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
    if photo == .other, displaced != nil {
      return .unclear("was changed by another program after the run was interrupted\(remains)")
    }
    return isForeign ? .unclear(kept) : .new
  }

  /// Whether the photo has the new content although its new file still has a name of ours: another run made the same change
  /// since, as another worker of the same job does.
  private func isMadeByAnother() throws(FileError) -> Bool {
    // After a power failure on FAT, both names can lead to the same file, with different numbers.
    guard photo == .new, !held.values.contains(.old), let own = staging ?? (held[scratch] == .new ? scratch : nil),
      !Volume(of: place.folder.descriptor).isFAT
    else { return false }
    return try place.folder.status(of: own)?.st_ino != place.folder.status(of: place.name)?.st_ino
  }

  /// Makes the photo whole-new or whole-old.
  func settle() throws(FileError) -> Outcome {
    switch photo {
    case .new where try isMadeByAnother(): return .old
    case .new:
      guard !isForeign else { return .unclear(kept) }
      try place.folder.synchronizeVolume()
      return .new
    case .old:
      // Another file with the old content may have the photo's name now, and the photo and its files be elsewhere.
      guard staging == nil, held.values.allSatisfy({ $0 == .missing }),
        let status = try place.folder.status(of: place.name),
        !Volume(of: place.folder.descriptor).mayBe(status, change.entry.old)
      else { return .old }
      return .unclear(Recovery.isAway)
    case .missing
    where staging != nil && held.values.allSatisfy({ $0 == .missing })
      && Volume(of: place.folder.descriptor).keepsOrder:
      // The photo was moved before the exchange: the new file is only a copy.
      return .old
    case .missing:
      // Elsewhere, a power failure can lose one of the two names.
      if held[scratch] == .old, Volume(of: place.folder.descriptor).keepsOrder {
        return .away("was moved or removed after the run was interrupted; its old version is kept as \(scratch)")
      }
      if let displaced {
        try place.folder.move(displaced, to: place.name)
        try place.folder.synchronizeVolume()
        return .old
      }
      if try restoreFromCopy() { return .old }
      // The photo can come back as it was if nothing else has its bytes.
      return .unclear(
        held[scratch] == .missing || held[scratch] == .new && Volume(of: place.folder.descriptor).keepsOrder
          ? Recovery.isAway
          : "no longer exists; its new version is kept in the same folder as \(scratch)")
    case .other:
      guard try isTorn() else {
        return .unclear("was changed by another program after the run was interrupted; not changed again\(remains)")
      }
      return try replaceTorn()
    }
  }

  /// Gives the photo its old content again after the disk lost part of the new one. What is there is kept, unless it is
  /// empty: another program may have written it all the same.
  private func replaceTorn() throws(FileError) -> Outcome {
    let folder = place.folder
    let isEmpty = try folder.status(of: place.name)?.st_size == 0
    if !isEmpty, let displaced, try folder.exchange(displaced, place.name) {
      try folder.synchronizeVolume()
      return .unclear(torn(keptAs: displaced))
    }
    let aside = isEmpty ? nil : displaced == scratch ? backup : scratch
    if let displaced {
      try free(place.name, movingTo: aside)
      try folder.move(displaced, to: place.name)
      try folder.synchronizeVolume()
    } else if try !restoreFromCopy(movingTo: aside) {
      return .unclear("is neither the old nor the new version")
    }
    return aside.map { .unclear(torn(keptAs: $0)) } ?? .old
  }

  private func torn(keptAs name: FilePath.Component) -> String {
    "was damaged when the run was interrupted. It is the old version again, and what was there is kept as \(name)"
  }

  /// Renames a file, or removes it if it gets no name.
  private func free(_ name: FilePath.Component, movingTo aside: FilePath.Component?) throws(FileError) {
    if let aside { try place.folder.move(name, to: aside) } else { try place.folder.remove(name) }
  }

  /// Makes the photo whole-old, even if the change was completed.
  func takeBack() throws(FileError) -> Outcome {
    guard photo == .new, try !isMadeByAnother() else { return try settle() }
    guard try isUntouched(place.name, since: change.entry.new), try !Volume.hasWriter(place.open().file) else {
      return .unclear("was changed by another program after the run was interrupted; not taken back\(remains)")
    }
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

  /// Removes what is left next to the photo, once the photo is settled: our new file, the old one if the change can be undone,
  /// and what the photo holds, too. Returns the names of files that something else has written; they are kept.
  func letGo(photoIsNew: Bool) throws(FileError) -> [FilePath.Component] {
    var kept: [FilePath.Component] = []
    for name in [scratch, backup, staging].compactMap(\.self) {
      guard try place.folder.status(of: name) != nil else { continue }
      // A new file that was not exchanged holds nothing else; the disk may have lost a part of it.
      var isNeedless = name == staging
      if !isNeedless { isNeedless = try isUntouched(name, since: change.entry.new) }
      if !isNeedless, photoIsNew { isNeedless = try isUntouched(name, since: change.entry.old) }
      if !isNeedless { isNeedless = (try? place.folder.holdsAll(of: name, among: [place.name])) ?? false }
      let isWritten = (try? Volume.hasWriter(DirectoryEntry(place.folder, name).open().file)) ?? false
      if isNeedless, !isWritten {
        try place.folder.remove(name)
      } else {
        kept.append(name)
      }
    }
    if kept.isEmpty { copy.remove() }
    return kept
  }

  /// Whether a file is the recorded one, and nothing has written to it.
  private func isUntouched(_ name: FilePath.Component, since recorded: FileIdentity) throws(FileError) -> Bool {
    guard let now = try place.folder.identity(of: name), now.size == recorded.size else { return false }
    let volume = Volume(of: place.folder.descriptor)
    // FAT has a precision of two seconds. It and FUSE have no lasting file numbers.
    if volume.isFAT { return abs(now.modified.seconds - recorded.modified.seconds) <= 2 }
    return now.modified == recorded.modified && (!volume.keepsOrder || now.inode == recorded.inode)
  }

  /// A sentence part listing what is kept next to a photo that is left as it is.
  private var remains: String {
    [scratch, backup, staging].compactMap(\.self).map { name in
      switch name == staging ? .new : held[name] {
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

  /// Whether the photo's name holds our new file, and the disk lost part of it: it is empty, or it is the same file with the
  /// time that we set, and no part of it was written by anything else.
  private func isTorn() throws(FileError) -> Bool {
    guard let status = try place.folder.status(of: place.name), status.st_mode & S_IFMT == S_IFREG else { return false }
    if status.st_size == 0 { return true }
    let (now, new) = (FileIdentity(status), change.entry.new)
    // FAT has no lasting file numbers, and a precision of two seconds.
    let isOurs =
      Volume(of: place.folder.descriptor).isFAT
      ? abs(now.modified.seconds - new.modified.seconds) <= 2 : (now.inode, now.modified) == (new.inode, new.modified)
    guard isOurs, staging == nil, held[scratch] != .new else { return false }
    let displaced = try displaced.map { name throws(FileError) in try DirectoryEntry(place.folder, name).open() }
    guard let old = displaced ?? copy.open() else { return false }
    return try change.isPart(place.open(), ofChanging: old)
  }

  /// Replaces the photo with the copy kept next to the journal; returns whether it could.
  /// - Parameter aside: The name to keep the photo's file under; nil to remove it.
  private func restoreFromCopy(movingTo aside: FilePath.Component? = nil) throws(FileError) -> Bool {
    guard let copy = copy.open(), try change.content(of: copy) == .old else { return false }
    let folder = place.folder
    if try folder.status(of: backup) != nil {
      // Unless it is what an earlier recovery had begun, something else has written to it; or FAT has lost a part of it.
      let isBegun = try copy.begins(with: DirectoryEntry(folder, backup).open())
      guard isBegun || Volume(of: folder.descriptor).isFAT else { return false }
      try folder.remove(backup)
    }
    let file = try ScratchFile(backup, in: folder)
    try file.write(try Patch([], to: copy.count, imageData: []), of: copy)
    if try folder.status(of: place.name) != nil {
      let torn = try place.open()
      try Attributes.copy(from: torn.file, torn.status, to: file.descriptor)
    }
    try Attributes.setTimes(file.descriptor, accessed: nil, modified: change.entry.old.modified)
    try folder.synchronizeVolume()
    try free(place.name, movingTo: aside)
    try folder.move(backup, to: place.name)
    try folder.synchronizeVolume()
    return true
  }
}
