import Glibc
import SystemPackage

/// Commits a group of staged files step by step. If the process is killed between any two steps, recovery can settle
/// the group.
package struct GroupCommit: Sendable {
  let journal: Journal
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
  /// Files that are neither old nor new for certain. Their rows stay unchanged for recovery.
  private var unsettled: Set<Int> = []

  init(_ files: [StagedFile], journal: Journal) {
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
          try files[i].exchange(with: scratch, displaced: &displaced[i])
          entries[i].new = try FileIdentity(of: scratch.descriptor)
        case .inPlace(let edit, _):
          entries[i].new = try files[i].step(from: entries[i].new) { descriptor throws(FileError) in
            try edit.decide(descriptor)
            if !edit.finishes { try files[i].setTimes(descriptor) }
          }
        case .creation(let scratch):
          try files[i].appear(from: scratch, displaced: &displaced[i])
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
      takeBack(i, FileError(error.kind, "left as it is, because \(name) can't be changed: \(error.sentence)"))
    }
  }

  /// Restores the old file during or after the exchange.
  private mutating func takeBack(_ i: Int, _ error: FileError) {
    do throws(FileError) {
      try files[i].takeBack(displaced[i])
      displaced[i] = nil
      fail(i, error)
    } catch {
      errors[i] = FileError(.io, "\(error.sentence); the next run of metatag settles it", at: error.offset)
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
    where hasIt: (InPlaceEdit) -> Bool, _ write: (StagedFile, InPlaceEdit, CInt) throws(FileError) -> Void
  ) {
    for i in pending {
      guard errors[i] == nil, let edit = files[i].edit, hasIt(edit) else { continue }
      do throws(FileError) {
        entries[i].new = try files[i].step(from: entries[i].new) { descriptor throws(FileError) in
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
    for i in edited { files[i].askAnew() }
    for i in edited {
      do throws(FileError) {
        try files[i].verify(try FileSource(duplicating: files[i].source.descriptor, headCount: 0))
      } catch {
        // If another program wrote to the file since, the change was complete before that; undo will notice it.
        let isOurs = (try? FileIdentity(of: files[i].source.descriptor))?.isSameContent(as: entries[i].new) ?? true
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
