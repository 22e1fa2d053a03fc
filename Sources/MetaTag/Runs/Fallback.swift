import Synchronization
public import SystemPackage

/// The substitute that a run writes if a HEIF or AVIF file can't be changed itself: a JPEG next to it with all its
/// metadata and the change, or a sidecar with the change. The file itself stays unchanged.
public struct Fallback: Sendable {
  /// The substitute for a file that can't be changed.
  public enum Choice: String, Sendable, CaseIterable {
    /// A JPEG, or a sidecar if there is no decoder.
    case jpeg
    /// An XMP sidecar.
    case sidecar
    /// No substitute: the file is reported as failed.
    case fail
  }

  /// The substitute for a file that can't be changed.
  public var choice: Choice
  /// The quality of the JPEG, 1…100.
  public var quality: Int
  private let codecs: Codecs

  /// Creates a fallback. JPEGs are encoded with `codecs`; nil: with those of the run's programs.
  public init(_ choice: Choice, quality: Int = 95, codecs: PictureCodecs? = nil) {
    (self.choice, self.quality) = (choice, quality)
    self.codecs = Codecs(codecs)
  }

  /// Returns the substitute for `photo`, which can't be changed because of `error`. Throws that error if nothing can be
  /// substituted.
  func substitute(
    for photo: OpenFile, by edit: MetadataEdit, because error: FileError,
    programs: CodecPrograms = .installed
  ) throws(FileError) -> Substitution {
    guard choice != .fail, photo.image.type.isHEIFOrAVIF else { throw error }
    guard [.unsupported, .tooLarge, .refused, .malformed].contains(error.kind) else { throw error }
    guard edit.location != .remove else {
      throw error.reworded(
        "\(error.description); no JPEG copy is written, because the original would keep its location")
    }
    let copy: JPEGCopy
    do throws(FileError) {
      guard choice == .jpeg else { throw error }
      copy = try photo.image.jpegCopy(quality: quality, codecs: codecs.known(of: programs))
    } catch let obstacle {
      // A file that no decoder can read either is broken, not of an unusual kind.
      guard error.kind != .malformed else { throw error }
      guard obstacle.kind != .io else { throw obstacle }
      return .sidecar(obstacle: choice == .jpeg && obstacle != error ? obstacle : nil)
    }
    return .copy(try Copy(copy, of: photo, by: edit, because: error))
  }
}

/// The codecs of a run, looked up once, on first use.
private final class Codecs: Sendable {
  private let known: Mutex<PictureCodecs?>

  init(_ codecs: PictureCodecs?) { known = Mutex(codecs) }

  func known(of programs: CodecPrograms) -> PictureCodecs {
    known.withLock { known in
      let codecs = known ?? (try? PictureCodecs(programs: programs)) ?? .none
      known = codecs
      return codecs
    }
  }
}

/// A file that was written instead of changing a photo.
public struct Substitute: Hashable, Sendable {
  /// The kind of a substitute.
  public enum Kind: String, Sendable {
    /// A JPEG copy.
    case jpeg
    /// An XMP sidecar.
    case sidecar
  }

  /// The kind of the substitute.
  public let kind: Kind
  /// The path of the substitute.
  public internal(set) var path: FilePath
  /// Whether the file is new. Otherwise an existing sidecar is changed.
  public internal(set) var isNew: Bool
  /// Why the photo itself could not be changed.
  public let reason: FileError
  /// The features of the photo that the copy lacks.
  public let losses: [Note]
  /// Why there is no JPEG although one was requested.
  public let obstacle: FileError?
}

/// The substitute for a photo that can't be changed.
enum Substitution {
  /// A JPEG copy, planned and verified.
  case copy(Copy)
  /// A sidecar. `obstacle` is why there is no JPEG although one was requested.
  case sidecar(obstacle: FileError?)
}

/// A JPEG copy of a photo, with its change.
struct Copy {
  let change: FileEdit
  let folder: Directory
  let name: FilePath.Component
  let substitute: Substitute

  /// Plans `copy` with the change.
  init(
    _ copy: JPEGCopy, of photo: OpenFile, by edit: MetadataEdit, because reason: FileError
  ) throws(FileError) {
    let place = try DirectoryEntry(resolving: photo.image.path)
    guard let name = FilePath(bytes: place.name.stemBytes + Array(".JPG".utf8)).lastComponent else {
      throw FileError(.noName, "could not find a name for the JPEG copy")
    }
    let jpeg = try OpenFile(copy.bytes, path: place.folder.path.appending(name))
    try Copy.requireCarried(photo.metadata, by: jpeg.metadata)
    guard let change = try FileEdit(of: jpeg, by: edit) else { throw reason }
    (self.change, folder, self.name) = (change, place.folder, name)
    substitute = Substitute(
      kind: .jpeg, path: place.folder.path(of: name, beside: photo.image.path), isNew: true, reason: reason,
      losses: copy.losses, obstacle: nil)
  }

