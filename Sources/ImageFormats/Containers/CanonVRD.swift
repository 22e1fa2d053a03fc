/// The block that Canon's Digital Photo Professional appends to CRW, CR2, JPEG and TIFF files, as ExifTool describes
/// it: picture recipes, and XMP, which a CRW file has nowhere else. Numbers are big-endian.
enum CanonVRD {
  private static let signature = Array("CANON OPTIONAL DATA\0".utf8)
  private static let (headCount, footCount) = (28, 64)
  private static let xmp: UInt32 = 0xFFFF_00F6
  /// Programs write at most four.
  private static let mostBlocks = 64

  /// The XMP packets in the block, if the file ends with one. The block is a sequence of records between a header and a
  /// footer; each record has a kind and a length.
  static func packets(of source: any ByteSource) -> [Range<Int>] {
    let end = source.count - footCount
    guard end >= headCount, let foot = try? source.bytes(at: end, count: footCount), foot.has(signature),
      let length = try? foot.u32(signature.count, .big), Int(length) <= end - headCount
    else { return [] }
    var at = end - Int(length)
    var packets: [Range<Int>] = []
    for _ in 0..<mostBlocks {
      guard at + 8 <= end, let head = try? source.bytes(at: at, count: 8), let kind = try? head.u32(0, .big),
        let count = try? head.u32(4, .big), Int(count) <= end - at - 8
      else { break }
      at += 8 + Int(count)
      if kind == xmp, (1...TIFFBlock.longestValue).contains(Int(count)) { packets.append(at - Int(count)..<at) }
    }
    return packets
  }
}
