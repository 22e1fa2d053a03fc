public import SystemPackage

/// A small picture of a photo.
public struct Thumbnail: Sendable {
  /// A JPEG file, upright, without metadata except its colour profile.
  public let jpeg: [UInt8]
  /// The size of the thumbnail.
  public let pixelSize: PixelSize
  /// Whether the thumbnail is smaller than requested, because it is the preview in the file.
  public let isDegraded: Bool
}

extension ImageSource {
  /// Returns a small picture of a JPEG, HEIF, AVIF or raw photo. If the preview in the file is large enough, that is
  /// returned. Otherwise it is passed to `meanwhile` and the picture is decoded. Cancelling the task ends the decoder.
  /// - Parameters:
  ///   - codecs: The installed codecs.
  ///   - maxPixels: The length of its longer side, 1…65535.
  ///   - meanwhile: Receives the preview, which is degraded, before the picture is decoded.
  /// - Returns: The thumbnail; the degraded preview if the picture can't be decoded.
  /// - Throws: `FileError`: `.unsupported` when there is neither, `.io` when the task was cancelled.
  public func thumbnail(
    maxPixels: Int, codecs: PictureCodecs, meanwhile: (Thumbnail) -> Void = { _ in }
  ) throws(FileError) -> Thumbnail {
    let longest = UInt32(min(max(1, maxPixels), 65_535))
    let preview = try? preview(longest, codecs)
    if let preview, !preview.isDegraded { return preview }
    if Task.isCancelled { throw FileError(.cancelled, "was cancelled") }
    if let preview { meanwhile(preview) }
    do throws(FileError) {
      let picture = try PictureSource(self, to: .jpeg)
      return try small(picture.bytes, picture.recoding, longest, codecs, profile: picture.profile)
    } catch {
      guard let preview, error.kind == .unsupported || error.kind == .malformed else { throw error }
      return preview
    }
  }

  /// Returns the preview in the file: a HEIF thumbnail (`thmb`), a raw file's JPEG, or the one in EXIF.
  private func preview(_ longest: UInt32, _ codecs: PictureCodecs) throws(FileError) -> Thumbnail? {
    // A thumbnail coded like the picture itself may need a decoder that isn't installed.
    if let picture = try? container.codedPicture(layout, source: file), let item = picture.thumbnail {
      var recoding = picture.recoding(to: .jpeg)
      recoding.item = UInt32(clamping: item)
      let small = try? small(
        picture.bytes, recoding, longest, codecs, profile: picture.profile, isPreview: true)
      if let small { return small }
    }
    if let range = bestPreview(longest) {
      var recoding = CodecWire.Recoding()
      recoding.orientation = UInt8(clamping: properties.orientation ?? 1)
      let small = try? small(try source.bytes(range), recoding, longest, codecs, profile: [], isPreview: true)
      if let small { return small }
    }
    guard let block = try layout.exifBlock(of: source), let range = block.thumbnail else { return nil }
    var recoding = CodecWire.Recoding()
    recoding.orientation = UInt8(clamping: block.integer(of: TIFFTag.orientation, in: .ifd0) ?? 1)
    return try small(try block.bytes(range), recoding, longest, codecs, profile: [], isPreview: true)
  }

  /// Returns the smallest of the JPEG files in a raw file that is large enough, otherwise the largest.
  private func bestPreview(_ longest: UInt32) -> Range<Int>? {
    guard !layout.previews.isEmpty else { return nil }
    let block = try? layout.exifBlock(of: source)
    let small = block.flatMap { block in
      block.thumbnail.map { $0.lowerBound + block.range.lowerBound..<$0.upperBound + block.range.lowerBound }
    }
    let sides = (layout.previews + (small.map { [$0] } ?? [])).compactMap { range -> (range: Range<Int>, side: Int)? in
      // Lossless data of a raw file begin like a JPEG too (SOF3), but no picture decoder reads them.
      guard let part = try? SourcePart(source, range), let segments = try? JPEGSegments(of: part),
        segments.all.contains(where: { (0xC0...0xC2).contains($0.marker) }), let frame = segments.frame
      else { return nil }
      return (range, Int(max(frame.width, frame.height)))
    }
    let enough = sides.filter { $0.side >= Int(longest) }.min { $0.side < $1.side }
    return (enough ?? sides.max { $0.side < $1.side })?.range
  }

  private func small(
    _ bytes: any ByteSource, _ wanted: CodecWire.Recoding, _ longest: UInt32, _ codecs: PictureCodecs,
    profile: [UInt8], isPreview: Bool = false
  ) throws(FileError) -> Thumbnail {
    var recoding = wanted
    recoding.longest = longest
    recoding.quality = 85
    let picture = try codecs.recode(bytes, recoding)
    let size = picture.size
    return Thumbnail(
      jpeg: try JPEGAssembly.file(picture.bytes, exif: [], xmp: [], iptc: [], profile: profile), pixelSize: size,
      isDegraded: isPreview && max(size.width, size.height) < Int(longest))
  }
}

extension Thumbnail {
  /// Writes the JPEG into a new file.
  /// - Throws: `FileError`: `.conflict` when `path` exists already, `.io` when it can't be written.
  public func write(to path: FilePath) throws(FileError) { try FreshFile.write(jpeg, to: path) }
}
