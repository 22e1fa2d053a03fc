/// The picture or the frames of a WebP file.
extension WebPContainer {
  func properties(of type: ImageType, _ layout: Layout, source: any ByteSource) -> ImageProperties {
    var properties = ImageProperties(type, layout)
    (properties.colorModel, properties.bitDepth) = (.rgb, 8)
    guard let file = try? WebPFile(source) else { return properties }
    properties.hasAlpha = file.picture.hasAlpha
    properties.codec = codec(of: file)
    if let profile = file.chunk("ICCP"), profile.data.count <= 16 << 20 {
      properties.profileName = (try? source.bytes(profile.data)).flatMap(ColorProfile.name)
    }
    let frames = file.chunks.filter { $0.type == "ANMF" }
    guard !frames.isEmpty else { return properties }
    properties.frameCount = frames.count
    if frames.count > 1 { properties.mediaKind = .animatedImage }
    let sum = frames.reduce(0) { $0 + (number(in: $1, at: 12, of: file) ?? 0) }
    properties.duration = sum > 0 ? .milliseconds(sum) : nil
    return properties
  }

  func images(_ whole: ImageProperties, _ layout: Layout, source: any ByteSource) -> [ImageProperties] {
    guard let file = try? WebPFile(source) else { return [] }
    let frames = file.chunks.filter { $0.type == "ANMF" }
    guard frames.count > 1 else { return [] }
    return frames.map { frame in
      let sides = [6, 9].map { (number(in: frame, at: $0, of: file) ?? -1) + 1 }
      return whole.image(
        PixelSize(width: sides[0], height: sides[1]),
        duration: number(in: frame, at: 12, of: file).map { .milliseconds($0) })
    }
  }

  /// Returns a number of 24 bits in the head of a frame: at 6 and 9 its sides less one, at 12 its milliseconds.
  private func number(in frame: RIFFChunk, at offset: Int, of file: WebPFile) -> Int? {
    (try? file.source.bytes(at: frame.data.lowerBound + offset, count: 4).u32(0, .little)).map { Int($0 & 0xFF_FFFF) }
  }

  /// Returns `vp8` for lossy and `vp8l` for lossless coding of the picture, or of the first frame.
  private func codec(of file: WebPFile) -> String? {
    let kinds: [FourCC: String] = ["VP8 ": "vp8", "VP8L": "vp8l"]
    if let codec = file.chunks.lazy.compactMap({ kinds[$0.type] }).first { return codec }
    guard let frame = file.chunk("ANMF") else { return nil }
    var at = frame.data.lowerBound + WebPFile.frameHeadCount
    for _ in 0..<4 {
      guard at + 8 <= frame.data.upperBound, let head = try? file.source.bytes(at: at, count: 8),
        let type = try? head.u32(0, .big), let count = try? head.u32(4, .little)
      else { return nil }
      if let codec = kinds[FourCC(rawValue: type)] { return codec }
      at += 8 + Int(count) + Int(count) % 2
    }
    return nil
  }
}
