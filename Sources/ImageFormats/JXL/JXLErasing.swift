/// A JPEG XL file without everything that describes it.
extension JXLContainer {
  /// Signature, file type, level, the coded picture and its index of frames (ISO/IEC 18181-2, 9).
  private static let picture: Set<FourCC> = ["JXL ", "ftyp", "jxll", "jxlc", "jxlp", "jxli"]

  /// These boxes stay; of the rest an `Exif` is left, with what `changes` set.
  ///
  /// - Throws: `.refused` when it can give back a JPEG, with all that described that, and may not lose it.
  func erased(_ changes: BlockChanges, _ order: Bytes.Order, _ file: JXLFile) throws(FileError) -> Patch {
    if let box = file.reconstruction, !changes.endsReconstruction { throw JXLContainer.endOfReconstruction(box) }
    // No bytes between the four that say so and the TIFF structure.
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
