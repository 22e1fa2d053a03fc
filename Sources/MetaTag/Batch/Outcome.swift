public import SystemPackage

/// What became of one photo of a run. Every file that is named is in exactly one, as its path or as a
/// companion; a further name of the same file (a link) is the same file, and has none.
public struct Outcome: Sendable {
  /// How it ended.
  public enum Status: Sendable {
    /// The photo holds the change (in a dry run: would hold it), durably.
    case changed
    /// It can't be changed itself and is as it was; what was (in a dry run: would be) written beside it holds the
    /// change.
    case substituted(Substitute)
    /// It already was as wanted; not a byte was touched. Why.
    case unchanged(Reason)
    /// It was left alone on purpose. Why, and what helps.
    case skipped(Reason)
    /// It could not be read or changed; it is byte for byte as it was.
    case failed(FileError)
    /// The run was interrupted before it was begun.
    case notRun
  }

  /// A file that belongs to the photo and shares its fate.
  public struct Companion: Sendable {
    /// Where it is.
    public let path: FilePath
    /// What it is to the photo.
    public let role: Photo.Role
    /// Its own splices, of a dry run or a change; nil when nothing had to change in it.
    public internal(set) var patch: Patch?
    /// It wasn't there before (in a dry run: would not have been): a new sidecar.
    public internal(set) var isNew = false
    /// What it is called now (in a dry run: would be), when its ending was wrong; it stays in its folder.
    public internal(set) var newName: FilePath.Component?
    /// How it was, and what was to become of its dates: for a plan.
    var state: FileState?
    var dates: DateChange?
  }

  /// An EXIF tag that is set by its name.
  public struct Tag: Sendable, Hashable {
    /// `Exif.Photo.BodySerialNumber`.
    public let key: String
    /// What it said, and says now (in a dry run: would say), as one would write it; nil where it isn't there.
    public let before: String?
    /// See `before`.
    public let after: String?
  }

  /// The input, as named.
  public let path: FilePath
  /// How it ended.
  public var status: Status
  /// Its format, when it was recognised.
  public var type: ImageType?
  /// What it recorded before.
  public var before: Metadata?
  /// What it records now (in a dry run: would record). Nil unless changed.
  public var after: Metadata?
  /// What becomes of tags that no field of `Metadata` is about.
  public internal(set) var tags: [Tag] = []
  /// How the change was found: the fix used, the zone assumed.
  public var explanation: Explanation?
  /// What was asked for, and how its file was: for a plan.
  var edit: MetadataEdit?
  var state: FileState?
  var isSeparate = false
  /// The splices, of a dry run or a change.
  public var patch: Patch?
  /// What it is called now (in a dry run: would be), when its ending was wrong; it stays in its folder.
  public internal(set) var newName: FilePath.Component?
  /// The files that fare as it does.
  public internal(set) var companions: [Companion]
  /// What a reader should know: of the files together, what could not be done as it was asked for, and what the change
  /// leaves behind.
  public internal(set) var notes: [String]
  /// Sidecars of which nobody can tell whether they are its.
  public internal(set) var doubts: [String] = []
  /// What whoever asked for the change should look at, although it is done as asked.
  public internal(set) var warnings: [String] = []

  init(_ photo: Photo, _ status: Status) {
    path = photo.input.path
    self.status = status
    companions = photo.companions.map { Companion(path: $0.path, role: $0.role) }
    notes = photo.notes
    doubts = photo.strays.map(\.doubt)
    isSeparate = photo.isSeparate
  }
}

extension Outcome {
  /// `notes` as they are after the run: who has its right name now needs no advice.
  private func upToDate(_ notes: [String]) -> [String] {
    guard let newName else { return notes }
    return notes.map { note in
      let remedy = ImageSource.remedy(naming: newName)
      return note.hasSuffix(remedy) ? String(note.dropLast(remedy.count)) : note
    }
  }

  /// Whether it could not be read or changed; what was refused on purpose is no failure.
  public var isFailure: Bool {
    guard case .failed(let error) = status else { return false }
    return error.kind != .refused
  }

  /// What is to be known of the photo (`Metadata.notes`): before the run, or after it where it erased what that was
  /// about.
  public var lastingNotices: [String] {
    guard let edit, edit.erasesDates || edit.erasesPlaces || edit.erasure != nil, case .changed = status, let after
    else {
      return upToDate(before?.notes ?? [])
    }
    return upToDate(after.notes)
  }
}

extension Outcome {
  /// Whether its dates are moved, by more than nothing.
  public var movesDates: Bool {
    if case .adjust(let shift, _)? = edit?.dates { !shift.isZero } else { false }
  }
}
