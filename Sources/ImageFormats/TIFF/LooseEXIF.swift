/// EXIF alone in a chunk or box (PNG, WebP, JPEG XL) or in an item (HEIF). It may grow and move as a whole, because
/// only its own offsets point into it.
extension TIFFBlock {
  /// The zeros to leave after a block that grew, as space for the next edit.
  private static var spareCount: Int { 512 }

  /// Returns the whole block after `changes`, never shorter than before.
  package func edited(by changes: TIFFChanges) throws(FileError) -> [UInt8] {
    let references = try TIFFReferences(of: self)
    let changes = changes.completed(for: self)
    let place = try tail(references, for: changes)
    let edit = try TIFFEditor.edit(self, changes, references: references, appendingAt: place)
    guard !edit.appended.isEmpty else {
      return try Patch(edit.overwrites, to: count, imageData: []).applied(to: try bytes(0..<count))
    }
    let new = try edit.applied(to: self, appendingAt: place)
    let spare = new.count > count ? TIFFBlock.spareCount : count - new.count
    return new + [UInt8](repeating: 0, count: spare)
  }
}

extension TIFFChanges {
  /// Returns a block with only the tags that these changes set, without spare space; nil when they set nothing.
  package func newBlock(_ order: Bytes.Order = .big) throws(FileError) -> [UInt8]? {
    guard tags.values.contains(where: { $0.values.contains { $0 != .remove } }) else { return nil }
    var changes = self
    // Also for a position alone: EXIF requires its version, and the directory keeps a tag when the position is removed.
    changes.set(TIFFTag.exifVersion, in: .exif, to: .undefined(Array("0231".utf8)))
    let block = TIFFBlock(blank: order, for: changes)
    let edit = try TIFFEditor.edit(
      block, changes, references: try TIFFReferences(of: block), appendingAt: block.count)
    let head = try Patch(edit.overwrites, to: block.count, imageData: []).applied(to: try block.bytes(0..<block.count))
    return head + edit.appended
  }

  /// Returns the changes with an EXIF version if the EXIF directory is new.
  package func completed(for block: TIFFBlock) -> TIFFChanges { block.exif == nil ? completed : self }

  /// The changes completed for a new block.
  package var completed: TIFFChanges {
    guard tags[.exif]?.values.contains(where: { $0 != .remove }) ?? false else { return self }
    var changes = self
    changes.set(TIFFTag.exifVersion, in: .exif, to: .undefined(Array("0231".utf8)))
    return changes
  }
}

extension TIFFBlock {
  /// Returns the block for a decoded, upright picture, as separate bytes: with its size and orientation, and without
  /// the outdated preview. Remaining data, especially maker notes, isn't moved; free space at the end is dropped.
  package func describing(_ size: PixelSize) throws(FileError) -> [UInt8] {
    let bare = Bytes(try withoutThumbnail())
    let block = try TIFFBlock(bare, 0..<bare.count)
    var changes = TIFFChanges()
    changes.set(TIFFTag.orientation, in: .ifd0, to: .short([1]))
    let (width, height) = (UInt32(clamping: size.width), UInt32(clamping: size.height))
    if block.exif != nil {
      changes.set(TIFFTag.pixelXDimension, in: .exif, to: .long([width]))
      changes.set(TIFFTag.pixelYDimension, in: .exif, to: .long([height]))
    }
    for (tag, count) in [(TIFFTag.imageWidth, width), (TIFFTag.imageLength, height)] where block.ifd0[tag] != nil {
      changes.set(tag, in: .ifd0, to: .long([count]))
    }
    let references = try TIFFReferences(of: block)
    let place = try block.tail(references, for: changes)
    return try TIFFEditor.edit(block, changes, references: references, appendingAt: place)
      .applied(to: block, appendingAt: place)
  }

  /// The range of the JPEG of the directory after IFD0.
  package var thumbnail: Range<Int>? {
    guard let next = ifd0.next, next != 0, let directory = directory(at: next),
      let start = integer(of: TIFFTag.jpegOffset, in: directory),
      let length = integer(of: TIFFTag.jpegByteCount, in: directory), (0..<count).contains(start), length > 0
    else { return nil }
    // Xiaomi's length is two bytes too long.
    return start..<start + min(length, count - start)
  }

  /// Returns the block without the directories after IFD0, with zeros in place of their images.
  private func withoutThumbnail() throws(FileError) -> [UInt8] {
    var bytes = try bytes(0..<count).array
    guard let next = ifd0.next, next != 0, !isBig else { return bytes }
    let references = try TIFFReferences(of: self)
    func erase(_ range: Range<Int>) {
      guard range.upperBound <= bytes.count, references.owners(of: range) == 1 else { return }
      bytes.replaceSubrange(range, with: repeatElement(0, count: range.count))
    }
    if let thumbnail { erase(thumbnail) }
    // A circular pointer leads to a directory that stays.
    if let directory = directory(at: next), ![ifd0.range, exif?.range, gps?.range].contains(directory.range) {
      for value in directory.entries.compactMap(\.value) where value.count > wordCount { erase(value) }
      erase(directory.range)
    }
    bytes.replaceSubrange(
      ifd0.range.upperBound - wordCount..<ifd0.range.upperBound, with: repeatElement(0, count: wordCount))
    return bytes
  }
}
