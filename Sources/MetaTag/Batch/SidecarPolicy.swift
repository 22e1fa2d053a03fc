import SystemPackage

/// Which changes go into sidecars, and what new ones are called.
public struct SidecarPolicy: Hashable, Sendable {
  /// What is done with raw files.
  public enum Raw: String, Sendable, CaseIterable {
    /// They stay as they are, to the last byte: their sidecars say it.
    case sidecar
    /// They are changed themselves, as far as their format can be.
    case inPlace = "in-place"
  }

  /// Which photos get a sidecar that have none.
  public enum New: String, Sendable, CaseIterable {
    /// Raw files.
    case raw
    /// All: no photo is changed itself.
    case always
    /// None.
    case never
  }

  /// What new ones are called.
  public enum Name: String, Sendable, CaseIterable {
    /// `IMG_1.NEF.xmp`, which can mean one photo only.
    case full
    /// `IMG_1.xmp`, where no other raw file has that name or, beside a photo that is none, no other photo.
    case base
  }

  /// What is done with raw files.
  public var raw = Raw.sidecar
  /// Which photos get a sidecar that have none.
  public var new = New.raw
  /// What new ones are called.
  public var name = Name.full

  /// Raw files get sidecars of the whole name, other photos none.
  public init() {}

  /// Whether what is to change in `photo` is written beside it.
  func isBeside(_ photo: OpenFile) -> Bool {
    guard photo.image.type != .xmp else { return false }
    let layout = photo.image.layout
    return new == .always || layout.rawKind != nil && (raw == .sidecar || layout.isSidecarOnly)
  }

  /// Whether it is written there because the file has no room: some raw formats have slots of a fixed length.
  func isBeside(_ photo: OpenFile, because error: FileError) -> Bool {
    raw == .inPlace && new != .never && photo.image.layout.rawKind != nil && error.kind == .tooLarge
  }

  /// What is told of a photo that should be changed itself and can't be.
  func note(of photo: OpenFile) -> String? {
    guard raw == .inPlace, new != .always, photo.image.layout.isSidecarOnly else { return nil }
    return "can't be changed in place: what is asked for goes into a sidecar"
  }

  /// How what only the file itself can lose may be had; `error` is why it can't be changed although that was asked for.
  func remedy(for photo: OpenFile, because error: FileError? = nil) -> String {
    if new == .always { return "leave out --sidecar always" }
    if let error { return "the file itself can't be changed: \(error.sentence)" }
    guard photo.image.layout.isSidecarOnly else { return "--raw in-place changes the file itself" }
    return photo.image.type.isTIFFBased
      ? "the file itself can't be changed: it has data that nothing in it lists, as raw files of some cameras have"
      : "such a file can't be changed itself: its format is only read"
  }
}
