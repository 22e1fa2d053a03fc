import Glibc
import SystemPackage

/// Commits a group of staged files step by step. If the process is killed between any two steps, recovery can settle
/// the group.
package struct GroupCommit: Sendable {
  let journal: any ChangeJournal
  /// An open folder on each file system, opened for this group alone: the kernel reports a write-back error once to
  /// every open file description, and another group may be committed at the same time.
  private let volumes: [UInt64: Result<Directory, FileError>]
  private let files: [StagedFile]
  /// The state of each file, as the journal will record it.
  private var entries: [JournalEntry]
  private var errors: [FileError?]
  /// The name of the old file once the new one has replaced it.
  private var displaced: [FilePath.Component?]
  private var isRecorded = false
  /// Files edited in place to which this commit has begun to write.
  private var written: Set<Int> = []
  /// Files that are neither old nor new for certain. Their rows stay unchanged for recovery.
  private var unsettled: Set<Int> = []

  init(_ files: [StagedFile], journal: any ChangeJournal) {
    self.journal = journal
    var volumes: [UInt64: Result<Directory, FileError>] = [:]
    for file in files where volumes[file.entry.old.device] == nil {
      volumes[file.entry.old.device] = Result { () throws(FileError) in try Directory(again: file.place.folder) }
    }
    self.volumes = volumes
    self.files = files
    entries = files.map { file in
      var entry = file.entry
      // A photo that is edited in place is the old one until the first step of the edit.
      if file.edit != nil { entry.new = entry.old }
      return entry
    }
    errors = Array(repeating: nil, count: files.count)
    displaced = errors.map { _ in nil }
  }

  var results: [Result<Void, FileError>] {
    errors.map { error in error.map { .failure($0) } ?? .success(()) }
  }

  /// Step 1: records the changes, and how to take them back, on disk before anything happens.
  mutating func record() {
    do throws(FileError) {
      try FullCopy.synchronize(journal)
      try journal.record(
        files.map { ($0.entry, $0.inverse, $0.edit == nil ? nil : $0.patch) })
      isRecorded = true
    } catch {
      for i in pending { fail(i, error) }
    }
    for i in pending {
      do throws(FileError) { try files[i].refuseIfOpenForWriting() } catch { fail(i, error) }
    }
    failMates()
  }

  /// Step 2: flushes the scratch files, and what edits in place write to unreferenced areas.
  mutating func prepare() {
    step(where: \.prepares) { _, edit, descriptor throws(FileError) in try edit.prepare(descriptor) }
    synchronize { $0?.prepares ?? true }
  }

  /// Step 3: verifies what the disk holds.
  mutating func verify() {
    // Start reading all of them at once.
    for i in pending { files[i].scratch?.forget() }
    for i in pending {
      guard let scratch = files[i].scratch else { continue }
      do throws(FileError) { try files[i].verify(try FileSource(duplicating: scratch.descriptor)) } catch {
        fail(i, error)
      }
    }
    failMates()
  }

  /// Step 4: checks that each photo is still the one that was read, and makes it the new one.
  mutating func swap() {
    // A file may have been taken back because its atomic group failed; it is then no longer pending.
    for i in files.indices where errors[i] == nil {
      do throws(FileError) {
        switch files[i].method {
        case .exchange(let scratch):
          try files[i].refuseUnlessUnchanged()
          try files[i].refuseIfOpenForWriting()
          try files[i].exchange(with: scratch, displaced: &displaced[i])
          entries[i].new = try FileIdentity(of: scratch.descriptor)
        case .inPlace(let edit, _):
          entries[i].new = try files[i].step(from: entries[i].new) { descriptor throws(FileError) in
            written.insert(i)
            try edit.decide(descriptor)
            if !edit.finishes { try files[i].setTimes(descriptor) }
          }
        case .creation(let scratch), .copy(let scratch):
          try files[i].refuseIfOriginChanged()
          try files[i].appear(from: scratch, displaced: &displaced[i])
          try files[i].refuseWithoutOwner()
          entries[i].new = try FileIdentity(of: scratch.descriptor)
        case .removal(let name):
          try files[i].refuseUnlessUnchanged()
          try files[i].disappear(to: name, displaced: &displaced[i])
        }
      } catch {
        takeBack(i, error)
        failMates()
      }
    }
  }

  /// Step 5: erases what the new file doesn't use, but only after the edit in place is decided on disk.
  mutating func finish() {
    synchronize { $0?.finishes ?? false }
    step(where: \.finishes) { file, edit, descriptor throws(FileError) in
      try edit.finish(descriptor)
      try file.setTimes(descriptor)
    }
  }

  /// Step 6: flushes everything and records it in the journal. If that fails, the old file is restored.
  mutating func settle() {
    synchronize { _ in true }
    readBack()
    failMates()
    for file in files where file.edit != nil { file.source.file.system.unlock(file.source.file.rawValue) }
    guard isRecorded else { return }
    let settled = entries.indices.filter { !unsettled.contains($0) }
    for i in settled {
      entries[i].state = errors[i].map { $0.kind == .conflict ? .conflict : .failed } ?? .committed
      entries[i].reason = errors[i]?.description
    }
    do {
      try journal.update(settled.map { entries[$0] })
    } catch {
      for i in pending { takeBack(i, error) }
    }
  }

  /// Step 7: hands over the old files for removal, which is safe only now.
  func clean(into oldFiles: inout OldFiles) {
    for i in pending { files[i].copy?.remove() }
    oldFiles.add(
      pending.map { i in
        OldFiles.File(
          key: entries[i].key, old: entries[i].old, folder: files[i].place.folder, name: displaced[i])
      }, journal: journal)
  }

  private var pending: [Int] { errors.indices.filter { errors[$0] == nil } }

  /// Discards a staged file before the exchange: the photo is as it was, and the scratch file is removed. A scratch
  /// file is never reused after a disk error, because the page cache may then show bytes that the disk doesn't hold.
  private mutating func fail(_ i: Int, _ error: FileError) {
    errors[i] = files[i].discarded(after: error)
  }

  /// Takes back every file whose atomic group contains a failure, whatever step it has reached.
  private mutating func failMates() {
    var failures: [Int: (name: FilePath.Component, error: FileError)] = [:]
    for (file, error) in zip(files, errors) {
      if let atomicGroup = file.entry.atomicGroup, let error, failures[atomicGroup] == nil {
        failures[atomicGroup] = (file.place.name, error)
      }
    }
    guard !failures.isEmpty else { return }
    for i in pending {
      guard let (name, error) = files[i].entry.atomicGroup.flatMap({ failures[$0] }) else { continue }
      takeBack(i, error.reworded("not changed, because \(name) can't be changed: \(error.description)"))
    }
  }

  /// Restores the old file during or after the exchange.
  private mutating func takeBack(_ i: Int, _ error: FileError) {
    // Another process has written to it since; it may have made the same edit.
    if files[i].edit != nil, !written.contains(i) { return fail(i, error) }
    do throws(FileError) {
      try files[i].takeBack(displaced[i])
      displaced[i] = nil
      fail(i, error)
    } catch let obstacle {
      let isOld = (try? files[i].isOld()) ?? (displaced[i] == nil && files[i].edit == nil)
      errors[i] =
        isOld
        ? FileError(.io, obstacle.description, at: obstacle.offset, remedy: .nextRun)
        : .notDurable("is changed, or in part", error, obstacle)
      // Old and new both exist, and the journal's row says so: recovery finishes the change.
      unsettled.insert(i)
      // If only the modification time is missing, this value shows recovery that no other program has written to the
      // file since.
      guard let time = files[i].timeOnceTakenBack else { return }
      var entry = files[i].entry
      entry.new.modified = time
      try? journal.update([entry])
    }
  }

  /// Runs one step of every edit in place that has it.
  private mutating func step(
    where hasIt: (InPlaceEdit) -> Bool,
    _ write: (StagedFile, InPlaceEdit, borrowing Descriptor) throws(FileError) -> Void
  ) {
    for i in pending {
      guard errors[i] == nil, let edit = files[i].edit, hasIt(edit) else { continue }
      do throws(FileError) {
        entries[i].new = try files[i].step(from: entries[i].new) { descriptor throws(FileError) in
          written.insert(i)
          try write(files[i], edit, descriptor)
        }
      } catch {
        takeBack(i, error)
        failMates()
      }
    }
  }

  /// Reads back what was edited in place. All reads are started at once.
  private mutating func readBack() {
    let edited = pending.filter { files[$0].edit != nil }
    for i in edited { files[i].dropCachedPages() }
    for i in edited {
      do throws(FileError) {
        try files[i].verify(try FileSource(duplicating: files[i].source.file, headCount: 0))
      } catch {
        // If another program wrote to the file since, the change was complete before that; undo will notice it.
        let isOurs = (try? FileIdentity(of: files[i].source.file))?.isSameContent(as: entries[i].new) ?? true
        if isOurs { takeBack(i, error) }
      }
    }
  }

  /// Flushes each file system that has a pending file for which `waits` returns true, once each. `waits` gets the
  /// file's edit in place, or nil.
  private mutating func synchronize(_ waits: (InPlaceEdit?) -> Bool) {
    var answers: [UInt64: FileError?] = [:]
    for i in pending where waits(files[i].edit) {
      let device = files[i].entry.old.device
      if answers[device] == nil {
        do throws(FileError) {
          try volumes[device]?.get().synchronizeVolume()
          answers[device] = .some(nil)
        } catch {
          answers[device] = .some(error)
        }
      }
      if case .some(.some(let error)) = answers[device] { takeBack(i, error) }
    }
    failMates()
  }
}

