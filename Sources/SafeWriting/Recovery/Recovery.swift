import Glibc
public import SystemPackage

/// Recovery after an interrupted run.
extension Journal {
  /// Finishes what earlier runs left incomplete: each photo becomes whole-old or whole-new, and nothing is left next to
  /// it. Call this before a run begins. Calling it again is harmless, even if it was itself interrupted.
  ///
  /// - Throws: `FileError.Kind.io` if the journal can't be read or written. Problems with single photos are in the
  ///   report.
  public func recover() throws(FileError) -> RecoveryReport {
    let report = try Recovery.report(of: self)
    // If that fails, the disk may be full. No photo depends on it, and `isForgetting` still says so.
    try? finishForgetting()
    return report
  }
}

/// Settles the changes that the journal records as begun.
struct Recovery {
  let journal: any ChangeJournal
  private(set) var report = RecoveryReport()
  private var removals = Removals()
  /// The scratch files that rows mention of the run whose folders are being cleaned; nil if the journal is damaged.
  private var named: (run: RunID, scratches: [[UInt8]: ScratchUse]?)?
  /// Whether the photo was already reported as missing.
  private var isRetrying = false
  /// Whether old files next to photos are removed. Not if the journal is damaged: it may be impossible to undo anything,
  /// and they are the originals.
  var removesFiles = true

  init(journal: any ChangeJournal) { self.journal = journal }

  /// Settles every change, and removes what is left next to photos.
  static func report(of journal: any ChangeJournal) throws(FileError) -> RecoveryReport {
    var recovery = Recovery(journal: journal)
    let unsettled = try journal.unsettled()
    let (folders, unfound) = (try journal.folders(), try journal.unfound())
    // The whole journal is read, so only if something may be removed.
    if !unsettled.entries.isEmpty || !unsettled.damaged.isEmpty || !folders.isEmpty || !unfound.isEmpty {
      recovery.removesFiles = try journal.damage() == nil
    }
    for entry in unfound { recovery.reconsider(entry) }
    for entry in unsettled.entries {
      do throws(FileError) { try recovery.settle(entry) } catch { recovery.postpone(entry, error) }
    }
    for row in unsettled.damaged { recovery.postpone(row.operation(in: journal.folder), row.error) }
    for run in try journal.runningRuns() { try journal.end(run, as: .interrupted) }
    guard recovery.removesFiles else { return recovery.report }
    var swept: [(RunID, FilePath)] = []
    for (run, folder) in folders where try recovery.sweep(folder, of: run) { swept.append((run, folder)) }
    if try recovery.removals.settle(in: journal) {
      for (run, folder) in swept { try journal.forget(folder, of: run) }
    }
    // A copy may be the only one of a photo whose row can't be read, or is lost.
    if unsettled.damaged.isEmpty, recovery.report.unknown.isEmpty {
      try FullCopy.removeAll(of: journal, but: try journal.unsettled().entries)
    }
    return recovery.report
  }

  /// The reason recorded when the photo is missing; reported once, see `reconsider`.
  static let isAway = "is no longer where it was when the run was interrupted; " + Journal.mayReturn

  mutating func postpone(_ entry: JournalEntry, _ error: FileError) { postpone(entry.operation, error) }

  private mutating func postpone(_ operation: JournalOperation, _ error: FileError) {
    report.unreachable.append(RecoveryReport.Problem(path: operation.path, reason: error.description))
  }

  /// Tries again to settle the change of a photo that was missing: its card or folder may be back. While it isn't,
  /// nothing is reported. If another file is there instead, or the photo was changed in the meantime, that is reported
  /// once.
  mutating func reconsider(_ entry: JournalEntry) {
    let again = settledAgain(entry, isRetrying: true)
    report.restored += again.restored
    report.takenBack.merge(again.takenBack, uniquingKeysWith: +)
  }

  /// Settles a change that the journal records as settled, and adds to the report what is new about it, except that it was
  /// taken back. Returns its own report.
  @discardableResult
  private mutating func settledAgain(_ entry: JournalEntry, isRetrying: Bool) -> RecoveryReport {
    var (another, entry) = (Recovery(journal: journal), entry)
    (another.isRetrying, another.removesFiles) = (isRetrying, removesFiles)
    entry.state = .staged
    try? another.settle(entry)
    _ = try? another.removals.settle(in: journal)
    report.finished += another.report.finished
    report.completed.merge(another.report.completed, uniquingKeysWith: +)
    report.conflicts += another.report.conflicts
    return another.report
  }

