/// A JPEG XL file (ISO/IEC 18181-2): boxes, or a bare codestream.
struct JXLFile: Sendable {
  /// A block of metadata in a box of its own.
  struct Block: Sendable {
    let box: Box
    let type: FourCC
    /// The content of the box, unpacked.
    let content: Bytes
    /// The range of the content in the file; nil if it is packed (`brob`).
    let place: Range<Int>?
    /// The range of the block in `content`, after the bytes before a TIFF structure.
    let part: Range<Int>
  }

  static let signature: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
  static let codestreamSignature: [UInt8] = [0xFF, 0x0A]
  /// The limits in bytes, unpacked: of one block, and of all packed blocks together.
  private static let longest = 1 << 24
  private static let mostUnpacked = 1 << 26

  let source: any ByteSource
  /// The boxes; empty for a bare codestream.
  let boxes: [Box]
  private(set) var exif: [Block] = []
  private(set) var xmp: [Block] = []
  /// Metadata boxes that can't be read, with the reasons.
  private(set) var unreadable: [(box: Box, reason: FileError)] = []

  init(_ source: any ByteSource) throws(FileError) {
    self.source = source
    let isNaked = try source.prefix(at: 0, count: 2).has(JXLFile.codestreamSignature)
    boxes = isNaked ? [] : try source.boxes(in: 0..<source.count)
    var left = JXLFile.mostUnpacked
    for box in boxes where ["Exif", "xml ", "brob"].contains(box.type) {
      do throws(FileError) {
        guard let block = try JXLFile.block(in: box, of: source, &left) else { continue }
        if block.type == "Exif" { exif.append(block) } else { xmp.append(block) }
      } catch {
        // A failure may have cost as much as the longest block.
        left -= JXLFile.longest
        unreadable.append((box, error))
      }
    }
  }

  var isNaked: Bool { boxes.isEmpty }
  /// Boxes that hold the coded picture.
  var codestreams: [Box] { boxes.filter { $0.type == "jxlc" || $0.type == "jxlp" } }
  /// The data that rebuilds the original JPEG file.
  var reconstruction: Box? { boxes.first { $0.type == "jbrd" } }
  /// The boxes that may change.
  var metadata: [Range<Int>] { (exif + xmp).map(\.box.range) }

  /// Whether the picture is complete, as far as boxes show.
  var isWhole: Bool { isNaked || !codestreams.isEmpty && boxes.last?.range.upperBound == source.count }

  private static func block(
    in box: Box, of source: any ByteSource, _ left: inout Int
  ) throws(FileError) -> Block? {
    guard box.payload.count <= longest else {
      throw FileError(.tooLarge, "metadata of more than 16 MB", at: box.range.lowerBound)
    }
    let payload = try source.bytes(box.payload)
    guard box.type == "brob" else {
      return Block(
        box: box, type: box.type, content: payload, place: box.payload, part: part(of: payload, box.type))
    }
    let type = FourCC(rawValue: try payload.u32(0, .big))
    guard type == "Exif" || type == "xml " else { return nil }
    let packed = try payload.bytes(4..<payload.count)
    guard left > 0 else { throw FileError(.tooLarge, "more metadata than is unpacked", at: box.range.lowerBound) }
    let content = Bytes(try Brotli.unpacked(packed, limit: longest), base: box.payload.lowerBound)
    left -= content.count
    return Block(box: box, type: type, content: content, place: nil, part: part(of: content, type))
  }

  /// Returns the range of the block. Before EXIF are four bytes with the number of further bytes (ISO/IEC 23008-12,
  /// A.2.1); some writers put zero there, followed by JPEG's six bytes.
  private static func part(of content: Bytes, _ type: FourCC) -> Range<Int> {
    guard type == "Exif", let lead = try? content.u32(0, .big) else { return 0..<content.count }
    let candidates = [4 + Int(lead), 4, 10]
    let start = candidates.first { content.has("II".utf8, at: $0) || content.has("MM".utf8, at: $0) }
    return min(start ?? 4, content.count)..<content.count
  }
}