  /// Checks that the copy has the metadata of the photo.
  private static func requireCarried(_ photo: Metadata, by copy: Metadata) throws(FileError) {
    let isSame =
      photo.captureTime == copy.captureTime && photo.location == copy.location && photo.make == copy.make
      && photo.model == copy.model && photo.serialNumber == copy.serialNumber && photo.lensModel == copy.lensModel
      && photo.placeNames.first?.value == copy.placeNames.first?.value && photo.modifyTime == copy.modifyTime
    guard isSame else {
      throw FileError(.incompleteCopy, "a JPEG copy would not record everything that the photo records")
    }
  }
}

/// A new file that is written or planned. It gets its name later, in the order of the inputs.
enum Unnamed: Sendable {
  /// A written copy that gets the first free name.
  case copy(CreatedFile)
  /// The copy that a dry run would write.
  case planned(FilePath.Component, Directory, WholeContent)
}

extension Batch {
  /// Substitutes a JPEG or a sidecar for `opened`, which can't be changed itself because of `error`. Its companions are
  /// changed themselves. If any of that fails, nothing is done.
  func substitute(
    _ opened: OpenPhoto, of photo: Photo, by whole: MetadataEdit, _ planner: any Planner, _ planned: Outcome,
    _ targets: CopyTargets?, because error: FileError
  ) throws(FileError) -> Work {
    let file = opened.primary.photo
    let edit = whole.own(for: opened.primary.metadata)
    let substitution = try options.fallback.substitute(
      for: file, by: edit, because: error, programs: options.programs)
    var outcome = planned
    outcome.keepNames()
    var changes: [FileEdit] = []
    switch substitution {
    case .copy(let copy):
      outcome.status = .substituted(copy.substitute)
      outcome.after = copy.change.metadata
    case .sidecar(let obstacle):
      let beside = try change(beside: opened.primary, by: edit, photo)
      guard let path = (beside.sidecar?.photo ?? opened.primary.sidecar)?.image.path else { throw error }
      let isNew = beside.sidecar?.photo.newFile != nil
      outcome.status = .substituted(
        Substitute(kind: .sidecar, path: path, isNew: isNew, reason: error, losses: [], obstacle: obstacle))
      outcome.after = beside.metadata
      changes = beside.all
      outcome.notes += beside.notes
      if !isNew { outcome.note(changes) }
    }
    changes += try self.changes(of: opened.others, photo, by: whole, planner, &outcome)
    outcome.notes += changes.flatMap(\.notes)
    if case .sidecar = substitution, changes.isEmpty, case .substituted(let substitute) = outcome.status {
      outcome.leave(.hasSubstitute(substitute.path.lastComponent?.string ?? ""))
      return Work(outcome: outcome)
    }
    if options.recordsStates { try outcome.record(resultsOf: changes) }
    if let targets {
      return try substitute(substitution, for: opened, of: photo, to: targets, with: changes, outcome)
    }
    var isCopied = false
    if case .copy = substitution { isCopied = true }
    let atomicGroup = changes.count + (isCopied ? 1 : 0) > 1 ? rewriter?.atomicGroup() : nil
    var objection: FileError?
    let staged = try stage(changes, of: file, atomicGroup: atomicGroup, objection: &objection)
    guard case .copy(let copy) = substitution else { return Work(outcome: outcome, staged: staged) }
    do throws(FileError) {
      return Work(outcome: outcome, staged: staged, unnamed: try stage(copy, of: file, atomicGroup: atomicGroup))
    } catch {
      rewriter?.withdraw(staged)
      throw error
    }
  }

  private func stage(_ copy: Copy, of photo: OpenFile, atomicGroup: Int?) throws(FileError) -> Unnamed {
    let bytes = try copy.change.patch.applied(to: copy.change.photo.file)
    guard let rewriter else {
      try copy.folder.requireWritable()
      return .planned(copy.name, copy.folder, try WholeContent(Bytes(bytes)))
    }
    let file = try rewriter.stage(
      new: bytes, as: copy.name, in: copy.folder, like: photo.file, atomicGroup: atomicGroup
    ) {
      new throws(FileError) in try confirm(copy.change, in: new)
    }
    return .copy(file)
  }
}

extension Work {
  /// Returns the work with a name for its new file. There is no new file if an identical one exists already. If no name
  /// can be given, the work fails and its staged files are withdrawn.
  func named(by names: inout NewNames, _ rewriter: Rewriter?) -> Work {
    guard let unnamed, case .substituted(var substitute) = outcome.status else { return self }
    var work = self
    work.unnamed = nil
    do throws(FileError) {
      let wanted: FilePath.Component
      var given: FilePath.Component?
      switch unnamed {
      case .copy(let file):
        wanted = file.wantedName
        if let staged = try names.name(file) {
          given = staged.place.name
          work.staged.append(staged)
        }
      case .planned(let name, let folder, let content):
        wanted = name
        if case .free(let name) = try names.name(name, in: folder, for: content) { given = name }
      }
      guard let given else {
        if !outcome.changesCompanions { work.outcome.leave(.hasSubstitute(wanted.string)) }
        return work
      }
      substitute.path = substitute.path.removingLastComponent().appending(given)
      work.outcome.status = .substituted(substitute)
    } catch {
      rewriter?.withdraw(work.staged)
      work.staged = []
      work.outcome.status = .failed(error)
      work.outcome.after = nil
    }
    return work
  }
}