/// The old files of photos whose change is on disk; the only work left is to remove them.
///
/// They are removed in large batches. For minutes after a file was removed, ext4 skips its inode whenever a file is
/// created: a run that created and removed files in turn would become slower with every photo.
struct OldFiles {
  /// The largest number of old files, and of bytes in them, that are kept next to photos.
  static let mostCount = 1 << 14
  static let mostBytes = 256 << 20
  /// The largest number of removed files whose rows are not yet settled: after an interrupted run, each is examined
  /// once more.
  static let mostRemoved = 1 << 10
  /// The largest number of folders kept open.
  static let mostFolders = 64

  /// Whether files may stay in a folder for a while.
  private let mayStay: @Sendable (Directory) -> Bool

  /// An old file; or only the journal's row, if the photo was edited in place.
  package struct File {
    let key: JournalEntry.Key
    let old: FileIdentity
    let folder: Directory
    let name: FilePath.Component?

    package init(key: JournalEntry.Key, old: FileIdentity, folder: Directory, name: FilePath.Component?) {
      self.key = key
      self.old = old
      self.folder = folder
      self.name = name
    }
  }

  /// Creates an empty list. By default, files stay only on ext2, ext3 and ext4 with at least 4 GiB free.
  init(mayStay: @escaping @Sendable (Directory) -> Bool = { $0.isOfEXT && $0.freeCount >= 4 << 30 }) {
    self.mayStay = mayStay
  }

