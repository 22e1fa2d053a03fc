import SystemPackage

/// What is to be done for one file of a photo: in it, in its sidecar, or in both.
struct FileChange {
  /// Nil when nothing has to change.
  let own: PhotoChange?
  let sidecar: PhotoChange?
  /// What file and sidecar record then.
  let metadata: Metadata
  /// What to tell of what its sidecar says in vain.
  let notices: [String]
  var all: [PhotoChange] { [own, sidecar].compactMap(\.self) }

  /// Changes the file itself, and what its sidecar states with it. `own` is the file's.
  init(_ own: PhotoChange?, of file: OpenFile, by edit: MetadataEdit) throws(PhotoError) {
    self.own = own
    if let beside = file.sidecar, case let edit = edit.following(beside.metadata), !edit.isEmpty {
      sidecar = try beside.naming { () throws(PhotoError) in try PhotoChange(of: beside, by: edit) }
    } else {
      sidecar = nil
    }
    metadata = file.photo.joined(own?.metadata ?? file.photo.metadata, sidecar?.metadata ?? file.sidecar?.metadata)
    notices = []
  }

  /// Has a sidecar say what is asked for; the file stays as it is. `name` is that of a new one.
  init(
    beside file: OpenFile, by edit: MetadataEdit, _ policy: SidecarPolicy, because error: PhotoError?,
    named name: () -> FilePath.Component?
  ) throws(PhotoError) {
    if let tag = edit.tags.keys.map(\.key).min() {
      if let error {
        throw PhotoError(
          .refused, "\(error.sentence), and \(tag) can't stand in a sidecar: set it in a run of its own")
      }
      throw PhotoError(.refused, "\(tag) can't stand in a sidecar; \(policy.remedy(for: file.photo))")
    }
    let edit = edit.addingKeywords(to: file.metadata)
    try file.photo.demandNothingToRemove(for: edit, policy, because: error)
    own = nil
    let target: OpenPhoto
    if let there = file.sidecar {
      target = there
    } else {
      guard let name = name() else { throw PhotoError(.io, "could not name its sidecar") }
      target = try OpenPhoto(sidecarNamed: name, of: file.photo)
    }
    let stated = edit.stated(in: target.metadata, of: file.metadata)
    sidecar = try target.naming { () throws(PhotoError) in try PhotoChange(of: target, by: stated) }
    if stated.movedFrom != nil, edit.location == .keep, (sidecar?.metadata ?? target.metadata).captureTimes.isEmpty {
      throw PhotoError(
        .refused,
        "its sidecar says something else where its date would have to stand: 'metatag date set' writes over it")
    }
    metadata = file.photo.joined(file.photo.metadata, sidecar?.metadata ?? file.sidecar?.metadata)
    let overruled = edit.overruled(in: sidecar?.metadata ?? target.metadata, by: metadata).joined(separator: " and ")
    notices =
      overruled.isEmpty
      ? [] : ["itself says another \(overruled), which is believed; \(policy.remedy(for: file.photo))"]
    if sidecar?.photo.birth != nil, policy.new == .never {
      let kind = file.photo.image.layout.rawName ?? file.photo.image.type.name
      throw PhotoError(
        .refused,
        "is \(kind) without a sidecar, and none is to be made; \(policy.remedy(for: file.photo, because: error))")
    }
  }
}

extension Batch {
  /// What `file` needs, in itself or beside it.
  func change(of file: OpenFile, by edit: MetadataEdit, _ shot: Shot) throws(PhotoError) -> FileChange {
    guard !options.sidecars.isBeside(file.photo) else { return try change(beside: file, by: edit, shot) }
    let own: PhotoChange?
    do throws(PhotoError) {
      own = try PhotoChange(of: file.photo, by: edit)
    } catch {
      guard options.sidecars.isBeside(file.photo, because: error) else { throw error }
      return try change(beside: file, by: edit, shot, because: error)
    }
    return try FileChange(own, of: file, by: edit)
  }

  /// The same, beside it; what keeps it out of the file itself is the `error`, if that was tried.
  func change(
    beside file: OpenFile, by edit: MetadataEdit, _ shot: Shot, because error: PhotoError? = nil
  ) throws(PhotoError) -> FileChange {
    try FileChange(beside: file, by: edit, options.sidecars, because: error) { newName(ofSidecarOf: file.photo, shot) }
  }

  /// What a new sidecar of `photo` is called.
  private func newName(ofSidecarOf photo: OpenPhoto, _ shot: Shot) -> FilePath.Component? {
    guard let name = photo.image.path.lastComponent else { return nil }
    let isShort = options.sidecars.name == .base && shot.claims(name, beside: photo.image.path)
    return FilePath.Component((isShort ? name.stemBytes : name.bytes) + Array(".\(PairName.sidecar)".utf8))
  }
}

extension Shot {
  /// Whether a sidecar without the ending of `name` would be that file's.
  fileprivate func claims(_ name: FilePath.Component, beside path: FilePath) -> Bool {
    var folders = folders
    let folder = folders.index(of: path.removingLastComponent())
    return folders.claims(name, in: folder)
  }
}
