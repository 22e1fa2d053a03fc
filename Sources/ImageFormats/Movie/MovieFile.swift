/// The top-level boxes of a movie file.
package struct MovieFile: Sendable {
  private(set) var boxes: [Box] = []
  /// The first box with the movie's structure and metadata.
  let moov: Box
  /// The bytes after the last box that are no box: some cameras put their own data there, located from the file's end.
  let trailer: Range<Int>

  /// - Throws: `.truncated` when a box is longer than the file or the movie was never finished.
  init(of source: any ByteSource) throws(FileError) {
    var at = 0
    while at <= source.count - 8 {
      let box: Box
      do throws(FileError) {
        box = try source.box(at: at, before: source.count)
        if box.type.rawValue == 0 { break }
      } catch {
        let type = try source.prefix(at: at + 4, count: 4).array
        guard at > 0, !type.allSatisfy({ (0x20..<0x7F).contains($0) }) else { throw error }
        break
      }
      guard boxes.count < 65_536 else { throw FileError(.malformed, "has more than 65536 boxes side by side", at: at) }
      boxes.append(box)
      at = box.range.upperBound
    }
    trailer = at..<source.count
    guard let moov = boxes.first(where: { $0.type == "moov" }) else {
      throw FileError(.truncated, "has no moov box: the movie is cut, or was never finished", at: source.count)
    }
    self.moov = moov
  }

  /// Returns the range of unused boxes that follow `box` directly.
  func unused(behind box: Box) -> Range<Int> {
    var range = box.range.upperBound..<box.range.upperBound
    for next in boxes where next.range.lowerBound == range.upperBound && next.isUnused && next.headerCount == 8 {
      guard next.range.upperBound - range.lowerBound <= Int(UInt32.max) else { break }
      range = range.lowerBound..<next.range.upperBound
    }
    return range
  }
}

extension Box {
  /// Whether the box is free space (ISO/IEC 14496-12, 8.1.2). `wide` isn't: it is reserved for a 64-bit size.
  var isUnused: Bool { type == "free" || type == "skip" }
}

extension ByteSource {
  /// Returns the boxes in a box. A box without a size is allowed only at the top level of a file; here it closes the
  /// list, like four zeros in QuickTime's user data.
  func closedBoxes(in range: Range<Int>) throws(FileError) -> [Box] { try boxes(in: range).filter { !$0.isOpen } }
}
