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
