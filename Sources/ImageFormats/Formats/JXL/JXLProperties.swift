/// The header of a JPEG XL picture.
extension JXLContainer {
  func properties(of type: ImageType, _ layout: Layout, source: any ByteSource) -> ImageProperties {
    var properties = ImageProperties(type, layout)
    properties.codec = "jxl"
    guard let file = try? JXLFile(source), let head = try? file.codestreamHead() else { return properties }
    guard let header = try? JXLHeader(head) else { return properties }
    properties.pixelSize = header.size
    properties.orientation = header.orientation
    properties.bitDepth = header.bitDepth
    properties.hasAlpha = header.hasAlpha
    properties.colorModel = header.isGray ? .gray : .rgb
    if header.isHDR { properties.subtypes.insert(.hdr) }
    if header.isAnimated { properties.mediaKind = .animatedImage }
    return properties
  }
}

extension JXLFile {
  /// Returns the first bytes of the codestream, after its signature.
  fileprivate func codestreamHead() throws(FileError) -> Bytes {
    guard !isNaked else { return try source.prefix(at: 2, count: 256) }
    guard let box = codestreams.first else { throw FileError(.malformed, "has no codestream", at: 0) }
    // A part has a number first.
    let start = box.payload.lowerBound + (box.type == "jxlp" ? 4 : 0)
    return try source.prefix(at: start + 2, count: max(0, min(256, box.payload.upperBound - start - 2)))
  }
}

/// The beginning of a JPEG XL codestream (ISO/IEC 18181-1, annex D): the size of the image and what describes it.
private struct JXLHeader {
  let size: PixelSize?
  private(set) var orientation = 1
  private(set) var bitDepth = 8
  private(set) var hasAlpha = false
  private(set) var isGray = false
  private(set) var isAnimated = false
  private(set) var isHDR = false

  init(_ bytes: Bytes) throws(FileError) {
    var bits = BitReader(bytes)
    size = try Self.size(&bits)
    guard try !bits.flag() else { return }
    if try bits.flag() {
      orientation = try bits.number(3) + 1
      if try bits.flag() { _ = try Self.size(&bits) }
      if try bits.flag() { try Self.skipPreview(&bits) }
      if try bits.flag() {
        isAnimated = true
        _ = try bits.choice((0, 100), (0, 1_000), (10, 1), (30, 1))
        _ = try bits.choice((0, 1), (0, 1_001), (8, 1), (10, 1))
        _ = try bits.choice((0, 0), (3, 0), (16, 0), (32, 0))
        _ = try bits.flag()
      }
    }
    bitDepth = try Self.depth(&bits)
    _ = try bits.flag()
    let channels = try bits.choice((0, 0), (0, 1), (4, 2), (12, 1))
    for _ in 0..<channels {
      // Without further fields, the channel is alpha.
      if try bits.flag() {
        hasAlpha = true
        continue
      }
      let kind = try bits.choice((0, 0), (0, 1), (4, 2), (6, 18))
      _ = try Self.depth(&bits)
      _ = try bits.choice((0, 0), (0, 3), (0, 4), (3, 1))
      let length = try bits.choice((0, 0), (4, 0), (5, 16), (10, 48))
      for _ in 0..<length { _ = try bits.number(8) }
      switch kind {
      case 0:
        hasAlpha = true
        _ = try bits.flag()
      case 2: for _ in 0..<4 { _ = try bits.number(16) }
      case 5: _ = try bits.choice((0, 1), (2, 0), (4, 3), (8, 19))
      default: break
      }
    }
    _ = try bits.flag()
    // The colours: RGB of sRGB, unless something else follows.
    guard try !bits.flag() else { return }
    let hasProfile = try bits.flag()
    let space = try bits.choice((0, 0), (0, 1), (4, 2), (6, 18))
    isGray = space == 1
    guard !hasProfile, space != 2 else { return }
    let white = try bits.choice((0, 0), (0, 1), (4, 2), (6, 18))
    if white == 2 { try Self.skipCoordinates(1, &bits) }
    if !isGray {
      let primaries = try bits.choice((0, 0), (0, 1), (4, 2), (6, 18))
      if primaries == 2 { try Self.skipCoordinates(3, &bits) }
    }
    guard try !bits.flag() else { return }
    let transfer = try bits.choice((0, 0), (0, 1), (4, 2), (6, 18))
    isHDR = transfer == 16 || transfer == 18
  }

  /// Reads a height, and a width in proportion to it or by itself (D.2).
  private static func size(_ bits: inout BitReader) throws(FileError) -> PixelSize? {
    func side(_ bits: inout BitReader, inEights: Bool) throws(FileError) -> Int {
      inEights ? try (bits.number(5) + 1) * 8 : try bits.choice((9, 1), (13, 1), (18, 1), (30, 1))
    }
    let inEights = try bits.flag()
    let height = try side(&bits, inEights: inEights)
    let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
    let ratio = try bits.number(3)
    let width =
      ratio == 0 ? try side(&bits, inEights: inEights) : height * ratios[ratio - 1].0 / ratios[ratio - 1].1
    return PixelSize(width: width, height: height)
  }

  private static func skipPreview(_ bits: inout BitReader) throws(FileError) {
    func skipSide(_ bits: inout BitReader, inEights: Bool) throws(FileError) {
      _ =
        inEights
        ? try bits.choice((0, 16), (0, 32), (5, 1), (9, 33)) : try bits.choice((6, 1), (8, 65), (10, 321), (12, 1_345))
    }
    let inEights = try bits.flag()
    try skipSide(&bits, inEights: inEights)
    if try bits.number(3) == 0 { try skipSide(&bits, inEights: inEights) }
  }

  private static func depth(_ bits: inout BitReader) throws(FileError) -> Int {
    guard try bits.flag() else { return try bits.choice((0, 8), (0, 10), (0, 12), (6, 1)) }
    let depth = try bits.choice((0, 32), (0, 16), (0, 24), (6, 1))
    _ = try bits.number(4)
    return depth
  }

  private static func skipCoordinates(_ count: Int, _ bits: inout BitReader) throws(FileError) {
    for _ in 0..<2 * count { _ = try bits.choice((19, 0), (19, 524_288), (20, 1_048_576), (21, 2_097_152)) }
  }
}

/// Reads bits, the lowest of each byte first.
private struct BitReader {
  private let bytes: Bytes
  private var at = 0

  init(_ bytes: Bytes) { self.bytes = bytes }

  mutating func flag() throws(FileError) -> Bool { try number(1) == 1 }

  mutating func number(_ count: Int) throws(FileError) -> Int {
    var value = 0
    for place in 0..<count {
      value |= Int(try bytes.u8(at / 8) >> UInt8(at % 8) & 1) << place
      at += 1
    }
    return value
  }

  /// Reads two bits that choose one of four forms: a number of this many bits, plus a constant.
  mutating func choice(
    _ forms: (bits: Int, plus: Int)...
  ) throws(FileError) -> Int {
    let form = forms[try number(2)]
    return try number(form.bits) + form.plus
  }
}
