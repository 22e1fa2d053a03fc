/// The frame, profile and density of a JPEG.
extension JPEGContainer {
  package func properties(of type: ImageType, _ layout: Layout, source: any ByteSource) -> ImageProperties {
    var properties = ImageProperties(type, layout)
    properties.codec = "jpeg"
    properties.hasAlpha = false
    guard let segments = try? JPEGSegments(of: source) else { return properties }
    if let frame = segments.frame {
      properties.bitDepth = Int(frame.precision)
      properties.colorModel = frame.colorModel
    }
    properties.profileName = (try? segments.profile(in: source)).flatMap { ColorProfile.name(in: Bytes($0)) }
    properties.density = try? segments.density(in: source)
    if let pictures = try? MultiPicture(segments, source) {
      properties.imageCount = max(1, pictures.views.count)
      if pictures.others.contains(where: { isGainMap($0, of: source) }) {
        properties.auxiliaryImages.insert(.gainMap)
        properties.subtypes.insert(.hdr)
      }
    }
    return properties
  }

  package func images(_ whole: ImageProperties, _ layout: Layout, source: any ByteSource) -> [ImageProperties] {
    guard whole.imageCount > 1, let segments = try? JPEGSegments(of: source),
      let views = (try? MultiPicture(segments, source))?.views
    else { return [] }
    return views.map { range in
      let frame = (try? SourcePart(source, range)).flatMap { try? JPEGSegments(of: $0) }?.frame
      var view = whole.image(frame.flatMap { PixelSize(width: Int($0.width), height: Int($0.height)) })
      (view.bitDepth, view.colorModel) = (frame.map { Int($0.precision) }, frame?.colorModel)
      return view
    }
  }
}

/// Whether an additional picture is a gain map, by its XMP: Apple's, or Adobe's, which Android writes too.
private func isGainMap(_ range: Range<Int>, of source: any ByteSource) -> Bool {
  guard let picture = try? SourcePart(source, range), let segments = try? JPEGSegments(of: picture),
    let segment = segments[.xmp], let packet = try? picture.bytes(segment.payload)
  else { return false }
  return ["aux:hdrgainmap", "http://ns.adobe.com/hdr-gain-map/1.0/"].contains {
    packet.firstIndex(of: Array($0.utf8)) != nil
  }
}

extension JPEGSegments.Frame {
  fileprivate var colorModel: ColorModel? {
    switch components {
    case 1: .gray
    case 3: .rgb
    case 4: .cmyk
    default: nil
    }
  }
}

extension JPEGSegments {
  /// Returns the density in the JFIF segment (ITU-T T.871, 10.1); nil if it has only a ratio.
  fileprivate func density(in source: any ByteSource) throws(FileError) -> PixelDensity? {
    guard let segment = self[.jfif], segment.payload.count >= 12 else { return nil }
    let fields = try source.bytes(at: segment.payload.lowerBound, count: 12)
    guard fields.has("JFIF\0".utf8) else { return nil }
    let (horizontal, vertical) = (Double(try fields.u16(8, .big)), Double(try fields.u16(10, .big)))
    switch try fields.u8(7) {
    case 1: return PixelDensity(horizontal: horizontal, vertical: vertical)
    case 2: return PixelDensity(horizontal: horizontal * 2.54, vertical: vertical * 2.54)
    default: return nil
    }
  }
}

/// The list of pictures of a multi-picture file (CIPA DC-007, 5.2.3).
private struct MultiPicture {
  /// The ranges of pictures that are views of their own: of a panorama, of a stereo pair, or from several angles. Large
  /// thumbnails show the first picture again.
  var views: [Range<Int>] = []
  /// The ranges of the other pictures.
  var others: [Range<Int>] = []

  private static let entryCount = 16

  /// Returns nil if the file has no such list.
  init?(_ segments: JPEGSegments, _ source: any ByteSource) throws(FileError) {
    guard let segment = segments[.multiPicture], segment.payload.count > 12,
      let block = try? TIFFBlock(source, segment.payload.lowerBound + 4..<segment.payload.upperBound),
      let range = block.ifd0[0xB002]?.value
    else { return nil }
    let table = try block.bytes(range)
    for at in stride(from: 0, to: table.count - Self.entryCount + 1, by: Self.entryCount) {
      // The offset counts from the list's head; that of the first picture is 0.
      let (count, offset) = (Int(try table.u32(at + 4, block.order)), Int(try table.u32(at + 8, block.order)))
      let start = offset == 0 ? 0 : segment.payload.lowerBound + 4 + offset
      let range = min(start, source.count)..<min(start + count, source.count)
      switch try table.u32(at, block.order) & 0xFF_FFFF {
      // The baseline picture, and those of a panorama, of a stereo pair and from several angles.
      case 0x03_0000, 0x02_0001...0x02_0003: views.append(range)
      default: others.append(range)
      }
    }
  }
}
