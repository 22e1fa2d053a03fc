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
  func note(of photo: OpenFile) -> Note? {
    guard raw == .inPlace, new != .always, isReadOnlyRaw(photo) else { return nil }
    return Note(.inSidecar, "can't be changed in place; the change goes into a sidecar")
  }

  /// Returns how values can be removed that are in the file itself; nil if the file can't be changed. `error` is why it
  /// can't, although that was requested.
  func remedy(for photo: OpenFile, because error: FileError? = nil) -> Remedy? {
    if let error { return error.remedy }
    if photo.image.layout.isReadOnly { return nil }
    guard new == .always else { return .changeInPlace }
    return .omitSidecar(changingRaw: photo.image.type.isRaw && raw == .sidecar)
  }

  /// Returns why the file itself can't be changed, as the end of a sentence; empty if it can.
  func obstacle(for photo: OpenFile, because error: FileError? = nil) -> String {
    if let error { return "; the file itself can't be changed: \(error.description)" }
    guard photo.image.layout.isReadOnly else { return "" }
    return photo.image.layout.blocks.contains { $0.content == .unlocatedPicture }
      ? "; the file itself can't be changed: it has image data that no TIFF directory refers to"
      : "; the file itself can't be changed: its format can't be edited"
  }
}

/// The file extension of the photo for which a sidecar was made. Lightroom and Camera Raw write it into the sidecar
/// (`photoshop:SidecarForExtension`).
enum SidecarExtension {
  private static let property = Array("SidecarForExtension".utf8)
  /// The length of the searched prefix. The property is in the first description; lists of brush strokes, which may
  /// take megabytes, come after it.
  private static let headCount = 1 << 18

  /// Returns the extension in lowercase. It is searched for, not parsed, since this runs for every pair in a folder.
  static func named(in sidecar: FilePath) -> String? {
    guard let source = try? FileSource(sidecar), let head = try? source.prefix(at: 0, count: headCount),
      let start = head.firstIndex(of: property)
    else { return nil }
    // Matches `="NEF"` or `>NEF<`.
    let rest = head.array[(start + property.count)...].prefix(64)
    let value = rest.drop { !$0.isLetterOrDigit }.prefix(while: \.isLetterOrDigit)
    return value.isEmpty ? nil : String(decoding: value, as: UTF8.self).lowercased()
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}
