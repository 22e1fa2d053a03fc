public import SystemPackage

/// A picture file to be created from a photo, modelled on Apple's CGImageDestination. It has the picture and all metadata,
/// with the requested changes. A photo that has the format already isn't encoded again unless that is requested: only the
/// bytes of the changed metadata differ then.
///
/// ```swift
/// let photo = try ImageSource("/photos/IMG_1.HEIC")
/// let file = try await ImageDestination(.jpeg, of: photo, codecs: codecs).finalize()
/// ```
public struct ImageDestination: Sendable {
  /// Returns the formats for which there is an encoder.
  public static func supportedTypes(_ codecs: PictureCodecs) -> Set<ImageType> {
    Set([ImageType.jpeg, .heic, .avif].filter { $0.coding.map(codecs.encodable.contains) ?? false })
  }

  /// The format of the new file.
  public let type: ImageType
  /// The encoding quality, 1…100. At 95 the result is hardly distinguishable from the original.
  public let quality: Int
  /// Whether the picture of a photo that has the format already is encoded again, which is a loss.
  public let recodes: Bool
  /// The size to which a larger picture is scaled down; nil to keep its size.
  public let scaling: PictureScaling?
  private let coding: PictureCoding?
  private let codecs: PictureCodecs
  private let image: ImageSource
  private let edit: MetadataEdit

  /// Creates a destination.
  /// - Parameters:
  ///   - type: The format of the new file.
  ///   - image: The photo, which has a format that can be decoded.
  ///   - edit: The changes of its metadata.
  ///   - quality: The encoding quality, 1…100; values outside count as the nearest.
  ///   - recodes: Whether the picture of a photo that has the format already is encoded again: upright, in this quality.
  ///   - scaling: The size to which a larger picture is scaled down, and for that encoded again; nil to keep its size.
  ///   - codecs: The installed codecs.
  /// - Throws: `FileError` of kind `.unsupported`, with the reason, when such a file can't be created here.
  public init(
    _ type: ImageType, of image: ImageSource, applying edit: MetadataEdit = MetadataEdit(), quality: Int = 95,
    recodes: Bool = false, scaling: PictureScaling? = nil, codecs: PictureCodecs
  ) throws(FileError) {
    let coding = type.coding
    // A copy in the same format needs no encoder.
    if image.type != type || recodes || scaling != nil {
      guard let coding else { throw FileError(.noEncoder, "\(type.name) files can't be created") }
      guard codecs.encodable.contains(coding) else { throw FileError.noEncoder(for: coding) }
    }
    (self.type, self.coding, self.codecs) = (type, coding, codecs)
    (self.image, self.edit) = (image, edit)
    self.quality = min(max(1, quality), 100)
    self.recodes = recodes
    self.scaling = scaling
  }

  /// Creates the file, outside Swift's threads. A picture that is encoded again is upright, and so is its orientation tag.
  /// - Throws: `CancellationError` when the task is cancelled. `FileError`: `.unsupported` when the picture can't be decoded,
  ///   `.tooLarge` when the format has no room for its metadata; and the errors of `ImageSource.patch(for:)` for the
  ///   changes.
  public func finalize() async throws -> PictureFile {
    try await codecs.inTurn { turn throws(FileError) in try finalize(turn) }
  }

  /// Creates the file, for a thread that may block.
  package func finalize() throws(FileError) -> PictureFile {
    try codecs.inTurn(blocking: { turn throws(FileError) in try finalize(turn) })
  }

  private func finalize(_ turn: PictureCodecs.Turn) throws(FileError) -> PictureFile {
    if image.type == type, !recodes, scaling == nil {
      let isTurned = (image.properties.orientation ?? 1) > 4
      let size = image.properties.pixelSize
      return PictureFile(
        bytes: try image.bytes(applying: edit), pixelSize: isTurned ? size?.turned : size, losses: [])
    }
    let isAlike = image.type == type
    let source = try PictureSource(image, to: coding)
    let expected = scaling?.size(of: source.expectedSize) ?? source.expectedSize
    let isScaled = expected != source.expectedSize
    if isAlike, !recodes, !isScaled {
      return PictureFile(bytes: try image.bytes(applying: edit), pixelSize: expected, losses: [])
    }
    var made = try attempt(source, at: expected, turn)
    if type != .jpeg, made.pixelSize != expected {
      // A HEIF file's metadata is written with the picture, whose size is certain only then.
      made = try attempt(source, at: made.pixelSize ?? expected, turn)
    }
    let file = Bytes(made.bytes)
    let patch = try ImageSource(file, path: image.path).patch(for: edit)
    var losses = [Note(.recoded, "the original encoding of the picture")]
    if isScaled {
      losses.append(
        Note(
          .scaledDown,
          "the full size (\(source.expectedSize.description) became \((made.pixelSize ?? expected).description) pixels)"
        )
      )
    }
    return PictureFile(
      bytes: try patch.applied(to: file), pixelSize: made.pixelSize, losses: losses + made.losses)
  }

