/// The protocol of `metatag-codecs` and `metatag-pictures`. `Sources/CChild/include/wire.hpp` is its other end; both
/// must be changed together, and `version` with them.
package enum CodecWire {
  package static let version: UInt32 = 4
  /// The largest number of blocks in a request.
  static let mostBlocks = 3
  /// The longest answer in bytes.
  static let longestAnswer = 16 << 20
  /// The number of bytes that precede every answer.
  package static let headCount = 8

  /// The requested operation.
  package enum Task: UInt16 {
    case libexifEntries = 1
    case tags = 2
    case exiv2Entries = 3
    case recode = 4
  }

  /// The result of an operation.
  package enum Status: UInt32 {
    case done = 0
    case unreadable = 1
    case tooLarge = 2
    case unsupported = 3

    package var code: FileError.Code {
      switch self {
      case .done, .unreadable: .malformed
      case .tooLarge: .tooLarge
      case .unsupported: .unsupported
      }
    }
  }

  package static func request(_ task: Task, _ blocks: [EXIFBlock], _ recoding: Recoding = Recoding()) -> [UInt8] {
    request(task, blocks.map(\.range), recoding)
  }

  /// Encodes a request that contains the blocks themselves.
  package static func request(aboutEntriesOf blocks: [[UInt8]]) -> [UInt8] {
    blocks.reduce(into: request(.libexifEntries, blocks.map { 0..<$0.count }, Recoding())) { $0 += $1 }
  }

  private static func request(_ task: Task, _ blocks: [Range<Int>], _ recoding: Recoding) -> [UInt8] {
    var bytes = version.bytes(.little) + task.rawValue.bytes(.little) + UInt16(blocks.count).bytes(.little)
    for index in 0..<mostBlocks {
      let range = index < blocks.count ? blocks[index] : 0..<0
      bytes += UInt64(max(0, range.lowerBound)).bytes(.little) + UInt64(range.count).bytes(.little)
    }
    return bytes + recoding.bytes
  }

  package static func readings(_ answer: Bytes, count: Int) throws(FileError) -> [EXIFReading?] {
    var parser = Parser(answer)
    var readings: [EXIFReading?] = []
    for _ in 0..<count {
      let isReadable = try parser.u8() == 1
      let order: Bytes.Order = try parser.u8() == 1 ? .big : .little
      var entries: [EXIFEntry] = []
      for _ in 0..<(try parser.u32()) {
        entries.append(
          EXIFEntry(
            ifd: try parser.u16(), tag: try parser.u16(), format: try parser.u16(), components: try parser.u32(),
            bytes: try parser.counted().array))
      }
      readings.append(isReadable ? EXIFReading(order: order, entries: entries) : nil)
    }
    return readings
  }

  package static func tags(_ answer: Bytes) throws(FileError) -> [TagDump] {
    var parser = Parser(answer)
    var tags: [TagDump] = []
    for _ in 0..<(try parser.u32()) {
      tags.append(
        TagDump(key: try parser.text(), type: try parser.text(), text: try parser.text(), raw: try parser.text()))
    }
    return tags
  }

  /// Parses an answer from front to back. A photo may have taken over the program, so nothing in the answer is trusted.
  private struct Parser {
    private let bytes: Bytes
    private var offset = 0

    init(_ bytes: Bytes) { self.bytes = bytes }

    mutating func u8() throws(FileError) -> UInt8 {
      defer { offset += 1 }
      return try bytes.u8(offset)
    }

    mutating func u16() throws(FileError) -> UInt16 {
      defer { offset += 2 }
      return try bytes.u16(offset, .little)
    }

    mutating func u32() throws(FileError) -> UInt32 {
      defer { offset += 4 }
      return try bytes.u32(offset, .little)
    }

    mutating func counted() throws(FileError) -> Bytes {
      let count = Int(try u32())
      defer { offset += count }
      return try bytes.bytes(at: offset, count: count)
    }

    mutating func text() throws(FileError) -> String {
      try counted().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
  }
}

extension CodecWire {
  /// The parameters for re-encoding a picture: decode, shrink, rotate, encode.
  package struct Recoding: Sendable {
    /// The item of a HEIF file, 0 for the primary item; for pixels that are not coded, their number in a row.
    package var item: UInt32 = 0
    /// The size to which the picture is scaled down; nil keeps the size.
    package var scaling: PictureScaling?
    /// The lengths of EXIF, XMP, IPTC and the ICC profile in the third block.
    package var metadata: [UInt32] = [0, 0, 0, 0]
    /// The coding of the picture, and the one of the result; nil for pixels that are not coded.
    package var from: PictureCoding?
    package var to: PictureCoding?
    /// The quality, 1…100.
    package var quality: UInt8 = 95
    /// The EXIF orientation to apply, which becomes 1; for HEIF, applied after the file's own transformations.
    package var orientation: UInt8 = 1
    /// Whether color is stored at full resolution (4:4:4) instead of half (4:2:0).
    package var hasFullChroma = false
    /// The color primaries of ITU-T H.273; 2 is unknown.
    package var primaries: UInt8 = 2
    package var transfer: UInt8 = 2

    package init(
      item: UInt32 = 0, scaling: PictureScaling? = nil, metadata: [UInt32] = [0, 0, 0, 0],
      from: PictureCoding? = .jpeg, to: PictureCoding? = .jpeg, quality: UInt8 = 95,
      orientation: UInt8 = 1, hasFullChroma: Bool = false, primaries: UInt8 = 2, transfer: UInt8 = 2
    ) {
      self.item = item
      self.scaling = scaling
      self.metadata = metadata
      self.from = from
      self.to = to
      self.quality = quality
      self.orientation = orientation
      self.hasFullChroma = hasFullChroma
      self.primaries = primaries
      self.transfer = transfer
    }

    package var bytes: [UInt8] {
      let box = scaling?.box
      let sides = [box?.width ?? 0, box?.height ?? 0].flatMap { UInt16(clamping: $0).bytes(.little) }
      let codings = [from?.rawValue ?? 0, to?.rawValue ?? 0]
      return item.bytes(.little) + sides + metadata.flatMap { $0.bytes(.little) } + codings
        + [quality, orientation, hasFullChroma ? 1 : 0, primaries, transfer, scaling?.wireValue ?? 0]
    }
  }

  /// Returns the size of a re-encoded picture from the answer, and the ICC profile that the decoder found in its file.
  package static func picture(_ answer: Bytes) throws(FileError) -> (size: PixelSize, profile: [UInt8]) {
    let (width, height) = (Int(try answer.u32(0, .little)), Int(try answer.u32(4, .little)))
    guard let size = PixelSize(width: width, height: height) else {
      throw FileError(.unsupported, "the decoder returned a picture without pixels")
    }
    return (size, try answer.bytes(at: 20, count: Int(try answer.u32(16, .little))).array)
  }
}

/// Compares thumbnails from which metadata was erased.
enum ThumbnailComparison {
  /// Whether two JPEG files of equal length show the same picture: they differ only in the contents of their APPn and
  /// comment segments.
  static func isSamePicture(_ old: [UInt8], _ new: [UInt8]) -> Bool {
    guard old.count == new.count, old.starts(with: [0xFF, 0xD8]), new.starts(with: [0xFF, 0xD8]) else { return false }
    var at = 2
    while at + 4 <= old.count, old[at] == 0xFF, old[at..<at + 4].elementsEqual(new[at..<at + 4]) {
      let (marker, length) = (old[at + 1], Int(old[at + 2]) << 8 + Int(old[at + 3]))
      let end = at + 2 + length
      guard length >= 2, end <= old.count, marker != startOfScan else { break }
      let holdsMetadata = (0xE0...0xEF).contains(marker) || marker == comment
      guard holdsMetadata || old[at..<end].elementsEqual(new[at..<end]) else { return false }
      at = end
    }
    return old[at...].elementsEqual(new[at...])
  }

  private static let startOfScan: UInt8 = 0xDA
  private static let comment: UInt8 = 0xFE
}