  mutating func settle(_ entry: JournalEntry) throws(FileError) {
    if entry.state == .committed, ![.exchange, .removal, .renaming].contains(entry.method) {
      // Nothing is left to do, wherever the photo is now.
      return removals.add(entry.key, on: entry.old.device, from: nil)
    }
    let folder = try Directory(entry.folderPath)
    guard let name = FilePath(bytes: Array(entry.name)).lastComponent else {
      throw FileError(.damagedJournal, "the journal is damaged: a change has no file")
    }
    let place = DirectoryEntry(folder, name)
    // Where no byte changes, only names are at stake; this checks the row's checksum.
    if [.renaming, .removal, .trashing, .untrashing].contains(entry.method) { _ = try journal.inverse(of: entry) }
    if entry.method == .renaming { return try settleRenaming(entry, at: place) }
    if entry.method == .times { return try settleTimes(entry, at: place) }
    if let trashed = entry.trashed { return try settleTrashing(entry, trashed, at: place) }
    let scratch = entry.scratch.flatMap { FilePath(bytes: Array($0)).lastComponent }
    if entry.method == .removal, let scratch { return try settleRemoval(entry, at: place, scratch: scratch) }
    let change = try JournaledChange(entry, in: journal)
    guard let scratch else { return try settleInPlace(change, at: place) }
    if entry.makesFile { return try settleCreation(change, at: place, scratch: scratch) }
    let exchange = try InterruptedExchange(change, at: place, scratch: scratch, copy: FullCopy(of: entry, in: journal))
    let outcome =
      entry.state == .committed
      ? try exchange.clean() : try mustGoBack(entry) ? try exchange.takeBack() : try exchange.settle()
    switch outcome {
    case .new:
      if entry.state == .staged { try conclude(entry, .committed, at: place) }
      guard removesFiles else { return }
      let kept = try exchange.letGo(photoIsNew: true)
      guard kept.isEmpty else {
        try journal.noteCleaned([entry.key])
        let reason = "is changed; another program wrote to \(kept.joined), which is kept in the same folder"
        return report.conflicts.append(RecoveryReport.Problem(path: entry.path, reason: reason))
      }
      noteRemoved(entry, from: folder)
    case .old:
      let kept = removesFiles ? try exchange.letGo(photoIsNew: false) : []
      guard kept.isEmpty else {
        return try conclude(
          entry, .conflict, "is as it was; another program wrote to \(kept.joined), which is kept in the same folder")
      }
      try conclude(entry, .failed, Journal.cutOff)
    case .away(let reason):
      // The change was made, and can be undone where the photo is now. Its old file is kept until it is there again.
      if entry.state == .staged { try conclude(entry, .committed, at: nil) }
      report.unreachable.append(RecoveryReport.Problem(path: entry.path, reason: reason))
    case .unclear(let reason) where entry.state == .committed:
      // The change is done and can be undone; only its old file can't be removed.
      let problem = RecoveryReport.Problem(path: entry.path, reason: reason)
      guard try folder.status(of: name) != nil else { return report.unreachable.append(problem) }
      try journal.noteCleaned([entry.key])
      report.conflicts.append(problem)
    case .unclear(let reason): try conclude(entry, .conflict, reason)
    }
  }

  private mutating func settleInPlace(_ change: JournaledChange, at place: DirectoryEntry) throws(FileError) {
    let entry = change.entry
    if entry.state == .committed { return try conclude(entry, .cleaned, at: place) }
    guard let (edit, inverse) = try edits(of: change) else { throw journal.damage(of: entry) }
    guard try place.folder.status(of: place.name) != nil else {
      return try conclude(entry, .conflict, Recovery.isAway)
    }
    let file = try place.open()
    switch try edit.progress(in: file, inverse: inverse) {
    case .new where try !mustGoBack(entry):
      let descriptor = try place.folder.open(place.name, O_RDWR)
      let time = FileTime(file.status.st_mtim)
      try edit.apply(to: descriptor)
      // Any other time means that another program has written to the file, and may still be writing: its time is kept.
      let isOurs = time == entry.old.modified || entry.mayHaveSet(time)
      // Another run may have made the same change since. What it recorded must stay true.
      let sets = isOurs && entry.setsGivenTime
      try? Attributes.setTimes(descriptor, accessed: nil, modified: sets ? entry.new.modified : time)
      try descriptor.synchronizeAll()
      try conclude(entry, .committed, at: isOurs ? place : nil)
      try conclude(entry, .cleaned, at: isOurs ? place : nil)
    case .old where !Volume(of: place.folder.descriptor).mayBe(file.status, entry.old):
      // Another file with the old content has the photo's name now.
      try conclude(entry, .conflict, Recovery.isAway)
    case .old, .new, .torn:
      try edit.takeBack(at: place, inverse: inverse, to: entry.old, isOurs: entry.mayHaveSet)
      try conclude(entry, .failed, Journal.cutOff)
    case .foreign:
      try conclude(entry, .conflict, "was changed by another program after the run was interrupted; not changed again")
    }
  }

