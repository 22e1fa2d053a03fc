import CSys

/// Photoshop's image resource blocks: in JPEG's APP13 after `Photoshop 3.0\0` (several segments joined), and in TIFF's
/// tag 34377 (Adobe Photoshop File Formats Specification, Image Resource Blocks).
package struct PhotoshopResources {
  private struct Resource {
    let id: UInt16
    /// The four length bytes; the data follows them.
    let length: Range<Int>
    let data: Range<Int>
  }

  private let bytes: Bytes
  private let resources: [Resource]
  /// The end of the last block.
  private let end: Int

  /// Reads the blocks. Zeros after the last one are padding.
  ///
  /// - Throws: `malformed` or `truncated` with the offset of the block that breaks the rules.
  package init(_ bytes: Bytes) throws(FileError) {
    var resources: [Resource] = []
    var at = 0
    while at < bytes.count {
      guard PhotoshopResources.signatures.contains(where: { bytes.has($0.utf8, at: at) }) else {
        guard bytes.array.suffix(from: at).allSatisfy({ $0 == 0 }) else {
          throw FileError(
            .malformed, "invalid Photoshop data: expected the resource signature 8BIM", at: bytes.base + at)
        }
        break
      }
      // The name is a Pascal string, padded to an even length including its count.
      let name = at + 6
      let length = name + (Int(try bytes.u8(name)) + 2) & ~1
      let start = length + 4
      let end = start + Int(try bytes.u32(length, .big))
      _ = try bytes.bytes(start..<end)
      // Other signatures belong to old programs, with their own identifiers.
      if bytes.has("8BIM".utf8, at: at) {
        resources.append(
          Resource(id: try bytes.u16(at + 4, .big), length: length..<start, data: start..<end))
      }
      at = min(end + (end - start) % 2, bytes.count)
    }
    self.bytes = bytes
    self.resources = resources
    end = at
  }

  /// The range of the IPTC IIM data in the blocks.
  package var iptc: Range<Int>? { first(0x0404)?.data }

  /// Whether there are several IPTC resources, which no program should write.
  var hasFurtherIPTC: Bool { resources.count { $0.id == 0x0404 } > 1 }

  /// Photoshop's own thumbnails, each a JPEG (resources 1033 and 1036: 28 bytes before it).
  package var thumbnails: [Bytes] {
    resources.filter { [0x0409, 0x040C].contains($0.id) && $0.data.count > 28 }.compactMap {
      try? bytes.bytes($0.data.lowerBound + 28..<$0.data.upperBound)
    }
  }

  /// Whether the blocks also contain EXIF or XMP.
  package var holdsOthers: Bool { resources.contains { [0x0422, 0x0423, 0x0424].contains($0.id) && !$0.data.isEmpty } }

  /// Returns the blocks with new IIM data instead of the old; nil if they have no IIM data. The digest, by which
  /// Photoshop detects changes by other programs, is renewed if it was right before; a wrong one stays wrong.
  func replacingIPTC(with new: [UInt8]) throws(FileError) -> [UInt8]? {
    guard let old = first(0x0404) else { return nil }
    let end = min(old.data.upperBound + old.data.count % 2, bytes.count)
    let data = Splice(old.length.lowerBound..<end, try PhotoshopResources.data(new))
    let digest = try digestSplice(from: try bytes.bytes(old.data), to: new)
    return try Patch([data] + (digest.map { [$0] } ?? []), to: bytes.count, imageData: []).applied(to: bytes)
  }

  /// Returns the blocks with IIM data added at the end. They must have none so far.
  func addingIPTC(_ new: [UInt8]) throws(FileError) -> [UInt8] {
    let resource = Splice(end..<end, try PhotoshopResources.resource(holding: new))
    return try Patch([resource], to: bytes.count, imageData: []).applied(to: bytes)
  }

  /// Returns the blocks with a renewed digest, if they hold only the digest and the IIM data is elsewhere (TIFF tag
  /// 33723); nil if it is missing or was wrong.
  func renewingDigest(from old: Bytes, to new: [UInt8]) throws(FileError) -> [UInt8]? {
    guard let digest = try digestSplice(from: old, to: new) else { return nil }
    return try Patch([digest], to: bytes.count, imageData: []).applied(to: bytes)
  }

  /// Returns a block with IIM data.
  static func resource(holding iptc: [UInt8]) throws(FileError) -> [UInt8] {
    Array("8BIM".utf8) + [0x04, 0x04, 0, 0] + (try data(iptc))
  }

  private static func data(_ new: [UInt8]) throws(FileError) -> [UInt8] {
    guard let count = UInt32(exactly: new.count) else {
      throw FileError(.tooLarge, "IPTC data would exceed 4 GB")
    }
    return count.bytes(.big) + new + [UInt8](repeating: 0, count: new.count % 2)
  }

  private func digestSplice(from old: Bytes, to new: [UInt8]) throws(FileError) -> Splice? {
    guard let digest = first(0x0425), digest.data.count == 16 else { return nil }
    let recorded = try bytes.bytes(digest.data).array
    guard let before = PhotoshopResources.md5(old), before == recorded, let after = PhotoshopResources.md5(Bytes(new))
    else { return nil }
    return Splice(digest.data, after)
  }

  private static let signatures = ["8BIM", "PHUT", "DCSR", "AgHg", "MeSa"]

  private func first(_ id: UInt16) -> Resource? { resources.first { $0.id == id } }

  private static func md5(_ bytes: Bytes) -> [UInt8]? {
    var digest = [UInt8](repeating: 0, count: 16)
    let isDone = bytes.withUnsafeBytes { csys_md5($0.baseAddress, $0.count, &digest) == 1 }
    return isDone ? digest : nil
  }
}
