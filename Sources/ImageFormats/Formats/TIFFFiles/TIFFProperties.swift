/// The main image and the pages of a TIFF or raw file.
extension TIFFContainer {
  package func properties(of type: ImageType, _ layout: Layout, source: any ByteSource) -> ImageProperties {
    var properties = ImageProperties(type, layout)
    guard let block = try? TIFFBlock(source, 0..<source.count), let references = try? TIFFReferences(of: block) else {
      return properties
    }
    let isMakers = layout.isRaw && type != .dng
    guard let main = mainDirectory(of: block, references, isMakers: isMakers) else { return properties }
    describe(main, of: block, isRaw: layout.isRaw, &properties)
    if !layout.isRaw { properties.imageCount = max(1, references.directories.count { isPage($0, block) }) }
    return properties
  }

  package func images(_ whole: ImageProperties, _ layout: Layout, source: any ByteSource) -> [ImageProperties] {
    guard whole.imageCount > 1, let block = try? TIFFBlock(source, 0..<source.count),
      let references = try? TIFFReferences(of: block)
    else { return [] }
    return references.directories.filter { isPage($0, block) }.map { directory in
      let sides = [TIFFTag.imageWidth, TIFFTag.imageLength].map { block.integer(of: $0, in: directory) ?? 0 }
      var page = whole.image(PixelSize(width: sides[0], height: sides[1]))
      page.orientation = block.integer(of: TIFFTag.orientation, in: directory)
      page.profileName = nil
      describe(directory, of: block, isRaw: false, &page)
      return page
    }
  }

  /// Adds what a directory records about its picture.
  private func describe(
    _ directory: TIFFDirectory, of block: TIFFBlock, isRaw: Bool, _ properties: inout ImageProperties
  ) {
    func number(_ tag: UInt16) -> Int? { block.integer(of: tag, in: directory) }
    properties.bitDepth = number(TIFFTag.bitsPerSample) ?? (isRaw ? nil : 1)
    properties.codec = number(TIFFTag.compression).flatMap { Self.codecs[$0] }
    properties.colorModel = number(TIFFTag.photometricInterpretation).flatMap { Self.models[$0] }
    if !isRaw {
      let extra = directory[TIFFTag.extraSamples].map { block.integers(of: $0) } ?? []
      properties.hasAlpha = extra.contains { $0 == 1 || $0 == 2 }
    }
    if let profile = directory[TIFFTag.colorProfile].flatMap({ block.raw($0) }) {
      properties.profileName = ColorProfile.name(in: profile)
    }
  }

  /// Returns the directory of the main image: in a camera's own format the one with the most pixels, otherwise the first
  /// that is neither a smaller copy nor a mask.
  private func mainDirectory(
    of block: TIFFBlock, _ references: TIFFReferences, isMakers: Bool
  ) -> TIFFDirectory? {
    let pictures = references.directories.filter { isPage($0, block) }
    func area(_ directory: TIFFDirectory) -> Int {
      let sides = [TIFFTag.imageWidth, TIFFTag.imageLength].map { block.integer(of: $0, in: directory) ?? 0 }
      return sides[0].multipliedReportingOverflow(by: sides[1]).partialValue
    }
    return isMakers ? pictures.max { area($0) < area($1) } : pictures.first
  }

  /// Whether a directory describes a picture that is neither a smaller copy nor a mask (TIFF 6.0, NewSubfileType).
  private func isPage(_ directory: TIFFDirectory, _ block: TIFFBlock) -> Bool {
    (block.integer(of: TIFFTag.newSubfileType, in: directory) ?? 0) & 5 == 0
      && directory[TIFFTag.imageWidth] != nil && directory[TIFFTag.imageLength] != nil
  }

  /// Compressions (TIFF 6.0, its supplements, DNG, and the makers' own).
  private static let codecs: [Int: String] = [
    1: "none", 2: "ccitt", 3: "ccitt", 4: "ccitt", 5: "lzw", 6: "jpeg", 7: "jpeg", 8: "deflate", 32_773: "packbits",
    32_946: "deflate", 34_892: "jpeg", 34_925: "lzma", 50_000: "zstd", 50_001: "webp", 50_002: "jxl", 52_546: "jxl",
    34_712: "jp2", 34_713: "nef", 32_767: "arw", 65_535: "pef", 32_770: "srw", 65_000: "kdc",
  ]

  /// Photometric interpretations: also a sensor's pattern, and its values without a pattern (DNG).
  private static let models: [Int: ColorModel] = [
    0: .gray, 1: .gray, 2: .rgb, 3: .rgb, 5: .cmyk, 6: .rgb, 8: .lab, 9: .lab, 10: .lab, 32_803: .rgb, 34_892: .rgb,
  ]
}
