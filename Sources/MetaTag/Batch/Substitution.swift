import Glibc
import SystemPackage

/// A file that is to stand in for a photo, planned and proved.
struct Substitution {
  /// Where its bytes come from, and what is to be read back.
  enum Content {
    /// A copy, and its change.
    case copy(PhotoChange)
    /// A new sidecar.
    case sidecar([UInt8])
    /// The change of a sidecar that is there.
    case edit(FileSource, Patch)
  }

  let content: Content
  let folder: Folder
  let name: FilePath.Component
  /// What it records.
  let metadata: Metadata
  let substitute: Substitute

  /// `copy` with the change.
  init(
    _ copy: JPEGCopy, of photo: OpenPhoto, by edit: MetadataEdit, because reason: PhotoError
  ) throws(PhotoError) {
    let place = try Place(resolving: photo.image.path)
    guard let name = FilePath(bytes: place.name.stemBytes + Array(".JPG".utf8)).lastComponent else {
      throw PhotoError(.io, "could not name the JPEG beside it")
    }
    let jpeg = try OpenPhoto(copy.bytes, path: place.folder.path.appending(name))
    try Substitution.demandCarried(photo.metadata, by: jpeg.metadata)
    guard let change = try PhotoChange(of: jpeg, by: edit) else { throw reason }
    (content, metadata) = (.copy(change), change.metadata)
    (folder, self.name) = (place.folder, name)
    substitute = Substitute(
      kind: .jpeg, path: Substitution.path(of: name, beside: photo, in: place.folder), isNew: true, reason: reason,
      losses: copy.losses, obstacle: nil)
  }

  /// The sidecar of `photo` with the change; `obstacle` is why there is no copy.
  init(
    sidecarOf photo: OpenPhoto, by edit: MetadataEdit, because reason: PhotoError, obstacle: PhotoError?
  ) throws(PhotoError) {
    let sidecar = try Sidecar(of: try Place(resolving: photo.image.path))
    let edited = try sidecar.edited(by: edit, of: photo.metadata)
    if let file = sidecar.file {
      let old = try file.bytes(0..<file.count).array
      let splices = edited.map { [Sidecar.splice(from: old, to: $0.bytes)] } ?? []
      content = .edit(file, try Patch(splices, to: old.count, imageData: []))
    } else {
      guard let edited else { throw reason }
      content = .sidecar(edited.bytes)
    }
    metadata = photo.metadata.overridden(by: edited?.says ?? Metadata())
    (folder, name) = (sidecar.folder, sidecar.name)
    substitute = Substitute(
      kind: .sidecar, path: Substitution.path(of: name, beside: photo, in: folder), isNew: sidecar.file == nil,
      reason: reason, losses: [], obstacle: obstacle)
  }

  /// Where `name` is, as the user would write it; where a link led to the photo, in the photo's own folder.
  private static func path(
    of name: FilePath.Component, beside photo: OpenPhoto, in folder: Folder
  ) -> FilePath {
    let path = photo.image.path
    var status = stat()
    let isLink = path.withPlatformString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFLNK
    return isLink ? folder.path.appending(name) : path.removingLastComponent().appending(name)
  }

  /// What the photo records, the copy must record.
  private static func demandCarried(_ photo: Metadata, by copy: Metadata) throws(PhotoError) {
    let isSame =
      photo.captureTime == copy.captureTime && photo.location == copy.location && photo.make == copy.make
      && photo.model == copy.model && photo.serialNumber == copy.serialNumber && photo.lensModel == copy.lensModel
      && photo.placeNames.first?.value == copy.placeNames.first?.value && photo.modifyTime == copy.modifyTime
    guard isSame else {
      throw PhotoError(.refused, "left alone: a JPEG copy would not record all that it records")
    }
  }
}

extension Metadata {
  /// What the photo and its sidecar record together: what the sidecar tells is believed.
  fileprivate func overridden(by sidecar: Metadata) -> Metadata {
    var whole = self
    if !sidecar.locations.isEmpty { whole.locations = sidecar.locations }
    if !sidecar.captureTimes.isEmpty { whole.captureTimes = sidecar.captureTimes }
    return whole
  }
}
