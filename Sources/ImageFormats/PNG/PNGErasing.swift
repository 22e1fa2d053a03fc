/// A PNG without everything that describes it.
extension PNGContainer {
  /// What decoders need to show the picture as it is (ISO/IEC 15948, 11): colours, transparency, background, the
  /// shape of pixels, and APNG's frames.
  private static let shown: Set<FourCC> = [
    "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "mDCv", "cLLI", "cLLi", "sBIT", "bKGD", "pHYs", "acTL",
    "fcTL",
  ]

  /// Of all chunks that no decoder needs, an `eXIf` is left, with what `exif` sets. What follows the picture goes.
  package func erased(_ exif: TIFFChanges, _ order: Bytes.Order, _ file: PNGFile) throws(FileError) -> Patch {
    let new = try exif.newBlock(order).map { block throws(FileError) in try PNGChunk.bytes("eXIf", block) }
    var kept: [Range<Int>] = file.images
    var splices: [Splice] = []
    var isWritten = new == nil
    for chunk in file.chunks {
      // The third bit of the first letter: whoever doesn't know the chunk can do without.
      let isNeeded = chunk.type.bytes[0] & 0x20 == 0 || PNGContainer.shown.contains(chunk.type)
      let isNew = isWritten || chunk.type != "eXIf" ? false : try file.source.holds(new, in: chunk.range)
      isWritten = isWritten || isNew
      if isNeeded || isNew { kept.append(chunk.range) } else { splices.append(Splice(chunk.range, [])) }
    }
    if let new, !isWritten { splices.append(Splice(file.home..<file.home, new)) }
    let end = file.chunks.last?.range.upperBound ?? file.source.count
    if end < file.source.count { splices.append(Splice(end..<file.source.count, [])) }
    // On either side of where the new chunk comes.
    let sides = [0..<file.home, file.home..<file.source.count]
    return try Patch(splices, to: file.source.count, imageData: sides.excluding(sides.excluding(kept)))
  }
}
