/// What a photo is, in the shape of what CGImageSourceCopyPropertiesAtIndex tells: nothing of when and where.
public struct ImageProperties: Hashable, Sendable {
  /// The format its bytes have, whatever its name says.
  public let type: ImageType
  /// Size of the main image; nil when its container doesn't say.
  public let pixelSize: PixelSize?
  /// EXIF orientation, 1…8; nil when none is recorded.
  public let orientation: Int?
}

extension ImageSource {
  /// What the photo is, without a look at its pixels.
  public var properties: ImageProperties {
    ImageProperties(type: type, pixelSize: layout.pixelSize, orientation: metadata().orientation)
  }
}
