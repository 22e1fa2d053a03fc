/// A JPEG XL file (ISO/IEC 18181-2): boxes, or a naked codestream.
struct JXLFile: Sendable {
  /// A block of metadata in a box of its own.
  struct Block: Sendable {
    let box: Box
    let type: FourCC
    /// What the box holds, unpacked.
    let content: Bytes
    /// Where that stands in the file; nil: packed (`brob`).
    let place: Range<Int>?
    /// Where in `content` the block stands: behind the bytes that lead to a TIFF structure.
    let part: Range<Int>
  }

  static let signature: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
  static let codestreamSignature: [UInt8] = [0xFF, 0x0A]
  /// The longest block that is read, in bytes, unpacked; and all packed ones together.
  private static let longest = 1 << 24
  private static let mostUnpacked = 1 << 26

  let source: any ByteSource
  /// Empty: a naked codestream.
  let boxes: [Box]
  private(set) var exif: [Block] = []
  private(set) var xmp: [Block] = []
  /// Boxes of metadata that can't be read, and why.
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
        // What failed may have cost as much as what is long.
        left -= JXLFile.longest
        unreadable.append((box, error))
      }
    }
  }

  var isNaked: Bool { boxes.isEmpty }
  /// Boxes that hold the coded picture.
  var codestreams: [Box] { boxes.filter { $0.type == "jxlc" || $0.type == "jxlp" } }
  /// What rebuilds the JPEG file that the picture was.
  var reconstruction: Box? { boxes.first { $0.type == "jbrd" } }
  /// The boxes that may change.
  var metadata: [Range<Int>] { (exif + xmp).map(\.box.range) }

  /// Whether its picture is there, as far as boxes tell.
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

  /// EXIF has four bytes before it, which say how many more there are (ISO/IEC 23008-12, A.2.1); some writers say none
  /// and put JPEG's six bytes there all the same.
  private static func part(of content: Bytes, _ type: FourCC) -> Range<Int> {
    guard type == "Exif", let lead = try? content.u32(0, .big) else { return 0..<content.count }
    let candidates = [4 + Int(lead), 4, 10]
    let start = candidates.first { content.has("II".utf8, at: $0) || content.has("MM".utf8, at: $0) }
    return min(start ?? 4, content.count)..<content.count
  }
}
