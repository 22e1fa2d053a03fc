/// A JPEG copy of a photo, for programs that can't read or change its format.
struct JPEGCopy: Sendable {
  /// The bytes of the file.
  let bytes: [UInt8]
  /// Descriptions of what the JPEG lacks of the photo: "the depth map".
  let losses: [String]
}

extension ImageSource {
  /// Returns the picture of a HEIF or AVIF file as JPEG with all its metadata. It is upright; a profile describes its
  /// colours; maker notes keep every byte and their offset. The EXIF thumbnail is left out, since it would not be
  /// upright.
  /// - Parameter quality: The encoding quality, 1…100.
  /// - Throws: `.unsupported` when there is no codec for it, or it fails; `.tooLarge` when its EXIF or XMP doesn't fit.
  func jpegCopy(quality: Int, codecs: PictureCodecs) throws(FileError) -> JPEGCopy {
    var destination = try ImageDestination(.jpeg, quality: quality, codecs: codecs)
    destination.add(self)
    let file = try destination.finalize()
    return JPEGCopy(bytes: file.bytes, losses: file.losses)
  }

  /// Returns the metadata blocks for an upright copy of the picture with this size; missing blocks are empty.
  func blocks(
    describing size: PixelSize
  ) throws(FileError) -> (exif: [UInt8], xmp: [UInt8], iptc: [UInt8], losses: [String]) {
    var xmp: [UInt8] = []
    if let range = layout.xmp {
      let bytes = try source.bytes(range)
      xmp = try (try? XMPPacket(bytes))?.describing(size) ?? bytes.array
    }
    let exif = try layout.exifBlock(of: source)?.describing(size) ?? []
    let iptc = try layout.iptc.map { range throws(FileError) in try source.bytes(range).array } ?? []
    return (exif, xmp, iptc, layout.notes.map(\.description))
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
  /// Descriptions of what the new file will lack.
  let losses: [String]

  /// Prepares the picture of a photo.
  /// - Throws: `.unsupported` for formats whose pixels are not read.
  init(_ image: ImageSource, to target: PictureCoding) throws(FileError) {
    guard let picture = try image.container.codedPicture(image.layout, source: image.file) else {
      throw FileError(
        .unsupported,
        "pictures of \(image.type.name) files are not decoded by this version, only those of JPEG, HEIF and AVIF")
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
  func recoding(to target: PictureCoding) -> CodecWire.Recoding {
    var recoding = CodecWire.Recoding()
    recoding.item = UInt32(clamping: item)
    recoding.from = coding
    recoding.to = target
    recoding.hasFullChroma = hasFullChroma
    (recoding.primaries, recoding.transfer) = (UInt8(clamping: primaries), UInt8(clamping: transfer))
    return recoding
  }
}
