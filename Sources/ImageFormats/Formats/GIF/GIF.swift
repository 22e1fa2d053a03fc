/// GIF (CompuServe, 1989): XMP only, in an application extension before the end (XMP part 3, 1.1.2). The format can't
/// hold EXIF, so place and time are in XMP.
struct GIFContainer: Container {
  let types: [ImageType] = [.gif]
  let addableBlocks: Set<Namespace> = [.xmp]

  func type(of head: Bytes) -> ImageType? {
    head.has("GIF87a".utf8) || head.has("GIF89a".utf8) ? .gif : nil
  }

  func layout(of source: any ByteSource) throws(FileError) -> Layout {
    let file = try GIFFile(source)
    var layout = Layout()
    layout.add(.xmp, at: file.xmp)
    layout.pixelSize = file.pixelSize
    layout.imageData = GIFContainer.protected(file)
    if let offset = file.magick {
      layout.notes.append(Note(.unreadBlock, "has IPTC data in ImageMagick's format, which is not read or edited"))
      layout.blocks.append(.unread("IPTC data in ImageMagick's format", at: offset))
    }
    if let end = file.end { layout.add(trailer: end + 1, of: source) }
    if file.end == nil { layout.notes.append(Note(.truncatedFile, "file is truncated: its trailer is missing")) }
    if file.unreadable != nil {
      layout.notes.append(Note(.unreadBlock, "has XMP that is not valid in GIF and is not read"))
    }
    return layout
  }

  func patch(_ changes: BlockChanges, layout: Layout, source: any ByteSource) throws(FileError) -> Patch {
    let file = try GIFFile(source)
    guard let end = file.end else {
      throw FileError(.truncated, "file is truncated: its trailer is missing", at: source.count)
    }
    if let unreadable = file.unreadable, !changes.erasesAll {
      throw FileError(.xmpForm, "has XMP that is not valid in GIF", at: unreadable, remedy: .removeFirst)
    }
    if changes.erasesAll { return try erased(changes.xmp, file, end) }
    var splices: [Splice] = []
    for (index, range) in file.xmp.enumerated() {
      if let packet = changes.xmp(at: index) {
        splices.append(Splice(range, try GIFContainer.checked(packet)))
      }
    }
    if file.xmp.isEmpty, let packet = changes.xmp {
      let block = GIFFile.xmpHeader + (try GIFContainer.checked(packet)) + GIFFile.magicTrailer
      splices.append(Splice(end..<end, block))
      // Extensions need the later version, which includes the earlier one.
      if try source.bytes(GIFFile.version).has("87a".utf8) {
        splices.append(Splice(GIFFile.version, Array("89a".utf8)))
      }
    }
    return try Patch(splices, to: source.count, imageData: layout.imageData)
  }

  /// Returns the packet if it can be skipped. Decoders skip it as data pieces, and a zero would end them.
  static func checked(_ packet: [UInt8]) throws(FileError) -> [UInt8] {
    guard !packet.contains(0) else {
      throw FileError(.invalidValue, "its XMP contains a zero byte, which is not allowed in GIF")
    }
    return packet
  }

  /// Everything but the version and the packets, on both sides of the position for a new packet.
  private static func protected(_ file: GIFFile) -> [Range<Int>] {
    let end = file.end ?? file.source.count
    let packets = file.xmp.map {
      $0.lowerBound - GIFFile.xmpHeader.count..<$0.upperBound + GIFFile.magicTrailer.count
    }
    return [0..<end, end..<file.source.count].excluding([GIFFile.version] + packets)
  }
}

/// The blocks of a GIF file that matter here.
struct GIFFile: Sendable {
  static let version = 3..<6
  /// An application extension of this name and key.
  static let xmpHeader: [UInt8] = [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8)
  /// The trailer that ends the packet for decoders that skip it in pieces: from any of these bytes they reach the end.
  static let magicTrailer: [UInt8] = [1] + (0...255).reversed() + [0]

