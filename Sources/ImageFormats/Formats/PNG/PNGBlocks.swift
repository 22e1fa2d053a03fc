/// The metadata blocks in a PNG file, each with its form in the file.
struct PNGBlocks: Sendable {
  /// A block, in the standard's form or in an older one.
  struct Block: Sendable {
    let chunk: PNGChunk
    /// The text that holds the block; nil for an `eXIf` chunk.
    let text: PNGText?
    /// The name of the raw profile that encodes the block.
    let profile: String?
    /// The bytes around the block that belong to the same profile or chunk.
    let (prefix, suffix): ([UInt8], [UInt8])
    /// The block itself.
    let bytes: [UInt8]
    /// The range in the file; nil if the block is packed.
    let place: Range<Int>?

    /// Whether the block is in the standard form.
    var isStandard: Bool { profile == nil }

    /// Returns its chunk in the same form, with other bytes in place of the block.
    func chunk(holding new: [UInt8], in source: any ByteSource) throws(FileError) -> [UInt8] {
      guard let text else { return try PNGChunk.bytes(chunk.type, prefix + new + suffix) }
      let content = prefix + new + suffix
      return try text.bytes(holding: profile.map { RawProfile.text($0, content) } ?? content, in: source)
    }
  }

  static let xmpKeyword = "XML:com.adobe.xmp"
  private static let exifHeader = Array("Exif\0\0".utf8)
  /// The limit of all unpacked data together.
  static let mostUnpacked = 1 << 26

  /// The blocks by kind, those in the standard form first.
  private(set) var exif: [Block] = []
  private(set) var xmp: [Block] = []
  private(set) var iptc: [Block] = []
  /// The complete Photoshop resources of IPTC blocks within them.
  private(set) var resources: [Int: PhotoshopResources] = [:]
  /// Chunks that can't be unpacked, with the reasons.
  private(set) var unreadable: [(chunk: PNGChunk, reason: FileError)] = []
  /// Other texts.
  private(set) var texts: [PNGText] = []

  init(_ file: PNGFile) throws(FileError) {
    var left = PNGBlocks.mostUnpacked
    for chunk in file.chunks {
      if chunk.type == "eXIf" {
        try addEXIF(chunk, in: file.source)
      } else if chunk.type == "zxIf" {
        // A proposed form of packed EXIF that was never adopted; exiftool has written it.
        unreadable.append(
          (chunk, FileError(.unknownPacking, "compressed EXIF is not supported", at: chunk.range.lowerBound)))
      } else if let text = try PNGText(chunk, in: file.source) {
        guard text.keyword == PNGBlocks.xmpKeyword || text.keyword.hasPrefix(RawProfile.prefix) else {
          texts.append(text)
          continue
        }
        do throws(FileError) {
          guard left > 0 else {
            throw FileError(.tooLarge, "its compressed metadata is too large", at: chunk.range.lowerBound)
          }
          let content = try text.text(in: file.source)
          left -= content.count
          try add(text, content)
        } catch {
          // A failure may have cost as much as the longest text.
          left -= PNGText.longest
          unreadable.append((chunk, error))
        }
      }
    }
    exif = exif.filter(\.isStandard) + exif.filter { !$0.isStandard }
    xmp = xmp.filter(\.isStandard) + xmp.filter { !$0.isStandard }
  }

  /// The chunks that hold these blocks.
  var ranges: [Range<Int>] { (exif + xmp + iptc).map(\.chunk.range) }

  private mutating func addEXIF(_ chunk: PNGChunk, in source: any ByteSource) throws(FileError) {
    guard chunk.data.count <= PNGText.longest else {
      let reason = FileError(.tooLarge, "its metadata exceeds 16 MB", at: chunk.data.lowerBound)
      return unreadable.append((chunk, reason))
    }
    let bytes = try source.bytes(chunk.data)
    let prefix = bytes.has(PNGBlocks.exifHeader) ? PNGBlocks.exifHeader : []
    exif.append(
      Block(
        chunk: chunk, text: nil, profile: nil, prefix: prefix, suffix: [],
        bytes: Array(bytes.array.dropFirst(prefix.count)),
        place: chunk.data.lowerBound + prefix.count..<chunk.data.upperBound))
  }

  private mutating func add(_ text: PNGText, _ content: [UInt8]) throws(FileError) {
    guard text.keyword != PNGBlocks.xmpKeyword else {
      return xmp.append(
        Block(
          chunk: text.chunk, text: text, profile: nil, prefix: [], suffix: [], bytes: content,
          place: text.isCompressed ? nil : text.content))
    }
    let profile = try RawProfile(content, at: text.chunk.range.lowerBound)
    func block(_ range: Range<Int>) -> Block {
      Block(
        chunk: text.chunk, text: text, profile: profile.name, prefix: Array(profile.bytes[..<range.lowerBound]),
        suffix: Array(profile.bytes[range.upperBound...]), bytes: Array(profile.bytes[range]), place: nil)
    }
    let whole = 0..<profile.bytes.count
    let bytes = Bytes(profile.bytes, base: text.chunk.range.lowerBound)
    switch text.keyword.dropFirst(RawProfile.prefix.count).lowercased() {
    case "exif", "app1":
      let header = JPEGSegment.xmpHeader
      if bytes.has(header) {
        xmp.append(block(header.count..<whole.upperBound))
      } else {
        exif.append(block((bytes.has(PNGBlocks.exifHeader) ? PNGBlocks.exifHeader.count : 0)..<whole.upperBound))
      }
    case "xmp": xmp.append(block(whole))
    case "iptc", "8bim", "app13":
      let header = JPEGSegment.photoshopHeader
      let start = bytes.has(header) ? header.count : 0
      guard bytes.has("8BIM".utf8, at: start) else { return iptc.append(block(whole)) }
      let resources = try PhotoshopResources(try bytes.bytes(start..<whole.upperBound))
      self.resources[iptc.count] = resources
      iptc.append(block(start..<whole.upperBound))
    default: break
    }
  }
}
