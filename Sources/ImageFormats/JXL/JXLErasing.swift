/// Erasing of everything that describes a JPEG XL picture.
extension JXLContainer {
  /// Signature, file type, level, the coded picture and its index of frames (ISO/IEC 18181-2, 9).
  private static let picture: Set<FourCC> = ["JXL ", "ftyp", "jxll", "jxlc", "jxlp", "jxli"]

  /// Keeps these boxes, and an `Exif` box with the tags that `changes` set.
  ///
  /// - Throws: `.refused` when the file can reproduce a JPEG, with all of its metadata, and may not lose it.
  func erased(_ changes: BlockChanges, _ order: Bytes.Order, _ file: JXLFile) throws(FileError) -> Patch {
    if let box = file.reconstruction, !changes.endsReconstruction { throw JXLContainer.endOfReconstruction(box) }
    // No bytes between the four-byte offset and the TIFF structure.
    let new = try changes.exif.newBlock(order).map { Box.bytes("Exif", [0, 0, 0, 0] + $0) }
    guard !file.isNaked else {
      let splices = new.map { [Splice(0..<0, JXLContainer.head + $0 + JXLContainer.codestreamHead(file.source.count))] }
      return try Patch(splices ?? [], to: file.source.count, imageData: [0..<file.source.count])
    }
    var kept: [Range<Int>] = []
    var splices: [Splice] = []
    var isWritten = new == nil
    for box in file.boxes {
      let isNew = isWritten || box.type != "Exif" ? false : try file.source.holds(new, in: box.range)
      isWritten = isWritten || isNew
      if isNew || JXLContainer.picture.contains(box.type) {
        kept.append(box.payload)
      } else {
        splices.append(Splice(box.range, []))
      }
    }
    if let new, !isWritten {
      let place = file.codestreams.first?.range.lowerBound ?? file.source.count
      splices.append(Splice(place..<place, new))
    }
    return try Patch(splices, to: file.source.count, imageData: kept)
  }
}
