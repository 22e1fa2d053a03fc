/// The pictures in a file from which its thumbnail can be made, best first.
struct ThumbnailRequest: Sendable {
  let image: ImageSource
  let scaling: PictureScaling

  /// Returns the picture itself, scaled down.
  func decoded(_ turn: PictureCodecs.Turn) throws(FileError) -> PixelBuffer {
    let picture = try PictureSource(image, to: nil)
    return try pixels(picture.bytes, picture.recoding, profile: picture.profile, turn)
  }

  /// Returns the preview in the file: a HEIF thumbnail (`thmb`), the JPEG of a raw file, the cover of a movie, or the one in
  /// EXIF; nil if there is none that can be decoded.
  func preview(_ turn: PictureCodecs.Turn) -> (pixels: PixelBuffer, isDegraded: Bool)? {
    let (layout, source) = (image.layout, image.source)
    let block = try? layout.exifBlock(of: source)
    // A thumbnail coded like the picture itself may need a decoder that isn't installed.
    if image.type.isHEIFOrAVIF, let picture = try? image.container.codedPicture(layout, source: image.file),
      let item = picture.thumbnail
    {
      var recoding = picture.recoding(to: nil)
      recoding.item = UInt32(clamping: item)
      if let found = preview(picture.bytes, recoding, profile: picture.profile, of: picture.size, turn) { return found }
    }
    if let preview = bestPreview(block) {
      var recoding = CodecWire.Recoding(from: preview.coding, to: nil)
      // The cover of a movie is upright.
      recoding.orientation = image.type.isMovie ? 1 : UInt8(clamping: image.properties.orientation ?? 1)
      if let found = self.preview(preview.bytes, recoding, profile: [], of: layout.pixelSize, turn) { return found }
    }
    guard let block, let range = block.thumbnail, let bytes = try? block.bytes(range) else { return nil }
    let orientation = block.integer(of: TIFFTag.orientation, in: .ifd0) ?? 1
    let recoding = CodecWire.Recoding(to: nil, orientation: UInt8(clamping: orientation))
    return preview(bytes, recoding, profile: [], of: layout.pixelSize, turn)
  }

  /// Returns a preview, and whether the picture, whose size isn't always known, would be larger or have other proportions.
  private func preview(
    _ bytes: any ByteSource, _ recoding: CodecWire.Recoding, profile: [UInt8], of size: PixelSize?,
    _ turn: PictureCodecs.Turn
  ) -> (pixels: PixelBuffer, isDegraded: Bool)? {
    guard let pixels = try? pixels(bytes, recoding, profile: profile, turn) else { return nil }
    let upright = size.map { recoding.orientation > 4 ? $0.turned : $0 }
    let wanted = upright.map(scaling.size) ?? scaling.longest
    let isSmaller = max(pixels.size.width, pixels.size.height) < max(wanted.width, wanted.height)
    // Cameras put bars on a preview, and programs that crop a picture leave the old one. The sides of a raw file's pixels, some
    // of which aren't shown, say nothing.
    let isOther = !image.layout.isRaw && upright.map { !pixels.size.isLike($0) } ?? false
    return (pixels, isSmaller || isOther)
  }

  private func pixels(
    _ bytes: any ByteSource, _ recoding: CodecWire.Recoding, profile: [UInt8], _ turn: PictureCodecs.Turn
  ) throws(FileError) -> PixelBuffer {
    var recoding = recoding
    recoding.scaling = scaling
    let made = try turn.recode(bytes, recoding)
    let (width, height) = (made.size.width, made.size.height)
    guard width.multipliedReportingOverflow(by: height).partialValue == made.bytes.count / 4, made.bytes.count % 4 == 0
    else { throw FileError(.decoderCrashed, "the decoder returned a picture of another size") }
    let isRGB = profile.count > 128 && Bytes(profile).has("RGB ".utf8, at: 16)
    return PixelBuffer(size: made.size, bytes: made.bytes, profile: isRGB ? profile : made.profile)
  }

  /// Returns the smallest of the pictures in a raw file or movie that is large enough, otherwise the largest.
  private func bestPreview(_ block: TIFFBlock?) -> (bytes: SourcePart, coding: PictureCoding)? {
    let (layout, source) = (image.layout, image.source)
    let previews = image.container.previews(layout, source: image.file)
    guard !previews.isEmpty else { return nil }
    let small = block.flatMap { block in
      block.thumbnail.map { $0.lowerBound + block.range.lowerBound..<$0.upperBound + block.range.lowerBound }
    }
    let wanted = layout.pixelSize.map(scaling.size) ?? scaling.longest
    let found = (previews + (small.map { [$0] } ?? [])).compactMap { range in
      (try? SourcePart(source, range)).flatMap(EmbeddedPicture.init)
    }
    let enough = found.filter { $0.side >= max(wanted.width, wanted.height) }.min { $0.side < $1.side }
    return (enough ?? found.max { $0.side < $1.side }).map { ($0.bytes, $0.coding) }
  }
}

/// A JPEG or PNG file in another file.
private struct EmbeddedPicture {
  let bytes: SourcePart
  let coding: PictureCoding
  /// The length of the longer side.
  let side: Int

  init?(_ bytes: SourcePart) {
    self.bytes = bytes
    if let segments = try? JPEGSegments(of: bytes) {
      // Lossless data of a raw file begin like a JPEG too (SOF3), but no picture decoder reads them.
      guard segments.all.contains(where: { (0xC0...0xC2).contains($0.marker) }), let frame = segments.frame else {
        return nil
      }
      (coding, side) = (.jpeg, Int(max(frame.width, frame.height)))
    } else if let size = (try? PNGFile(bytes))?.pixelSize {
      (coding, side) = (.png, max(size.width, size.height))
    } else {
      return nil
    }
  }
}

extension PixelSize {
  /// Whether this could be the size of the other picture, scaled down: within a twentieth, and a pixel of rounding.
  fileprivate func isLike(_ other: PixelSize) -> Bool {
    let scaled = PictureScaling.maxPixels(max(width, height)).size(of: other)
    return abs(scaled.width - width) <= 1 + width / 20 && abs(scaled.height - height) <= 1 + height / 20
  }
}

extension PictureScaling {
  /// The largest size that a picture can have afterwards, as far as is known without its size.
  fileprivate var longest: PixelSize {
    switch self {
    case .fitting(let box), .filling(let box): box
    }
  }
}
