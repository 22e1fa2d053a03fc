/// Everything that describes a photo is to go: EXIF, XMP, IPTC, comments, maker notes, previews, further images and
/// what follows the picture. What shows the picture right stays: its size, how it is turned, its colour profile.
public struct Erasure: Hashable, Sendable {
  /// The capture time that is believed stays, in EXIF.
  public var keepsDate = false

  /// Nothing else stays.
  public init() {}
}
