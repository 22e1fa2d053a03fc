import Foundation
import Glibc
import Synchronization
package import SystemPackage

/// Puts patches on disk: the only code that changes photos.
///
/// Workers stage files, each on its own; one consumer commits them in groups, because what is brought to the disk
/// together costs little more than one. At every instant a photo is whole-old or whole-new.
package final class Rewriter: Sendable {
  /// How photos are written.
  package struct Options: Sendable {
    /// The time of last change stays as it was, to the nanosecond. That of last access always does.
    package var keepsModificationTime = false
    /// Every byte is read back from the disk, not only what was spliced.
    package var verifiesWholeFile = false

    package init(keepsModificationTime: Bool = false, verifiesWholeFile: Bool = false) {
      self.keepsModificationTime = keepsModificationTime
      self.verifiesWholeFile = verifiesWholeFile
    }
  }

  /// A group is committed when it has this many files, or this many bytes: beyond that, sharing a sync saves little. Up
  /// to three files are open for each, of three groups: one goes to the disk, one is changed, one is made ready.
  package static let groupCount: Int = {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return min(384, max(16, Int(clamping: limit.rlim_cur) / 10))
  }()
  package static let groupBytes = 256 << 20

  package let journal: Journal
  package let run: RunID
  package let options: Options
  private let preflight = Preflight()
  private let folders = Mutex<Set<FilePath>>([])
  private let oldFiles = Mutex(OldFiles())

  package init(journal: Journal, run: RunID, options: Options = Options()) {
    self.journal = journal
    self.run = run
    self.options = options
  }

  /// Prepares `patch`, made for `source`, the file at `path`: the new file is written beside the photo, or what will
  /// be written in place is worked out. May be called from many threads.
  ///
  /// - Parameters:
  ///   - pictures: Where picture data lie in the new file; nil where that isn't known.
  ///   - modified: The time of last change the photo shall have; nil for what the options say.
  ///   - undone: The journal's row this change takes back.
  ///   - bond: From `atomicGroup()`: files staged with the same one are committed together or not at all.
  ///   - check: Reads the new bytes and throws when they are not what was wanted.
  package func stage(
    _ source: FileSource, at path: FilePath, patch: Patch, pictures: [Range<Int>]? = nil, modified: FileTime? = nil,
    undoing undone: JournalEntry.Key? = nil, atomicGroup: Int? = nil, check: (any ByteSource) throws(FileError) -> Void
  ) throws(FileError) -> StagedFile {
    let (place, inverse, edit) = try preflight.examine(source, at: path, patch: patch)
    var modified = modified ?? (options.keepsModificationTime ? FileIdentity(source.status).modified : nil)
    if modified != nil {
      do throws(FileError) { try preflight.requireOwner(of: source) } catch {
        guard undone != nil else { throw error }
        // Its bytes are what is asked for.
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
      try Attributes.copy(from: source.descriptor, source.status, to: scratch.descriptor)
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

  /// A new bond, for files that fare alike. They have to be in the same folder, and committed in the same group.
  package func atomicGroup() -> Int { nextSequence() }

  /// Lets go of files that were staged and shall not be committed.
  package func withdraw(_ files: [StagedFile]) {
    for file in files { file.discard() }
  }

  /// Commits files that were staged, all together, and says how each fared, in their order. A group once begun is
  /// always brought to its end.
  package func commit(_ group: [StagedFile]) -> [Result<Void, FileError>] { settle(change(group)) }

  /// The first half of a commit, after which each photo is the new one, or the old one for good.
  package func change(_ group: [StagedFile]) -> GroupCommit {
    var commit = GroupCommit(group, journal: journal)
    commit.record()
    commit.prepare()
    commit.verify()
    commit.swap()
    commit.finish()
    return commit
  }

  /// The second half: what was changed is on the disk, or taken back. Meanwhile another group may be changed.
  package func settle(_ group: GroupCommit) -> [Result<Void, FileError>] {
    var commit = group
    commit.settle()
    oldFiles.withLock { commit.clean(into: &$0) }
    return commit.results
  }

  /// Removes what committed changes have left beside photos: to be called when no more are coming.
  package func finish() {
    oldFiles.withLock { $0.removeAll(journal: journal) }
  }

  /// Writes what `patch` makes of `source`, the file at `path`, into a new file whose name is longer by `suffix`.
  package func write(
    _ patch: Patch, of source: FileSource, beside path: FilePath, suffix: String, modified: FileTime
  ) throws(FileError) -> FilePath {
    let place = try DirectoryEntry(resolving: path)
    guard let name = FilePath(bytes: place.name.bytes + Array(suffix.utf8)).lastComponent else {
      throw FileError(.io, "could not name the file beside it")
    }
    let scratch = try makeScratch(nextSequence(), in: place.folder)
    do throws(FileError) {
      try scratch.write(patch, of: source)
      try Attributes.copy(from: source.descriptor, source.status, to: scratch.descriptor)
      try Attributes.setTimes(scratch.descriptor, accessed: nil, modified: modified)
      try place.folder.synchronizeVolume()
      try place.folder.move(scratch.name, to: name)
      try place.folder.synchronizeVolume()
      return place.folder.path.appending(name)
    } catch {
      throw scratch.removed(after: error)
    }
  }

  /// A number for one more change of this run, whoever else makes some.
  func nextSequence() -> Int { journal.nextSequence(of: run) }

  /// Makes a scratch file under a name no one else uses; the journal knows of the folder before there is one in it.
  func makeScratch(_ sequence: Int, in folder: Directory) throws(FileError) -> ScratchFile {
    try note(folder)
    return try ScratchFile(try scratchName(sequence), in: folder)
  }

  /// Tells the journal, once, that scratch files of this run may lie in `folder`.
  package func note(_ folder: Directory) throws(FileError) {
    try folders.withLock { known throws(FileError) in
      guard !known.contains(folder.path) else { return }
      try folder.refuseIfMarked()
      try journal.note(folder.path, of: run)
      known.insert(folder.path)
    }
  }

  func scratchName(_ sequence: Int) throws(FileError) -> FilePath.Component {
    guard let name = FilePath.Component("\(journal.scratchPrefix(of: run))\(sequence).tmp") else {
      throw FileError(.io, "could not name the scratch file")
    }
    return name
  }
}

extension Journal {
  /// How the names of every run's scratch files begin, whatever the journal.
  static let scratchPrefix = ".metatag-"

  /// How the names of a run's scratch files begin.
  func scratchPrefix(of run: RunID) -> String { "\(Journal.scratchPrefix)\(token)-\(run)-" }
}
