/// A photo's picture as the codecs need to see it to code it anew.
struct PictureSource: Sendable {
  /// The file, or a private copy that decoders understand better.
  let bytes: any ByteSource
  let recoding: CodecWire.Recoding
  /// The size it will have upright, as far as the file tells without decoding.
  let expectedSize: PixelSize
  /// What tells its colours; empty where sRGB is meant.
  let profile: [UInt8]
  /// What the new file won't hold.
  let losses: [String]

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
