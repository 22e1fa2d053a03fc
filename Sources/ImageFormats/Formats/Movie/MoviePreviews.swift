/// The pictures that represent a movie: its cover, and what cameras write for their own display.
extension MovieContainer {
  package func previews(_ layout: Layout, source: any ByteSource) -> [Range<Int>] {
    guard let file = try? MovieFile(of: source) else { return [] }
    return source.pictures(in: file.moov, depth: 0)
  }
}

extension ByteSource {
  /// The boxes around pictures, and the boxes with a picture: iTunes' cover in `data`, Canon's thumbnail, and those of other
  /// cameras.
  private var parents: Set<FourCC> { ["udta", "meta", "ilst", "covr", "CNTH", "NCDT"] }
  private var leaves: Set<FourCC> { ["data", "CNDA", "thmb", "NCTH", "NCVW"] }

  /// Returns the JPEG and PNG files in the user data and lists of a box.
  fileprivate func pictures(in box: Box, depth: Int) -> [Range<Int>] {
    var start = box.payload.lowerBound
    if box.type == "meta", (try? prefix(at: start + 4, count: 4))?.has(FourCC("hdlr").bytes) != true {
      // In ISO/IEC 14496-12, it begins with version and flags.
      start += 4
    }
    guard depth < 6, start < box.payload.upperBound,
      let children = try? closedBoxes(in: start..<box.payload.upperBound)
    else { return [] }
    return children.flatMap { child in
      if parents.contains(child.type) { return pictures(in: child, depth: depth + 1) }
      guard leaves.contains(child.type) else { return [] }
      return picture(in: child).map { [$0] } ?? []
    }
  }

  /// Returns the file in a box, after a head of a few bytes.
  private func picture(in box: Box) -> Range<Int>? {
    guard let head = try? prefix(at: box.payload.lowerBound, count: min(64, box.payload.count)) else { return nil }
    let signatures: [[UInt8]] = [[0xFF, 0xD8, 0xFF], [0x89] + Array("PNG\r\n".utf8)]
    return signatures.lazy.compactMap { head.firstIndex(of: $0) }.first.map {
      box.payload.lowerBound + $0..<box.payload.upperBound
    }
  }
}
