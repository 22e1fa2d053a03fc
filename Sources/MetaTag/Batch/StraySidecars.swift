import SystemPackage

extension Photo {
  /// What is to be erased may also stand in a file of which nobody can tell whether it is a sidecar of this photo: then
  /// nobody shall believe that it is gone.
  func requireNothingStray(for edit: MetadataEdit) throws(FileError) {
    var removal = MetadataEdit()
    if edit.erasesPlaces { removal.location = .remove }
    removal.erasesDates = edit.erasesDates
    for stray in strays {
      let changes = edit.erasure == nil ? try? OpenFile(sidecarAt: stray.path).image.changes(for: removal) : nil
      guard changes?.isEmpty != true, let name = stray.path.lastComponent else { continue }
      throw FileError(
        .refused, "\(stray.doubt), but tells what is to go; name \(name) itself to change it, or move it away")
    }
  }
}
