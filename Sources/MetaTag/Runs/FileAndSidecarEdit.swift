import SystemPackage

/// The changes of one file of a photo: to the file, to its sidecar, or to both.
struct FileAndSidecarEdit {
  /// The change of the file itself; nil if it stays unchanged.
  let own: FileEdit?
  let sidecar: FileEdit?
  /// The joint metadata of file and sidecar after the change.
  let metadata: Metadata
  /// Notes about values in the sidecar that have no effect, because the file's own are believed.
  let notes: [String]
  var all: [FileEdit] { [own, sidecar].compactMap(\.self) }

  /// Applies `own` to the file itself, and updates what its sidecar states accordingly.
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

  /// Writes the edit into a sidecar and leaves the file unchanged. `name` returns the name of a new sidecar.
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
      let kind = file.photo.image.type.rawName ?? file.photo.image.type.name
      throw FileError(
        .refused,
        "is \(kind) without a sidecar, and none is to be made; \(policy.remedy(for: file.photo, because: error))")
    }
  }
}

extension Batch {
  /// Returns the changes of `file`: to the file itself or to its sidecar.
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

  /// Returns the changes of the sidecar of `file`. `error` is why the file itself can't be changed, if that was tried.
  func change(
    beside file: FileWithSidecar, by edit: MetadataEdit, _ photo: Photo, because error: FileError? = nil
  ) throws(FileError) -> FileAndSidecarEdit {
    try FileAndSidecarEdit(beside: file, by: edit, options.sidecars, because: error) {
      newName(ofSidecarOf: file.photo, photo)
    }
  }

  /// Returns the name of a new sidecar of `file`.
  private func newName(ofSidecarOf file: OpenFile, _ photo: Photo) -> FilePath.Component? {
    guard let name = file.image.path.lastComponent else { return nil }
    let isShort = options.sidecars.name == .base && photo.claims(name, beside: file.image.path)
    return FilePath.Component((isShort ? name.stemBytes : name.bytes) + Array(".\(NameParts.sidecar)".utf8))
  }
}

extension Photo {
  /// Whether a sidecar with the name `name`, but without its extension, would belong to that file.
  fileprivate func claims(_ name: FilePath.Component, beside path: FilePath) -> Bool {
    var folders = folders
    let folder = folders.index(of: path.removingLastComponent())
    return folders.claims(name, in: folder)
  }
}