  private func attempt(
    _ source: PictureSource, at expected: PixelSize, _ turn: PictureCodecs.Turn
  ) throws(FileError) -> PictureFile {
    var recoding = source.recoding
    recoding.quality = UInt8(clamping: quality)
    recoding.scaling = scaling
    guard type != .jpeg else {
      let picture = try turn.recode(source.bytes, recoding)
      let blocks = try image.blocks(describing: picture.size, turned: Int(recoding.orientation))
      let file = try JPEGAssembly.file(
        picture.bytes, exif: blocks.exif, xmp: blocks.xmp, iptc: blocks.iptc,
        profile: source.profile.isEmpty ? picture.profile : source.profile)
      return PictureFile(bytes: file, pixelSize: picture.size, losses: source.losses + blocks.losses)
    }
    let blocks = try image.blocks(describing: expected, turned: Int(recoding.orientation))
    let picture = try turn.recode(
      source.bytes, recoding, beside: [blocks.exif, blocks.xmp, blocks.iptc, source.profile])
    return PictureFile(bytes: picture.bytes, pixelSize: picture.size, losses: source.losses + blocks.losses)
  }
}

/// A complete picture file in memory.
public struct PictureFile: Sendable {
  /// The bytes of the file.
  public let bytes: [UInt8]
  /// The size of the picture as displayed; nil for a lossless copy of a file that doesn't record it.
  public let pixelSize: PixelSize?
  /// The features of the photo that this file lacks: "the depth map". A picture that was encoded again lacks its original
  /// encoding.
  public let losses: [Note]
}

extension PictureFile {
  /// Writes the bytes into a new file, which is on the disk when this returns.
  /// - Throws: `FileError`: `.conflict` when `path` exists already, `.io` when it can't be written.
  public func write(to path: FilePath) async throws(FileError) {
    try await offloading { Result { () throws(FileError) in try FreshFile.write(bytes, to: path) } }.get()
  }
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

/// A JPEG copy of a photo, for programs that can't read or change its format.
struct JPEGCopy: Sendable {
  /// The bytes of the file.
  let bytes: [UInt8]
  /// The features of the photo that the JPEG lacks: "the depth map".
  let losses: [Note]
}

extension ImageSource {
  /// Returns the picture of a HEIF or AVIF file as JPEG with all its metadata. It is upright; a profile describes its
  /// colours; maker notes keep every byte and their offset. The EXIF thumbnail is left out, since it would not be
  /// upright.
  /// - Parameter quality: The encoding quality, 1…100.
  /// - Throws: `.unsupported` when there is no codec for it, or it fails; `.tooLarge` when its EXIF or XMP doesn't fit.
  func jpegCopy(quality: Int, codecs: PictureCodecs) throws(FileError) -> JPEGCopy {
    let file = try ImageDestination(.jpeg, of: self, quality: quality, codecs: codecs).finalize()
    return JPEGCopy(bytes: file.bytes, losses: file.losses.filter { $0.code != .recoded })
  }

  /// Returns the metadata blocks for an upright copy of the picture with this size; missing blocks are empty.
  /// - Parameter orientation: How the stored picture was turned, as in EXIF.
  func blocks(
    describing size: PixelSize, turned orientation: Int
  ) throws(FileError) -> (exif: [UInt8], xmp: [UInt8], iptc: [UInt8], losses: [Note]) {
    var xmp: [UInt8] = []
    if let range = layout.xmp {
      let bytes = try source.bytes(range)
      xmp = XMPTree.recoded(
        try (try? XMPPacket(bytes))?.describing(size) ?? bytes.array, orientation: max(1, orientation), size: size)
    }
    let exif = try layout.exifBlock(of: source)?.describing(size) ?? []
    let iptc = try layout.iptc.map { range throws(FileError) in try source.bytes(range).array } ?? []
    // The additional pictures are a loss of the picture.
    let unread = layout.notes.filter { $0 != .furtherImages }
    return (exif, xmp, iptc, unread.map { Note($0.code, "a part that was not copied: it \($0.sentence)") })
  }
}

/// A photo's picture in the form that the codecs need to recode it.
struct PictureSource: Sendable {
  /// The file, or a modified copy that decoders support better.
  let bytes: any ByteSource
  let recoding: CodecWire.Recoding
  /// The size of the upright picture, as far as it is known without decoding.
  let expectedSize: PixelSize
  /// The colour profile; empty for sRGB.
  let profile: [UInt8]
  /// The features of the photo that the new file will lack.
  let losses: [Note]

  /// Prepares the picture of a photo.
  /// - Throws: `.unsupported` for formats whose pixels are not read.
  init(_ image: ImageSource, to target: PictureCoding?) throws(FileError) {
    guard let picture = try image.container.codedPicture(image.layout, source: image.file) else {
      throw FileError(
        .noDecoder,
        "\(image.type.name) files can't be decoded")
    }
    var recoding = picture.recoding(to: target)
    if !picture.isUpright { recoding.orientation = UInt8(clamping: image.properties.orientation ?? 1) }
    bytes = picture.bytes
    self.recoding = recoding
    expectedSize = recoding.orientation > 4 ? picture.size.turned : picture.size
    profile = picture.profile
    losses = picture.losses
  }
}

extension CodedPicture {
  /// Returns the request to recode the whole picture.
  func recoding(to target: PictureCoding?) -> CodecWire.Recoding {
    var recoding = CodecWire.Recoding()
    recoding.item = UInt32(clamping: item)
    recoding.from = coding
    recoding.to = target
    recoding.hasFullChroma = hasFullChroma
    (recoding.primaries, recoding.transfer) = (UInt8(clamping: primaries), UInt8(clamping: transfer))
    return recoding
  }
}
