import SystemPackage

/// What is to be done for one file of a photo: in it, in its sidecar, or in both.
struct FileAndSidecarEdit {
  /// Nil when nothing has to change.
  let own: FileEdit?
  let sidecar: FileEdit?
  /// What file and sidecar record then.
  let metadata: Metadata
  /// What to tell of what its sidecar says in vain.
  let notes: [String]
  var all: [FileEdit] { [own, sidecar].compactMap(\.self) }

  /// Changes the file itself, and what its sidecar states with it. `own` is the file's.
  init(_ own: FileEdit?, of file: FileWithSidecar, by edit: MetadataEdit) throws(FileError) {
    self.own = own
    if let beside = file.sidecar, case let edit = edit.following(beside.metadata), !edit.isEmpty {
      sidecar = try beside.naming { () throws(FileError) in try FileEdit(of: beside, by: edit) }
    } else {
      sidecar = nil
    }
    metadata = file.photo.joined(own?.metadata ?? file.photo.metadata, sidecar?.metadata ?? file.sidecar?.metadata)
    notes = []
  }

  /// Has a sidecar say what is asked for; the file stays as it is. `name` is that of a new one.
  init(
    beside file: FileWithSidecar, by edit: MetadataEdit, _ policy: SidecarPolicy, because error: FileError?,
    named name: () -> FilePath.Component?
  ) throws(FileError) {
    if let tag = edit.tags.keys.map(\.key).min() {
      if let error {
        throw FileError(
          .refused, "\(error.sentence), and \(tag) can't stand in a sidecar: set it in a run of its own")
      }
      throw FileError(.refused, "\(tag) can't stand in a sidecar; \(policy.remedy(for: file.photo))")
    }
    let edit = edit.addingKeywords(to: file.metadata)
    try file.photo.requireNothingToRemove(for: edit, policy, because: error)
    own = nil
    let target: OpenFile
    if let there = file.sidecar {
      target = there
    } else {
      guard let name = name() else { throw FileError(.io, "could not name its sidecar") }
      target = try OpenFile(sidecarNamed: name, of: file.photo)
    }
    let stated = edit.stated(in: target.metadata, of: file.metadata)
    sidecar = try target.naming { () throws(FileError) in try FileEdit(of: target, by: stated) }
    if stated.movedFrom != nil, edit.location == .keep, (sidecar?.metadata ?? target.metadata).captureTimes.isEmpty {
      throw FileError(
        .refused,
        "its sidecar says something else where its date would have to stand: 'metatag date set' writes over it")
    }
    metadata = file.photo.joined(file.photo.metadata, sidecar?.metadata ?? file.sidecar?.metadata)
    let overruled = edit.overruled(in: sidecar?.metadata ?? target.metadata, by: metadata).joined(separator: " and ")
    notes =
      overruled.isEmpty
      ? [] : ["itself says another \(overruled), which is believed; \(policy.remedy(for: file.photo))"]
    if sidecar?.photo.newFile != nil, policy.new == .never {
      let kind = file.photo.image.layout.rawName ?? file.photo.image.type.name
      throw FileError(
        .refused,
        "is \(kind) without a sidecar, and none is to be made; \(policy.remedy(for: file.photo, because: error))")
    }
  }
}

extension Batch {
  /// What `file` needs, in itself or beside it.
  func change(of file: FileWithSidecar, by edit: MetadataEdit, _ photo: Photo) throws(FileError) -> FileAndSidecarEdit {
    guard !options.sidecars.isBeside(file.photo) else { return try change(beside: file, by: edit, photo) }
    let own: FileEdit?
    do throws(FileError) {
      own = try FileEdit(of: file.photo, by: edit)
    } catch {
      guard options.sidecars.isBeside(file.photo, because: error) else { throw error }
      return try change(beside: file, by: edit, photo, because: error)
    }
    return try FileAndSidecarEdit(own, of: file, by: edit)
  }

  /// The same, beside it; what keeps it out of the file itself is the `error`, if that was tried.
  func change(
    beside file: FileWithSidecar, by edit: MetadataEdit, _ photo: Photo, because error: FileError? = nil
  ) throws(FileError) -> FileAndSidecarEdit {
    try FileAndSidecarEdit(beside: file, by: edit, options.sidecars, because: error) {
      newName(ofSidecarOf: file.photo, photo)
    }
  }

  /// What a new sidecar of `file` is called.
  private func newName(ofSidecarOf file: OpenFile, _ photo: Photo) -> FilePath.Component? {
    guard let name = file.image.path.lastComponent else { return nil }
    let isShort = options.sidecars.name == .base && photo.claims(name, beside: file.image.path)
    return FilePath.Component((isShort ? name.stemBytes : name.bytes) + Array(".\(NameParts.sidecar)".utf8))
  }
}

extension Photo {
  /// Whether a sidecar without the ending of `name` would be that file's.
  fileprivate func claims(_ name: FilePath.Component, beside path: FilePath) -> Bool {
    var folders = folders
    let folder = folders.index(of: path.removingLastComponent())
    return folders.claims(name, in: folder)
  }
}
