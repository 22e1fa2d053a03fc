public import SystemPackage

/// A picture file to be created, modelled on Apple's CGImageDestination. It takes one photo with the requested changes,
/// and creates the bytes of a file with the picture and all its metadata.
public struct ImageDestination: Sendable {
  /// Returns the formats for which there is an encoder.
  public static func supportedTypes(_ codecs: PictureCodecs) -> Set<ImageType> {
    Set([ImageType.jpeg, .heic, .avif].filter { $0.coding.map(codecs.encodable.contains) ?? false })
  }

  /// The format of the new file.
  public let type: ImageType
  /// The encoding quality, 1…100. At 95 the result is hardly distinguishable from the original.
  public let quality: Int
  private let coding: PictureCoding
  private let codecs: PictureCodecs
  private var content: (image: ImageSource, edit: MetadataEdit)?

  /// Creates a destination without a photo.
  /// - Parameter quality: The encoding quality, 1…100; values outside count as the nearest.
  /// - Throws: `FileError` of kind `.unsupported`, with the reason, when such a file can't be created here.
  public init(_ type: ImageType, quality: Int = 95, codecs: PictureCodecs) throws(FileError) {
    guard let coding = type.coding else { throw FileError(.unsupported, "\(type.name) files can't be made") }
    guard codecs.encodable.contains(coding) else { throw FileError.noEncoder(for: coding) }
    (self.type, self.coding, self.codecs) = (type, coding, codecs)
    self.quality = min(max(1, quality), 100)
  }

  /// Sets the photo (JPEG, HEIF or AVIF) and the changes of its metadata. Replaces one that was set before.
  public mutating func add(_ image: ImageSource, edit: MetadataEdit = MetadataEdit()) { content = (image, edit) }

  /// Creates the file. Its picture is upright, and so is its orientation tag.
  /// - Throws: `FileError`: `.refused` when there is no photo yet, `.unsupported` when its picture can't be decoded,
  ///   `.tooLarge` when the format has no room for its metadata; and the errors of `ImageSource.patch(for:)` for the
  ///   changes.
  public func finalize() throws(FileError) -> PictureFile {
    guard let (image, edit) = content else { throw FileError(.refused, "there is no photo to make a file of") }
    let source = try PictureSource(image, to: coding)
    var made = try attempt(image, source, at: source.expectedSize)
    if type != .jpeg, made.pixelSize != source.expectedSize {
      // A HEIF file's metadata is written with the picture, whose size is certain only then.
      made = try attempt(image, source, at: made.pixelSize)
    }
    guard !edit.isEmpty else { return made }
    let file = Bytes(made.bytes)
    let patch = try ImageSource(file, path: image.path).patch(for: edit)
    return PictureFile(bytes: try patch.applied(to: file), pixelSize: made.pixelSize, losses: made.losses)
  }

  private func attempt(
    _ image: ImageSource, _ source: PictureSource, at expected: PixelSize
  ) throws(FileError) -> PictureFile {
    var recoding = source.recoding
    recoding.quality = UInt8(clamping: quality)
    guard type != .jpeg else {
      let picture = try codecs.recode(source.bytes, recoding)
      let blocks = try image.blocks(describing: picture.size)
      let file = try JPEGAssembly.file(
        picture.bytes, exif: blocks.exif, xmp: blocks.xmp, iptc: blocks.iptc, profile: source.profile)
      return PictureFile(bytes: file, pixelSize: picture.size, losses: source.losses + blocks.losses)
    }
    let blocks = try image.blocks(describing: expected)
    let picture = try codecs.recode(
      source.bytes, recoding, beside: [blocks.exif, blocks.xmp, blocks.iptc, source.profile])
    return PictureFile(bytes: picture.bytes, pixelSize: picture.size, losses: source.losses + blocks.losses)
  }
}

/// A complete picture file in memory.
public struct PictureFile: Sendable {
  /// The bytes of the file.
  public let bytes: [UInt8]
  /// The size of the picture as displayed.
  public let pixelSize: PixelSize
  /// Descriptions of what this file lacks of the photo: "the depth map".
  public let losses: [String]
}

extension PictureFile {
  /// Writes the bytes into a new file.
  /// - Throws: `FileError`: `.conflict` when `path` exists already, `.io` when it can't be written.
  public func write(to path: FilePath) throws(FileError) { try FreshFile.write(bytes, to: path) }
}

extension ImageType {
  /// The coding of pictures in this format, for a file that contains nothing else.
  var coding: PictureCoding? {
    switch self {
    case .jpeg: .jpeg
    case .heic: .hevc
    case .avif: .av1
    default: nil
    }
  }
}
