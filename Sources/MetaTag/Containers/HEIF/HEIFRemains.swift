/// Dead EXIF: earlier edits, by us or by others, leave blocks behind to which no item points but which still tell the
/// place.
extension HEIFDraft {
  /// Dead space beyond this is not searched: it is no leftover of an edit.
  private static let searchedCount = 64 << 20
  private static let mostBlocks = 256
  /// Read at once. No EXIF block is longer.
  private static let windowCount = 1 << 20

  /// Erases the positions in all of them.
  mutating func eraseRemains() throws(PhotoError) {
    var left = (searched: HEIFDraft.searchedCount, blocks: HEIFDraft.mostBlocks)
    for gap in gaps {
      left.searched -= gap.count
      guard left.searched > 0 else { return }
      for start in stride(from: gap.lowerBound, to: gap.upperBound, by: HEIFDraft.windowCount) {
        let space = try file.source.bytes(start..<min(gap.upperBound, start + 2 * HEIFDraft.windowCount))
        eraseRemains(in: space, from: start, &left.blocks)
      }
    }
  }

  /// Zeros over all that nobody owns.
  mutating func eraseGaps() throws(PhotoError) {
    var left = HEIFDraft.searchedCount
    for gap in unowned {
      left -= gap.count
      guard left > 0 else {
        throw PhotoError(.refused, "has more unused space than can be erased", at: gap.lowerBound)
      }
      guard try file.source.bytes(gap).array.contains(where: { $0 != 0 }) else { continue }
      overwrite([.erasing(gap)])
    }
  }

  /// The same in a window that begins at `start`, and in whose first half a block may begin.
  private mutating func eraseRemains(in space: Bytes, from start: Int, _ blocks: inout Int) {
    var changes = TIFFChanges()
    changes.removesGPS = true
    for mark in [[0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42]] as [[UInt8]] {
      var at = 0
      while blocks > 0, let found = space.firstIndex(of: mark, from: at), found < HEIFDraft.windowCount {
        at = found + mark.count
        guard let block = try? TIFFBlock(space, found..<space.count), block.gps != nil else { continue }
        blocks -= 1
        guard let references = try? TIFFReferences(of: block),
          let edit = try? TIFFEditor.edit(
            block, changes, references: references, appendingAt: block.count + block.count % 2)
        else { continue }
        overwrite(
          edit.overwrites.map {
            Splice($0.range, $0.bytes, usedBy: .old).moved(by: start + found)
          })
      }
    }
  }

  /// What no item and no track owns, in `mdat`, `idat` and free boxes; and what phones put behind EXIF in its item.
  private var gaps: [Range<Int>] {
    let trails = picture.exif.compactMap { block in block.tiff.map { $0.upperBound..<block.range.upperBound } }
    return trails.filter { !$0.isEmpty } + unowned
  }

  /// What no item and no track owns, in `mdat`, `idat` and free boxes.
  private var unowned: [Range<Int>] {
    let metadata =
      (picture.exif + picture.otherExif + picture.xmp).map(\.range) + (picture.iptc.map { [$0.range] } ?? [])
    let owned = (picture.protected + metadata).merged()
    let media: [FourCC] = ["mdat", "free", "skip"]
    let spaces =
      (file.boxes + meta.children).filter { media.contains($0.type) }.map(\.payload) + file.metas.compactMap(\.idat)
    return spaces.flatMap { space in
      var gaps: [Range<Int>] = []
      var at = space.lowerBound
      for range in owned where range.overlaps(space) {
        if range.lowerBound > at { gaps.append(at..<range.lowerBound) }
        at = max(at, range.upperBound)
      }
      if at < space.upperBound { gaps.append(at..<space.upperBound) }
      return gaps
    }
  }
}
