/// Dead metadata: earlier edits, by us or by others, leave blocks behind to which no item points but which still tell
/// places and dates.
extension HEIFDraft {
  /// Dead space beyond this is no leftover of an edit.
  private static let searchedCount = 64 << 20

  /// Erases what they tell of what `edit` erases.
  mutating func eraseRemains(by edit: MetadataEdit) throws(FileError) {
    let taken = splices.map(\.range)
    for erasure in try DeadMetadata.erasures(in: gaps, of: file.source, by: edit) {
      overwrite([erasure.range].excluding(taken.filter { $0.overlaps(erasure.range) }).map(Splice.erasing))
    }
  }

  /// Zeros over all that nobody owns.
  mutating func eraseGaps() throws(FileError) {
    var left = HEIFDraft.searchedCount
    for gap in unowned {
      left -= gap.count
      guard left > 0 else {
        throw FileError(.refused, "has more unused space than can be erased", at: gap.lowerBound)
      }
      guard try file.source.bytes(gap).array.contains(where: { $0 != 0 }) else { continue }
      overwrite([.erasing(gap)])
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
