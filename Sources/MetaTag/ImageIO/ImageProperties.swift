/// The properties of a photo apart from date and location, modelled on CGImageSourceCopyPropertiesAtIndex.
public struct ImageProperties: Hashable, Sendable {
  /// The format of the content, whatever the file's name.
  public let type: ImageType
  /// The size of the main image; nil if its container doesn't record it.
  public let pixelSize: PixelSize?
  /// The EXIF orientation, 1…8; nil if none is recorded.
  public let orientation: Int?
}

extension ImageSource {
  /// The photo's properties, without decoding its pixels.
  public var properties: ImageProperties {
    ImageProperties(type: type, pixelSize: layout.pixelSize, orientation: metadata().orientation)
  }
}