  /// Whether a change has to be taken back even if it is done, because another change in its atomic group isn't. The
  /// answer stays the same while the group is settled one by one, even if that is interrupted.
  func mustGoBack(_ entry: JournalEntry) throws(FileError) -> Bool {
    let mates = try journal.entries(inGroupOf: entry)
    guard mates.count > 1 else { return false }
    if mates.contains(where: { $0.state == .failed }) { return true }
    if mates.contains(where: { [.committed, .cleaned, .undone].contains($0.state) }) { return false }
    for mate in mates where try !isNew(mate) { return true }
    return false
  }

  func isNew(_ entry: JournalEntry) throws(FileError) -> Bool {
    guard let name = FilePath(bytes: Array(entry.name)).lastComponent else { return false }
    if entry.method == .removal, let scratch = entry.scratch.flatMap({ FilePath(bytes: Array($0)).lastComponent }) {
      return try Directory(entry.folderPath).status(of: scratch) != nil
    }
    if let trashed = entry.trashed { return try entry.isMoved(to: trashed) }
    let change = try JournaledChange(entry, in: journal)
    let place = DirectoryEntry(try Directory(entry.folderPath), name)
    guard entry.method == .inPlace else {
      let content = try change.content(of: name, in: place.folder)
      guard content == .missing, Volume(of: place.folder.descriptor).keepsOrder,
        let scratch = entry.scratch.flatMap({ FilePath(bytes: Array($0)).lastComponent })
      else { return content == .new }
      // The photo was moved after the exchange.
      return try change.content(of: scratch, in: place.folder) == .old
    }
    guard try place.folder.status(of: name) != nil, let (edit, inverse) = try edits(of: change) else { return false }
    return try edit.progress(in: try place.open(), inverse: inverse) == .new
  }

  /// Returns the edit in place and its inverse.
  private func edits(of change: JournaledChange) throws(FileError) -> (edit: InPlaceEdit, inverse: InPlaceEdit)? {
    let redo = try journal.redo(of: change.entry, inverse: change.inverse)
    guard let edit = InPlaceEdit(redo, sector: Volume.largestSector),
      let inverse = InPlaceEdit(change.inverse, sector: Volume.largestSector)
    else { return nil }
    return (edit, inverse)
  }

  /// Records that a change is committed and that the files next to its photo are removed.
  mutating func noteRemoved(_ entry: JournalEntry, from folder: Directory) {
    removals.add(entry.key, on: entry.old.device, from: folder)
    if entry.state == .staged { report.complete(entry) }
  }

  /// Records that the photo is new.
  ///
  /// - Parameter place: The location of the photo if it is exactly as the change left it; otherwise nil.
  mutating func conclude(
    _ entry: JournalEntry, _ state: JournalOperation.State, at place: DirectoryEntry?
  ) throws(FileError) {
    let isNews = entry.state == .staged
    var entry = entry
    if isNews, let place, let now = try place.folder.identity(of: place.name) { entry.new = now }
    entry.state = state
    // It may have been away before.
    entry.reason = nil
    try journal.update([entry])
    if isNews, state == .cleaned { report.complete(entry) }
  }

  /// Records that the photo is old, or that another program changed it.
  mutating func conclude(
    _ entry: JournalEntry, _ state: JournalOperation.State, _ reason: String
  ) throws(FileError) {
    var (entry, reason) = (entry, reason)
    if isRetrying, state == .conflict {
      if reason != Recovery.isAway { reason += "; \(Journal.mayReturn)" }
      guard ![Recovery.isAway, entry.reason].contains(reason) else { return }
    }
    entry.state = state
    entry.reason = reason
    try journal.update([entry])
    if state == .failed {
      report.takeBack(entry)
    } else {
      report.conflicts.append(RecoveryReport.Problem(path: entry.path, reason: reason))
    }
  }