  private var files: [File] = []
  private var removals = Removals()
  private var folders: [FilePath: Directory] = [:]
  private var bytes = 0

  /// Adds the old files of a group, and removes all if there are too many.
  mutating func add(_ group: [File], journal: any ChangeJournal) {
    for file in group {
      let folder = folders[file.folder.path] ?? file.folder
      folders[folder.path] = folder
      files.append(File(key: file.key, old: file.old, folder: folder, name: file.name))
      if file.name != nil { bytes += file.old.size }
    }
    if !folders.values.allSatisfy(mayStay) { remove() }
    if removals.keys.count >= OldFiles.mostRemoved || files.count >= OldFiles.mostCount || bytes >= OldFiles.mostBytes
      || folders.count > OldFiles.mostFolders
    {
      removeAll(journal: journal)
    }
  }

  /// Removes all old files. If one can't be removed, or another program wrote to it, its row stays unchanged, and the
  /// next recovery tries again or reports it. The photo is new and safe.
  mutating func removeAll(journal: any ChangeJournal) {
    remove()
    _ = try? removals.settle(in: journal)
  }

  private mutating func remove() {
    for file in files where (try? file.remove()) == true {
      removals.add(file.key, on: file.old.device, from: file.name == nil ? nil : file.folder)
    }
    (files, folders, bytes) = ([], [:], 0)
  }
}

extension OldFiles.File {
  /// Removes the file; returns whether nothing is left of it.
  fileprivate func remove() throws(FileError) -> Bool {
    guard let name, let now = try folder.identity(of: name) else { return true }
    // The inode is not compared, because some file systems change its number.
    guard (now.size, now.modified) == (old.size, old.modified) else { return false }
    // A program that opened it before the exchange would write into a removed file.
    guard !Volume.hasWriter(try folder.open(name, O_RDONLY)) else { return false }
    try folder.remove(name)
    return true
  }
}

extension Directory {
  fileprivate var isOfEXT: Bool { Volume(of: descriptor).isEXT }

  /// The number of free bytes on its file system; 0 if unknown.
  fileprivate var freeCount: Int { system.fstatvfs(descriptor.rawValue)?.free ?? 0 }
}

/// Changes whose leftover files next to photos are removed. The journal forgets them only when that is on disk:
/// otherwise the files could reappear after a power failure, with no record of them.
struct Removals {
  private(set) var keys: [JournalEntry.Key] = []
  /// An open folder on each file system from which a name was removed.
  private var volumes: [UInt64: Directory] = [:]

  /// Adds a change whose leftover file was removed.
  /// - Parameter folder: The folder from which a name was removed; nil if only the row is left.
  mutating func add(_ key: JournalEntry.Key, on device: UInt64, from folder: Directory?) {
    keys.append(key)
    if let folder { add(folder, on: device) }
  }

  /// Adds a folder from which a name was removed that the journal has no row for.
  mutating func add(_ folder: Directory, on device: UInt64) { volumes[device] = volumes[device] ?? folder }

  /// Flushes the removals to disk, each file system once, and records in the journal that nothing is left to do.
  /// Returns false if a disk fails; then the rows stay, and the next recovery looks again.
  mutating func settle(in journal: any ChangeJournal) throws(FileError) -> Bool {
    defer { self = Removals() }
    for folder in volumes.values where (try? folder.synchronizeVolume()) == nil { return false }
    try journal.noteCleaned(keys)
    return true
  }
}
