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

extension ImageSource {
  /// The identifier that the two halves of a Live Photo share, and no other files: from Apple's maker note in the
  /// still, and from the key `com.apple.quicktime.content.identifier` in the movie.
  var contentIdentifier: String? {
    if let data = layout.quickTime {
      return QuickTime(data, source).text(.key("com.apple.quicktime.content.identifier"))
    }
    guard let block = try? layout.exifBlock(of: source), let entry = block.directory(.exif)?[0x927C],
      let note = block.raw(entry)
    else { return nil }
    return AppleMakerNote.contentIdentifier(in: note)
  }
}

extension ImageType {
  /// Whether the type is a movie.
  var isMovie: Bool { [.mov, .mp4, .m4v, .threeGP].contains(self) }
}
