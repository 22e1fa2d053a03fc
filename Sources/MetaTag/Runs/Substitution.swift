import SystemPackage

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
      throw FileError(.noName, "could not name the JPEG copy")
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
