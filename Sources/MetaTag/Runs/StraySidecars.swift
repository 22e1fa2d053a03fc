import SystemPackage

extension Photo {
  /// Throws if values to erase may also be in a file that may or may not be a sidecar of this photo. Otherwise the user
  /// would believe that they are gone.
  func requireNothingStray(for edit: MetadataEdit) throws(FileError) {
    var removal = MetadataEdit()
    if edit.erasesPlaces { removal.location = .remove }
    removal.erasesDates = edit.erasesDates
    for stray in strays {
      let changes = edit.erasure == nil ? try? OpenFile(sidecarAt: stray.path).image.changes(for: removal) : nil
      guard changes?.isEmpty != true, let name = stray.path.lastComponent else { continue }
      throw FileError(
        .straySidecar, "\(stray.doubt), but contains what is to be erased", remedy: .nameSidecar(name.string))
    }
  }
}
