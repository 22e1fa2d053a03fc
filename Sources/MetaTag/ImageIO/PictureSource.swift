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
