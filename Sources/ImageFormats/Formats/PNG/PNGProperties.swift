/// The header, profile, density and frames of a PNG.
extension PNGContainer {
  package func properties(of type: ImageType, _ layout: Layout, source: any ByteSource) -> ImageProperties {
    var properties = ImageProperties(type, layout)
    properties.codec = "deflate"
    guard let file = try? PNGFile(source) else { return properties }
    func first(_ type: FourCC) -> Bytes? {
      file.chunks.first { $0.type == type }.flatMap { chunk in
        chunk.data.count <= PNGContainer.longestProperty ? try? source.bytes(chunk.data) : nil
      }
    }
    let isTransparent = file.chunks.contains { $0.type == "tRNS" }
    if let header = first("IHDR"), let depth = try? header.u8(8), let color = try? header.u8(9) {
      // Colour type 3 is a palette, whose colours have 8 bits.
      properties.bitDepth = color == 3 ? 8 : Int(depth)
      properties.colorModel = color & 2 == 0 ? .gray : .rgb
      properties.hasAlpha = color & 4 != 0 || isTransparent
    }
    properties.profileName = first("iCCP").flatMap(PNGContainer.profileName)
    if let density = first("pHYs"), (try? density.u8(8)) == 1, let horizontal = try? density.u32(0, .big),
      let vertical = try? density.u32(4, .big)
    {
      properties.density = PixelDensity(perMetre: Double(horizontal), Double(vertical))
    }
    // The transfer characteristics of ITU-T H.273: PQ and HLG.
    if let coding = first("cICP"), let transfer = try? coding.u8(1), transfer == 16 || transfer == 18 {
      properties.subtypes.insert(.hdr)
    }
    if let count = first("acTL").flatMap({ try? $0.u32(0, .big) }), count > 0 {
      properties.frameCount = Int(count)
      properties.duration = duration(of: file)
      if count > 1 { properties.mediaKind = .animatedImage }
    }
    return properties
  }

  package func images(_ whole: ImageProperties, _ layout: Layout, source: any ByteSource) -> [ImageProperties] {
    guard whole.mediaKind == .animatedImage, let file = try? PNGFile(source) else { return [] }
    return file.chunks.filter { $0.type == "fcTL" }.compactMap { chunk in
      guard let control = try? source.bytes(chunk.data), let width = try? control.u32(4, .big),
        let height = try? control.u32(8, .big)
      else { return nil }
      return whole.image(PixelSize(width: Int(width), height: Int(height)), duration: delay(in: control))
    }
  }

  /// Returns the delay in a frame's control chunk, of which a denominator of 0 means hundredths of a second.
  private func delay(in control: Bytes) -> Duration? {
    guard let delay = try? control.u16(20, .big), let scale = try? control.u16(22, .big) else { return nil }
    return .seconds(Double(delay) / Double(scale == 0 ? 100 : scale))
  }

  /// The limit of a chunk that is read for a property.
  private static let longestProperty = 16 << 20

  /// Returns the name in a packed profile, after its keyword and the method of compression.
  private static func profileName(in chunk: Bytes) -> String? {
    guard let end = chunk.firstIndex(of: [0]), let packed = try? chunk.bytes(end + 2..<chunk.count),
      let profile = try? Zlib.unpacked(packed, limit: longestProperty)
    else { return nil }
    return ColorProfile.name(in: Bytes(profile))
  }

  /// Returns the sum of the frames' delays (`fcTL`).
  private func duration(of file: PNGFile) -> Duration? {
    var sum = Duration.zero
    for chunk in file.chunks where chunk.type == "fcTL" {
      guard let control = try? file.source.bytes(chunk.data), let delay = delay(in: control) else { return nil }
      sum += delay
    }
    return sum > .zero ? sum : nil
  }
}
