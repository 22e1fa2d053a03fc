import Glibc
import SystemPackage

/// Commits a group of staged files, one step after the other. Between any two of them the process may be killed, and
/// recovery knows what to do.
package struct GroupCommit: Sendable {
  let journal: Journal
  /// Of each file system a folder, opened for this group alone: what a disk couldn't take, the system tells every
  /// opening once, and another group may be on its way.
  private let volumes: [UInt64: Result<Directory, FileError>]
  private let files: [StagedFile]
  /// How each stands; what the journal is told.
  private var entries: [JournalEntry]
  private var errors: [FileError?]
  /// Where the old file lies once the new one has taken its place.
  private var displaced: [FilePath.Component?]
  private var isRecorded = false
  /// Those neither old nor new for sure: their rows stay as they are, for recovery.
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
      // A photo that is edited in place is the old one until the first step of that.
      if file.edit != nil { entry.new = entry.old }
      return entry
    }
    errors = Array(repeating: nil, count: files.count)
    displaced = errors.map { _ in nil }
  }

  var results: [Result<Void, FileError>] {
    errors.map { error in error.map { .failure($0) } ?? .success(()) }
  }

  /// 1. What is about to happen, and how to take it back, is on the disk before anything happens.
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

  /// 2. The scratch files are on the disk, and so is what edits in place write where nothing refers to yet.
  mutating func prepare() {
    step(where: \.prepares) { _, edit, descriptor throws(FileError) in try edit.prepare(descriptor) }
    synchronize { $0?.prepares ?? true }
  }

  /// 3. The disk holds what was meant.
  mutating func verify() {
    // The disk is asked for all of them at once.
    for i in pending { files[i].scratch?.forget() }
    for i in pending {
      guard let scratch = files[i].scratch else { continue }
      do throws(FileError) { try files[i].verify(try FileSource(duplicating: scratch.descriptor)) } catch {
        fail(i, error)
      }
    }
    failMates()
  }

  /// 4. The photo is still the one that was read; and becomes the new one.
  mutating func swap() {
    // What a mate's failure takes back is no longer pending when its turn comes.
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

  /// 5. Only when an edit in place is decided on the disk, it erases what the new file has no use for.
  mutating func finish() {
    synchronize { $0?.finishes ?? false }
    step(where: \.finishes) { file, edit, descriptor throws(FileError) in
      try edit.finish(descriptor)
      try file.setTimes(descriptor)
    }
  }

  /// 6. All of it is on the disk, and the journal says so; where that fails, the old file comes back.
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

  /// 7. Only now may the old files go.
  func clean(into oldFiles: inout OldFiles) {
    for i in pending { files[i].copy?.remove() }
    oldFiles.add(
      pending.map { i in
        OldFiles.File(
          key: entries[i].key, old: entries[i].old, folder: files[i].place.folder, name: displaced[i])
      }, journal: journal)
  }

  private var pending: [Int] { errors.indices.filter { errors[$0] == nil } }

  /// Before the exchange: the photo is as it was, and the scratch file goes. After any trouble with the disk it is
  /// never written again: what the cache then shows, the disk need not hold.
  private mutating func fail(_ i: Int, _ error: FileError) {
    errors[i] = files[i].discarded(after: error)
  }

  /// What is bonded fares alike: where one failed, the others go back too, from wherever they have come to.
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

  /// During the exchange or after it.
  private mutating func takeBack(_ i: Int, _ error: FileError) {
    do throws(FileError) {
      try files[i].takeBack(displaced[i])
      displaced[i] = nil
      fail(i, error)
    } catch {
      errors[i] = FileError(.io, "\(error.sentence); the next run of metatag settles it", at: error.offset)
      // Old and new are both there, and the journal's row says so: recovery finishes it.
      unsettled.insert(i)
      // Where only the time is missing, recovery knows by this one that nobody wrote into it since.
      guard let time = files[i].timeOnceTakenBack else { return }
      var entry = files[i].entry
      entry.new.modified = time
      try? journal.update([entry])
    }
  }

  /// A step of every edit in place that has it.
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

  /// What was edited in place is read back. The disk is asked for all of it at once.
  private mutating func readBack() {
    let edited = pending.filter { files[$0].edit != nil }
    for i in edited { files[i].askAnew() }
    for i in edited {
      do throws(FileError) {
        try files[i].verify(try FileSource(duplicating: files[i].source.descriptor, headCount: 0))
      } catch {
        // Who wrote into it since did so behind the change, which is in it: undo will see that.
        let isOurs = (try? FileIdentity(of: files[i].source.descriptor))?.isSameContent(as: entries[i].new) ?? true
        if isOurs { takeBack(i, error) }
      }
    }
  }

  /// Brings every file system on which a pending file waits for it to the disk, once each. `waits` is asked with the
  /// edit in place, where it is one.
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
