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
    switch image.type {
    case .heic, .heif, .avif:
      let pixels = try HEIFPixels(HEIFFile(image.source))
      bytes = try pixels.readable()
      recoding = try pixels.recoding(to: target)
      expectedSize = pixels.size
      profile = pixels.colour.profile ?? []
      losses = try pixels.losses()
    case .jpeg:
      let segments = try JPEGSegments(of: image.source)
      var recoding = CodecWire.Recoding()
      recoding.to = target
      recoding.orientation = UInt8(clamping: image.properties.orientation ?? 1)
      recoding.hasFullChroma = segments.hasFullChroma
      // sRGB, unless a profile says something else.
      (recoding.primaries, recoding.transfer) = (1, 13)
      bytes = image.source
      self.recoding = recoding
      guard let stored = image.layout.pixelSize else {
        throw FileError(.unsupported, "doesn't say how large its picture is")
      }
      expectedSize = recoding.orientation > 4 ? stored.turned : stored
      profile = try segments.profile(in: image.source)
      losses = try segments.losses(in: image.source)
    default:
      throw FileError(
        .unsupported,
        "pictures of \(image.type.name) files are not decoded by this version, only those of JPEG, HEIF and AVIF")
    }
  }
}
