import Glibc
import SystemPackage

/// Commits a group of staged files, one step after the other. Between any two of them the process may be killed, and
/// recovery knows what to do.
struct GroupCommit {
  private let journal: Journal
  private let files: [StagedFile]
  /// How each stands; what the journal is told.
  private var entries: [JournalEntry]
  private var errors: [PhotoError?]
  /// Where the old file lies once the new one has taken its place.
  private var displaced: [FilePath.Component?]
  private var isRecorded = false
  /// Those neither old nor new for sure: their rows stay as they are, for recovery.
  private var unsettled: Set<Int> = []

  init(_ files: [StagedFile], journal: Journal) {
    self.journal = journal
    self.files = files
    entries = files.map(\.entry)
    errors = Array(repeating: nil, count: files.count)
    displaced = errors.map { _ in nil }
  }

  var results: [Result<Void, PhotoError>] {
    errors.map { error in error.map { .failure($0) } ?? .success(()) }
  }

  /// 1. What is about to happen, and how to take it back, is on the disk before anything happens.
  mutating func record() {
    do throws(PhotoError) {
      try FullCopy.synchronize(journal)
      try journal.record(
        files.map { file in
          if case .inPlace = file.method { return (file.entry, file.inverse, file.patch) }
          return (file.entry, file.inverse, nil)
        })
      isRecorded = true
    } catch {
      for i in pending { fail(i, error) }
    }
  }

  /// 2. The scratch files are on the disk.
  mutating func synchronize() {
    for (i, error) in synchronized() { fail(i, error) }
    failMates()
  }

  /// 3. The disk holds what was meant.
  mutating func verify() {
    // The disk is asked for all of them at once.
    for i in pending { files[i].scratch?.forget() }
    for i in pending {
      guard let scratch = files[i].scratch else { continue }
      do throws(PhotoError) { try files[i].verify(try FileSource(duplicating: scratch.descriptor)) } catch {
        fail(i, error)
      }
    }
    failMates()
  }

  /// 4. The photo is still the one that was read; and becomes the new one.
  mutating func swap() {
    // What a mate's failure takes back is no longer pending when its turn comes.
    for i in files.indices where errors[i] == nil {
      do throws(PhotoError) {
        switch files[i].method {
        case .exchange(let scratch):
          try files[i].refuseUnlessUnchanged()
          try files[i].exchange(with: scratch, displaced: &displaced[i])
          entries[i].new = try FileIdentity(of: scratch.descriptor)
        case .inPlace(let edit, _):
          try files[i].refuseUnlessUnchanged()
          entries[i].new = try files[i].write(edit)
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

  /// 5. The exchange is on the disk, and the journal says so; where that fails, the old file comes back.
  mutating func settle() {
    for (i, error) in synchronized() where displaced[i] != nil { takeBack(i, error) }
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

  /// 6. Only now are the old files let go.
  mutating func clean() {
    var cleaned: [JournalEntry] = []
    for i in pending {
      do {
        if let name = displaced[i] { try files[i].place.folder.remove(name) }
        FullCopy(of: entries[i], in: journal).remove()
        entries[i].state = .cleaned
        cleaned.append(entries[i])
      } catch {
        // The photo is new and safe. Its row stays as it is, and the next recovery tries again.
        continue
      }
    }
    try? journal.update(cleaned)
  }

  private var pending: [Int] { errors.indices.filter { errors[$0] == nil } }

  /// Before the exchange: the photo is as it was, and the scratch file goes. After any trouble with the disk it is never
  /// written again: what the cache then shows, the disk need not hold.
  private mutating func fail(_ i: Int, _ error: PhotoError) {
    errors[i] = error
    files[i].discard(journal)
  }

  /// What is bonded fares alike: where one failed, the others go back too, from wherever they have come to.
  private mutating func failMates() {
    var failures: [Int: (name: FilePath.Component, error: PhotoError)] = [:]
    for (file, error) in zip(files, errors) {
      if let bond = file.entry.bond, let error, failures[bond] == nil { failures[bond] = (file.place.name, error) }
    }
    guard !failures.isEmpty else { return }
    for i in pending {
      guard let (name, error) = files[i].entry.bond.flatMap({ failures[$0] }) else { continue }
      takeBack(i, PhotoError(error.kind, "left as it is, because \(name) can't be changed: \(error.sentence)"))
    }
  }

  /// During the exchange or after it.
  private mutating func takeBack(_ i: Int, _ error: PhotoError) {
    do throws(PhotoError) {
      try files[i].takeBack(displaced[i])
      displaced[i] = nil
      fail(i, error)
    } catch {
      // Old and new are both there, and the journal's row says so: recovery finishes it.
      unsettled.insert(i)
      errors[i] = PhotoError(.io, "\(error.sentence); the next run of metatag settles it", at: error.offset)
    }
  }

  /// Brings every file system the pending files are on to the disk, once each; says whose could not be.
  private func synchronized() -> [(Int, PhotoError)] {
    var answers: [UInt64: PhotoError?] = [:]
    var failed: [(Int, PhotoError)] = []
    for i in pending {
      if case .inPlace = files[i].method { continue }
      let device = files[i].entry.old.device
      if answers[device] == nil {
        do throws(PhotoError) {
          try files[i].place.folder.synchronizeVolume()
          answers[device] = .some(nil)
        } catch {
          answers[device] = .some(error)
        }
      }
      if case .some(.some(let error)) = answers[device] { failed.append((i, error)) }
    }
    return failed
  }
}
