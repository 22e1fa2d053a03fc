/// JPEG 2000 (ISO/IEC 15444-1 and -2): boxes, or a bare codestream. The standard has no box for EXIF, IPTC or XMP;
/// programs put them into `uuid` boxes. Files are only read.
struct JPEG2000Container: ReadOnlyContainer {
  let types: [ImageType] = [.jp2]

  private static let signature: [UInt8] = [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
  /// The start of a codestream and of its segment with the sizes (ISO/IEC 15444-1, A.4.1 and A.5.1).
  private static let codestreamSignature: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51]
  private static let exifHeader = Array("Exif\0\0".utf8)
  private static let rdf = Array("\(XMPSchema.rdf.uri)".utf8)
  /// The limit of metadata in one box.
  private static let longest = 1 << 24

  /// The data in a `uuid` box, by its identifier, as exiv2 and ExifTool write and read it.
  private static let contents: [(id: [UInt8], content: Block.Content)] = [
    (Array("JpgTiffExif->JP2".utf8), .exif),
    // Photoshop's.
    ([0x05, 0x37, 0xCD, 0xAB, 0x9D, 0x0C, 0x44, 0x31, 0xA7, 0x2A, 0xFA, 0x56, 0x1F, 0x2A, 0x11, 0x3E], .exif),
    ([0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC], .xmp),
    ([0x33, 0xC7, 0xA4, 0xD2, 0xB8, 0x1D, 0x47, 0x23, 0xA0, 0xBA, 0xF1, 0xA3, 0xE0, 0x97, 0xAD, 0x38], .iptc),
    // GeoJP2: a GeoTIFF without a picture.
    (
      [0xB1, 0x4B, 0xF8, 0xBD, 0x08, 0x3D, 0x4B, 0x43, 0xA5, 0xAE, 0x8C, 0xD7, 0xD5, 0xA6, 0xCE, 0x03],
      .unreadPlace("GeoTIFF tags contain its location")
    ),
    ([0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81], .manifest),
  ]

  func type(of head: Bytes) -> ImageType? {
    head.has(JPEG2000Container.signature) || head.has(JPEG2000Container.codestreamSignature) ? .jp2 : nil
  }

  func layout(of source: any ByteSource) throws(FileError) -> Layout {
    var layout = Layout(readOnly: .jp2, in: source)
    guard try source.prefix(at: 0, count: 4).has(JPEG2000Container.signature.prefix(4)) else {
      layout.pixelSize = try JPEG2000Container.size(inCodestream: 0..<source.count, of: source)
      return layout
    }
    let boxes = try source.boxes(in: 0..<source.count)
    let codestreams = boxes.filter { $0.type == "jp2c" }.map(\.payload)
    // Only these are pixels; a search for texts looks at everything else.
    layout.imageData = codestreams.filter { !$0.isEmpty }
    if let header = boxes.first(where: { $0.type == "jp2h" }) {
      layout.pixelSize = try JPEG2000Container.size(inHeader: header, of: source)
    } else if let codestream = codestreams.first {
      layout.pixelSize = try JPEG2000Container.size(inCodestream: codestream, of: source)
    }
    for box in boxes {
      switch box.type {
      case "uuid": try JPEG2000Container.add(uuid: box, of: source, to: &layout)
      case "xml ": try JPEG2000Container.add(xml: box, of: source, to: &layout)
      default: break
      }
    }
    return layout
  }

  /// Adds the metadata in a `uuid` box: 16 bytes of identifier, then the content.
  private static func add(uuid box: Box, of source: any ByteSource, to layout: inout Layout) throws(FileError) {
    guard box.payload.count > 16 else { return }
    let head = try source.prefix(at: box.payload.lowerBound, count: min(box.payload.count, 22))
    guard let content = contents.first(where: { head.has($0.id) })?.content else { return }
    // Some writers put JPEG's six bytes before the TIFF structure.
    let prefix = content == .exif && head.has(exifHeader, at: 16) ? exifHeader.count : 0
    let range = box.payload.lowerBound + 16 + prefix..<box.payload.upperBound
    guard range.count <= longest else {
      layout.notes.append(Note(.unreadBlock, "its metadata exceeds 16 MB and is not read"))
      return
    }
    layout.add(content, at: range)
  }

  /// Adds an `xml ` box if it holds XMP. It may hold any XML, such as GML.
  private static func add(xml box: Box, of source: any ByteSource, to layout: inout Layout) throws(FileError) {
    guard box.payload.count <= longest, try source.bytes(box.payload).firstIndex(of: rdf) != nil else { return }
    layout.add(.xmp, at: box.payload)
  }

  /// Returns the size in the `ihdr` box (ISO/IEC 15444-1, I.5.3.1): the height, then the width.
  private static func size(inHeader header: Box, of source: any ByteSource) throws(FileError) -> PixelSize? {
    guard let box = try source.boxes(in: header.payload).first(where: { $0.type == "ihdr" }), box.payload.count >= 8
    else { return nil }
    let sizes = try source.bytes(at: box.payload.lowerBound, count: 8)
    return PixelSize(width: Int(try sizes.u32(4, .big)), height: Int(try sizes.u32(0, .big)))
  }

  /// Returns the size in the codestream (SIZ: ISO/IEC 15444-1, A.5.1): the reference grid less the image's offset on it.
  private static func size(inCodestream range: Range<Int>, of source: any ByteSource) throws(FileError) -> PixelSize? {
    let head = try source.prefix(at: range.lowerBound, count: min(range.count, 24))
    guard head.has(codestreamSignature) else { return nil }
    let (width, height) = (Int(try head.u32(8, .big)), Int(try head.u32(12, .big)))
    return PixelSize(width: width - Int(try head.u32(16, .big)), height: height - Int(try head.u32(20, .big)))
  }
}
