/// Dead metadata: blocks left by earlier edits, ours or other programs', that no item points to but that still record
/// places and dates.
extension HEIFDraft {
  /// The limit of dead space. A larger space is no leftover of an edit.
  private static let searchedCount = 64 << 20

  /// Erases the data in dead blocks that `edit` erases.
  mutating func eraseRemains(by edit: MetadataEdit) throws(FileError) {
    let taken = splices.map(\.range)
    for erasure in try DeadMetadata.erasures(in: gaps, of: file.source, by: edit) {
      overwrite([erasure.range].excluding(taken.filter { $0.overlaps(erasure.range) }).map(Splice.erasing))
    }
  }

  /// Puts zeros over all bytes that no item or track owns.
  mutating func eraseGaps() throws(FileError) {
    var left = HEIFDraft.searchedCount
    for gap in unowned {
      left -= gap.count
      guard left > 0 else {
        throw FileError(.notErasable, "has more unused space than can be erased", at: gap.lowerBound)
      }
      guard try file.source.bytes(gap).array.contains(where: { $0 != 0 }) else { continue }
      overwrite([.erasing(gap)])
    }
  }

  /// The ranges that no item or track owns, in `mdat`, `idat` and free boxes, and the data that phones put after EXIF
  /// within its item.
  private var gaps: [Range<Int>] {
    let trails = picture.exif.compactMap { block in block.tiff.map { $0.upperBound..<block.range.upperBound } }
    return trails.filter { !$0.isEmpty } + unowned
  }

  /// The ranges that no item or track owns, in `mdat`, `idat` and free boxes.
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
