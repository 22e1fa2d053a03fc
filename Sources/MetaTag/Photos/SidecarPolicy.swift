import SystemPackage

/// The rules by which changes go into sidecars, and the names of new sidecars.
public struct SidecarPolicy: Hashable, Sendable {
  /// The treatment of raw files.
  public enum Raw: String, Sendable, CaseIterable {
    /// Raw files are never changed; the changes go into their sidecars.
    case sidecar
    /// Raw files are changed themselves, if their format allows it.
    case inPlace = "in-place"
  }

  /// The photos for which new sidecars are created.
  public enum New: String, Sendable, CaseIterable {
    /// Raw files.
    case raw
    /// All photos: no photo is changed itself.
    case always
    /// No photos.
    case never
  }

  /// The form of the names of new sidecars.
  public enum Name: String, Sendable, CaseIterable {
    /// The whole name with `.xmp`, such as `IMG_1.NEF.xmp`, which can belong to one photo only.
    case full
    /// The name without the photo's extension, such as `IMG_1.xmp`, if no other raw file has that name. For a photo
    /// that isn't raw, no other photo may have it.
    case base
  }

  /// The treatment of raw files.
  public var raw = Raw.sidecar
  /// The photos for which new sidecars are created.
  public var new = New.raw
  /// The form of the names of new sidecars.
  public var name = Name.full

  /// Creates the default rules: raw files get sidecars with the whole name, other photos none.
  public init() {}

  /// Whether changes of `photo` go into a sidecar.
  func isBeside(_ photo: OpenFile) -> Bool {
    guard photo.image.type != .xmp else { return false }
    let layout = photo.image.layout
    return new == .always || photo.image.type.isRaw && (raw == .sidecar || layout.isReadOnly)
  }

  /// Whether changes go into a sidecar because the file has no room for them: some raw formats have slots of a fixed
  /// length.
  func isBeside(_ photo: OpenFile, because error: FileError) -> Bool {
    raw == .inPlace && new != .never && photo.image.type.isRaw && error.kind == .tooLarge
  }

  private func isReadOnlyRaw(_ photo: OpenFile) -> Bool { photo.image.type.isRaw && photo.image.layout.isReadOnly }

  /// Returns a note if the photo should be changed itself but can't be.
  func note(of photo: OpenFile) -> String? {
    guard raw == .inPlace, new != .always, isReadOnlyRaw(photo) else { return nil }
    return "can't be changed in place: what is asked for goes into a sidecar"
  }

  /// Returns how values can be removed that are in the file itself. `error` is why the file can't be changed although
  /// that was requested.
  func remedy(for photo: OpenFile, because error: FileError? = nil) -> String {
    if new == .always { return "leave out --sidecar always" }
    if let error { return "the file itself can't be changed: \(error.sentence)" }
    guard isReadOnlyRaw(photo) else { return "--raw in-place changes the file itself" }
    return photo.image.layout.blocks.contains { $0.content == .unlocatedPicture }
      ? "the file itself can't be changed: it has data that nothing in it lists, as raw files of some cameras have"
      : "such a file can't be changed itself: its format is only read"
  }
}
