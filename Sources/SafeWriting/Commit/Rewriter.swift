import Foundation
import Glibc
import Synchronization
package import SystemPackage

/// Writes patches to disk: the only code that changes photos.
///
/// Workers stage files independently; one consumer commits them in groups, because flushing many files together costs
/// little more than flushing one. At every instant a photo is whole-old or whole-new.
package final class Rewriter: Sendable {
  /// Options for writing photos.
  package struct Options: Sendable {
    /// Whether the modification time is kept, to the nanosecond. The access time always is.
    package var keepsModificationTime = false
    /// Whether every byte is read back from disk, not only what was spliced.
    package var verifiesWholeFile = false

    package init(keepsModificationTime: Bool = false, verifiesWholeFile: Bool = false) {
      self.keepsModificationTime = keepsModificationTime
      self.verifiesWholeFile = verifiesWholeFile
    }
  }

  /// The number of files (or bytes) at which a group is committed: beyond that, sharing a sync saves little. Up to
  /// three descriptors are open per file, for three groups: one is being flushed, one changed, one prepared.
  package static let groupCount: Int = {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return min(384, max(16, Int(clamping: limit.rlim_cur) / 10))
  }()
  package static let groupBytes = 256 << 20

  package let journal: any ChangeJournal
  package let run: RunID
  package let options: Options
  private let preflight: Preflight
  private let folders = Mutex<Set<FilePath>>([])
  private let oldFiles = Mutex(OldFiles())

  package init(
    journal: any ChangeJournal, run: RunID, options: Options = Options(), preflight: Preflight = Preflight()
  ) {
    self.preflight = preflight
    self.journal = journal
    self.run = run
    self.options = options
  }

  /// Prepares `patch`, made for `source`, the file at `path`: writes the new file next to the photo, or computes what
  /// will be written in place. Can be called from many threads.
  ///
  /// - Parameters:
  ///   - pictures: The ranges of image data in the new file; nil if unknown.
  ///   - modified: The modification time the photo will get; nil to follow the options.
  ///   - undone: The journal row that this change takes back.
  ///   - atomicGroup: A value from `atomicGroup()`: files staged with the same value are committed together or not at
  ///     all.
  ///   - check: Reads the new bytes and throws if they are not as expected.
  package func stage(
    _ source: FileSource, at path: FilePath, patch: Patch, pictures: [Range<Int>]? = nil, modified: FileTime? = nil,
    undoing undone: JournalEntry.Key? = nil, atomicGroup: Int? = nil, check: (any ByteSource) throws(FileError) -> Void
  ) throws(FileError) -> StagedFile {
    let (place, inverse, edit) = try preflight.examine(source, at: path, patch: patch)
    var modified = modified ?? (options.keepsModificationTime ? FileIdentity(source.status).modified : nil)
    if modified != nil {
      do throws(FileError) { try preflight.requireOwner(of: source) } catch {
        guard undone != nil else { throw error }
        // An undo is about the bytes: restore them even if the time can't be restored.
        modified = nil
      }
    }
    let sequence = nextSequence()
    func staged(
      _ method: StagedFile.Method, _ new: some ByteSource, needsCopy: Bool = false
    ) throws(FileError) -> StagedFile {
      var entry = try JournalEntry(run, sequence, place, source, patch, method, modified: modified)
      if let pictures { entry.fingerprint = try Fingerprint(of: new, pictures: pictures).data }
      if options.verifiesWholeFile {
        entry.oldHash = Data(try source.digest())
        entry.newHash = Data(try PatchedSource(old: source, patch: patch).digest())
      }
      (entry.undoesRun, entry.undoesSequence, entry.atomicGroup) = (undone?.run, undone?.sequence, atomicGroup)
      return StagedFile(
        place: place, source: source, patch: patch, inverse: inverse, method: method, entry: entry, modified: modified,
        copy: needsCopy ? FullCopy(of: entry, in: journal) : nil)
    }

    if let (edit, back) = edit {
      let new = PatchedSource(old: source, patch: patch)
      try check(new)
      return try staged(.inPlace(edit, inverse: back), new)
    }
    let scratch = try makeScratch(sequence, in: place.folder)
    do throws(FileError) {
      try scratch.write(patch, of: source)
      try Attributes.copy(from: source.file, source.status, to: scratch.descriptor)
      let new = try FileSource(duplicating: scratch.descriptor)
      try check(new)
      try Attributes.setTimes(scratch.descriptor, accessed: source.status.st_atim, modified: modified)
      let file = try staged(.exchange(scratch), new, needsCopy: !Volume(of: scratch.descriptor).keepsOrder)
      try file.copy?.keep(source)
      return file
    } catch {
      throw scratch.removed(after: error)
    }
  }

  /// Returns a new atomic group. Its files must be in the same folder and committed in the same group.
  package func atomicGroup() -> Int { nextSequence() }

  /// Discards staged files that will not be committed.
  package func withdraw(_ files: [StagedFile]) {
    for file in files { file.discard() }
  }

  /// Commits staged files together and returns the result for each, in order. A group that was begun is always
  /// completed.
  package func commit(_ group: [StagedFile]) -> [Result<Void, FileError>] { settle(change(group)) }

  /// Runs the first half of a commit. Afterwards each photo is the new one, or remains the old one.
  package func change(_ group: [StagedFile]) -> GroupCommit {
    var commit = GroupCommit(group, journal: journal)
    commit.record()
    commit.prepare()
    commit.verify()
    commit.swap()
    commit.finish()
    return commit
  }

  /// Runs the second half: flushes the changes or takes them back. Another group can be changed at the same time.
  package func settle(_ group: GroupCommit) -> [Result<Void, FileError>] {
    var commit = group
    commit.settle()
    oldFiles.withLock { commit.clean(into: &$0) }
    return commit.results
  }

  /// Removes the old files that committed changes have left next to photos. Call it when no more changes follow.
  package func finish() {
    oldFiles.withLock { $0.removeAll(journal: journal) }
  }

  /// Writes the result of applying `patch` to `source`, the file at `path`, to a new file whose name has `suffix`
  /// appended.
  package func write(
    _ patch: Patch, of source: FileSource, beside path: FilePath, suffix: String, modified: FileTime
  ) throws(FileError) -> FilePath {
    let place = try DirectoryEntry(resolving: path)
    guard let name = FilePath(bytes: place.name.bytes + Array(suffix.utf8)).lastComponent else {
      throw FileError(.noName, "could not find a name for the new file")
    }
    let scratch = try makeScratch(nextSequence(), in: place.folder)
    do throws(FileError) {
      try scratch.write(patch, of: source)
      try Attributes.copy(from: source.file, source.status, to: scratch.descriptor)
      try Attributes.setTimes(scratch.descriptor, accessed: nil, modified: modified)
      try place.folder.synchronizeVolume()
      try place.folder.move(scratch.name, to: name)
      try place.folder.synchronizeVolume()
      return place.folder.path.appending(name)
    } catch {
      throw scratch.removed(after: error)
    }
  }

  /// Returns a number for one more change of this run; unique even if others add changes to the run.
  func nextSequence() -> Int { journal.nextSequence(of: run) }

  /// Creates a scratch file under a unique name. The journal records the folder before the first one is created there.
  func makeScratch(_ sequence: Int, in folder: Directory) throws(FileError) -> ScratchFile {
    try note(folder)
    let name = try scratchName(sequence)
    return try ScratchFile(name, staged: StagedFile.staging(of: name), in: folder)
  }

  /// Records in the journal, once, that `folder` may contain scratch files of this run.
  package func note(_ folder: Directory) throws(FileError) {
    try folders.withLock { known throws(FileError) in
      guard !known.contains(folder.path) else { return }
      try folder.refuseIfMarked()
      try journal.note(folder.path, of: run)
      known.insert(folder.path)
    }
  }

  func scratchName(_ sequence: Int) throws(FileError) -> FilePath.Component {
    guard let name = FilePath.Component(journal.scratchName(of: run, sequence)) else {
      throw FileError(.noName, "could not find a name for the scratch file")
    }
    return name
  }
}

extension ChangeJournal {
  /// Returns the prefix of the scratch files of a run.
  func scratchPrefix(of run: RunID) -> String { "\(Journal.scratchPrefix)\(token)-\(run)-" }

  /// Returns the usual name of the scratch file of a change. The view `change` spells it too.
  func scratchName(of run: RunID, _ sequence: Int) -> String {
    "\(scratchPrefix(of: run))\(sequence)\(Journal.scratchSuffix)"
  }
}
