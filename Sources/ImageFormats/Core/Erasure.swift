/// Erasing of everything that describes a photo: EXIF, XMP, IPTC, comments, maker notes, previews, further images and
/// data after the picture. Data needed for correct display stays: size, orientation, colour profile.
public struct Erasure: Hashable, Sendable {
  /// Whether the preferred capture time stays, in EXIF.
  public var keepsDate = false

  /// Creates an erasure that keeps nothing else.
  public init() {}
}