  /// Removes unfinished files of `run` in `folder` that no row of the journal mentions, and names those that may be
  /// originals. Returns false if the folder can't be reached now, or if something can't be removed.
  mutating func sweep(_ folder: FilePath, of run: RunID) throws(FileError) -> Bool {
    guard let open = try? Directory(folder), let names = try? open.names() else { return false }
    if named?.run != run { named = (run, try journal.scratchFiles(of: run, ScratchUse.init)) }
    // A scratch file may be the only original of a photo whose row can't be read.
    guard let known = named?.scratches else { return false }
    var isClean = true
    for name in names.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
      let bytes = name.bytes
      if bytes.starts(with: Array(journal.scratchPrefix(of: run).utf8)) {
        switch known[name.recordedName] {
        case nil:
          if mayBeOriginal(name, in: open, among: names) {
            isClean = false
            report.unknown.append(folder.appending(name))
            continue
          }
        case .superfluous: break
        case .ofRow: continue
        case .ofFailed(let entry):
          guard let photo = FilePath(bytes: Array(entry.name)).lastComponent, try open.status(of: photo) != nil else {
            isClean = false
            continue
          }
          if try mayBeOriginal(name, ofFailed: entry, in: open) {
            // Its row says that it was taken back.
            settledAgain(entry, isRetrying: false)
            guard try open.status(of: name) != nil else { continue }
            isClean = false
            report.unknown.append(folder.appending(name))
            continue
          }
        }
        do throws(FileError) {
          try open.remove(name)
          report.removed += 1
        } catch {
          isClean = false
          report.unreachable.append(
            RecoveryReport.Problem(
              path: folder.appending(name),
              reason: "is a scratch file of run \(run) that can't be removed: \(error.description)"
            ))
        }
      } else if let other = ScratchName(name), other.token != journal.token {
        report.orphans.append(folder.appending(name))
      }
    }
    // Includes files that failing changes removed themselves.
    removals.add(open, on: try open.device)
    return isClean
  }
}

extension Recovery {
  /// Whether a scratch file without a row may be the original of a photo: the journal may have lost the row.
  private func mayBeOriginal(
    _ name: FilePath.Component, in folder: Directory, among names: [FilePath.Component]
  ) -> Bool {
    guard !name.isStaged else { return false }
    let others = names.filter { !$0.isHidden }
    return (try? folder.holdsAll(of: name, among: others)) != true
  }
}

extension Recovery {
  /// Whether a scratch file may be the original of a photo although its row says that nothing was changed: recovery may have
  /// taken another file for the photo, or a lost run had the same number.
  private func mayBeOriginal(
    _ name: FilePath.Component, ofFailed entry: JournalEntry, in folder: Directory
  ) throws(FileError) -> Bool {
    guard !name.isStaged, let status = try folder.status(of: name), status.st_mode & S_IFMT == S_IFREG else {
      return false
    }
    // The new file that the change made.
    let (now, new) = (FileIdentity(status), entry.new)
    let isNew = (now.inode, now.size, now.modified) == (new.inode, new.size, new.modified)
    return !isNew || !Volume(of: folder.descriptor).keepsOrder
  }
}

/// The use of a scratch file that a row of the journal mentions.
private enum ScratchUse {
  /// The row isn't settled, or records a change that was made. Settling it removes the file.
  case ofRow
  /// The change failed, so the file shouldn't be there. It may be the only copy of the photo, if recovery took another file
  /// for it.
  case ofFailed(JournalEntry)
  /// The change would have made a new file, and failed.
  case superfluous

  init(_ entry: JournalEntry) {
    self = entry.state != .failed ? .ofRow : entry.makesFile ? .superfluous : .ofFailed(entry)
  }
}

/// The interrupted changes of earlier runs that recovery found, and what became of them.
public struct RecoveryReport: Hashable, Sendable {
  /// A file, and the reason why it was left as it is.
  public struct Problem: Hashable, Sendable {
    /// The photo.
    public let path: FilePath
    /// The problem, and what helps.
    public let reason: String
  }

  /// The photos whose interrupted change recovery completed.
  public internal(set) var finished: [FilePath] = []
  /// The photos that were restored to their state before the interrupted run.
  public internal(set) var restored: [FilePath] = []
  /// The photos that another program changed, moved or removed in the meantime. They were not touched.
  public internal(set) var conflicts: [Problem] = []
  /// The photos that can't be reached now (for example, on a card that isn't inserted), and unfinished new files that
  /// can't be removed. The next recovery tries again.
  public internal(set) var unreachable: [Problem] = []
  /// The number of unfinished new files that were removed from the folders of photos.
  public internal(set) var removed = 0
  /// The scratch files that may be the only originals of photos, because the journal lost their rows. They were not
  /// touched.
  public internal(set) var unknown: [FilePath] = []
  /// The scratch files of another journal. They may be in use, so they were not touched.
  public internal(set) var orphans: [FilePath] = []

  /// The number of changes of each run that recovery completed.
  public internal(set) var completed: [RunID: Int] = [:]
  /// The number of changes of each run that recovery took back.
  public internal(set) var takenBack: [RunID: Int] = [:]

  /// Whether there is nothing to report.
  public var isEmpty: Bool { self == RecoveryReport() }

  mutating func complete(_ entry: JournalEntry) {
    finished.append(entry.path)
    completed[RunID(entry.run), default: 0] += 1
  }

  package mutating func takeBack(_ entry: JournalEntry) {
    restored.append(entry.path)
    takenBack[RunID(entry.run), default: 0] += 1
  }
}

extension [FilePath.Component] {
  /// The names in one text.
  fileprivate var joined: String { map(\.description).joined(separator: " and ") }
}