  /// Application extensions that affect the display: repetition of an animation, and a colour profile.
  private static let needed = ["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]

  /// One picture of an animation: its size, which may be a part of the whole, and its delay in hundredths of a second.
  struct Frame {
    let size: PixelSize?
    let delay: Int
  }

  let source: any ByteSource
  let pixelSize: PixelSize?
  private(set) var frames: [Frame] = []
  /// Whether a frame has a transparent colour.
  private(set) var hasTransparency = false
  /// The offset of the trailer; nil if the file ends before it.
  private(set) var end: Int?
  private(set) var xmp: [Range<Int>] = []
  /// Extensions that no decoder needs: comments, and application data.
  private(set) var descriptions: [Range<Int>] = []
  /// The offset of a text to be drawn (GIF89a, 25).
  private(set) var drawnText: Int?
  /// The offset of ImageMagick's IPTC, alone or among Photoshop resources.
  private(set) var magick: Int?
  /// The offset of XMP in a non-standard form.
  private(set) var unreadable: Int?

  init(_ source: any ByteSource) throws(FileError) {
    self.source = source
    let head = try source.bytes(at: 0, count: 13)
    pixelSize = PixelSize(width: Int(try head.u16(6, .little)), height: Int(try head.u16(8, .little)))
    var at = 13 + GIFFile.tableCount(try head.u8(10))
    var pieces = PieceWalk(source)
    var delay = 0
    while let kind = try pieces.byte(at) {
      switch kind {
      case 0x3B:
        end = at
        return
      case 0x2C:
        guard let flags = try pieces.byte(at + 9) else { return }
        // The code size, then the pieces.
        guard let next = try pieces.end(from: at + 11 + GIFFile.tableCount(flags)) else { return }
        let head = try source.prefix(at: at + 5, count: 4)
        frames.append(
          Frame(
            size: PixelSize(width: Int(try head.u16(0, .little)), height: Int(try head.u16(2, .little))), delay: delay))
        delay = 0
        at = next
      case 0x21:
        guard let next = try pieces.end(from: at + 2) else { return }
        if try source.prefix(at: at, count: GIFFile.xmpHeader.count).has(GIFFile.xmpHeader) {
          add(at + GIFFile.xmpHeader.count..<next)
        }
        let name = try source.prefix(at: at + 3, count: 11)
        switch try pieces.byte(at + 1) {
        // A graphic control extension: display settings of the next picture (GIF89a, 23).
        case 0xF9:
          guard let flags = try pieces.byte(at + 3), let low = try pieces.byte(at + 4),
            let high = try pieces.byte(at + 5)
          else { break }
          hasTransparency = hasTransparency || flags & 1 == 1
          delay = Int(high) << 8 | Int(low)
        case 0x01: drawnText = drawnText ?? at
        case 0xFF where name.has("MGKIPTC".utf8) || name.has("MGK8BIM".utf8):
          magick = magick ?? at
          descriptions.append(at..<next)
        case 0xFF where GIFFile.needed.contains { name.has($0.utf8) }: break
        default: descriptions.append(at..<next)
        }
        at = next
      // Some writers end a block twice; decoders skip the second terminator.
      case 0x00: at += 1
      default: throw FileError(.malformed, "invalid GIF block type", at: at)
      }
    }
  }

  private mutating func add(_ range: Range<Int>) {
    let count = GIFFile.magicTrailer.count
    guard range.count > count, range.count < 1 << 24,
      (try? source.bytes(at: range.upperBound - count, count: count))?.has(GIFFile.magicTrailer) ?? false
    else { return unreadable = unreadable ?? range.lowerBound }
    xmp.append(range.lowerBound..<range.upperBound - count)
  }

  /// The bytes of the colour table that the flags announce.
  private static func tableCount(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 6 << Int(flags & 7) }
}

/// A walk over data in pieces of up to 255 bytes, each preceded by its length, through a window on the file.
private struct PieceWalk {
  private let source: any ByteSource
  private var window: Bytes

  init(_ source: any ByteSource) {
    self.source = source
    window = Bytes([])
  }

  /// Returns the byte at `offset`; nil after the end of the file.
  mutating func byte(_ offset: Int) throws(FileError) -> UInt8? {
    if offset < window.base || offset >= window.base + window.count {
      let count = min(1 << 16, source.count - offset)
      guard offset < source.count else { return nil }
      window = Bytes(try source.bytes(at: offset, count: count).array, base: offset)
    }
    return try window.u8(offset - window.base)
  }

  /// Returns the end of the pieces that begin at `offset`, including the empty one that closes them; nil if the file
  /// ends before.
  mutating func end(from offset: Int) throws(FileError) -> Int? {
    var at = offset
    while let count = try byte(at) {
      at += 1 + Int(count)
      if count == 0 { return at }
    }
    return nil
  }
}

/// Erasing of everything that describes a GIF.
extension GIFContainer {
  /// Keeps pictures, display settings, repetition and profile. Removes comments, application data, and everything after
  /// the trailer.
  ///
  /// - Parameter packet: XMP to keep; nil for none.
  /// - Throws: `.refused` when a text is drawn, which would be missing in the picture.
  func erased(_ packet: [UInt8]?, _ file: GIFFile, _ end: Int) throws(FileError) -> Patch {
    if let text = file.drawnText {
      throw FileError(
        .notErasable, "has a plain text extension, which is drawn into the picture and can't be erased", at: text)
    }
    var block: [UInt8]?
    if let packet { block = GIFFile.xmpHeader + (try GIFContainer.checked(packet)) + GIFFile.magicTrailer }
    var isWritten = block == nil
    var splices: [Splice] = []
    var gone: [Range<Int>] = []
    for range in file.descriptions {
      let isNew = isWritten ? false : try file.source.holds(block, in: range)
      isWritten = isWritten || isNew
      if !isNew {
        splices.append(Splice(range, []))
        gone.append(range)
      }
    }
    if let block, !isWritten {
      splices.append(Splice(end..<end, block))
      if try file.source.bytes(GIFFile.version).has("87a".utf8) {
        splices.append(Splice(GIFFile.version, Array("89a".utf8)))
      }
    }
    if end + 1 < file.source.count { splices.append(Splice(end + 1..<file.source.count, [])) }
    let kept = [0..<end, end..<end + 1].excluding([GIFFile.version] + gone)
    return try Patch(splices, to: file.source.count, imageData: kept)
  }
}
