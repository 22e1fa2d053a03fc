/// Erasing of everything that describes a PNG.
extension PNGContainer {
  /// The chunks that decoders need to show the picture correctly (ISO/IEC 15948, 11): colours, transparency,
  /// background, pixel aspect ratio, and APNG's frames.
  private static let shown: Set<FourCC> = [
    "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "mDCv", "cLLI", "cLLi", "sBIT", "bKGD", "pHYs", "acTL",
    "fcTL",
  ]

  /// Removes all chunks that no decoder needs, except an `eXIf` with the tags that `exif` sets, and everything after
  /// the picture.
  package func erased(_ exif: TIFFChanges, _ order: Bytes.Order, _ file: PNGFile) throws(FileError) -> Patch {
    let new = try exif.newBlock(order).map { block throws(FileError) in try PNGChunk.bytes("eXIf", block) }
    var kept: [Range<Int>] = file.images
    var splices: [Splice] = []
    var isWritten = new == nil
    for chunk in file.chunks {
      // The sixth bit of the first letter marks a chunk that decoders may ignore.
      let isNeeded = chunk.type.bytes[0] & 0x20 == 0 || PNGContainer.shown.contains(chunk.type)
      let isNew = isWritten || chunk.type != "eXIf" ? false : try file.source.holds(new, in: chunk.range)
      isWritten = isWritten || isNew
      if isNeeded || isNew { kept.append(chunk.range) } else { splices.append(Splice(chunk.range, [])) }
    }
    if let new, !isWritten { splices.append(Splice(file.home..<file.home, new)) }
    let end = file.chunks.last?.range.upperBound ?? file.source.count
    if end < file.source.count { splices.append(Splice(end..<file.source.count, [])) }
    // On both sides of the position for the new chunk.
    let sides = [0..<file.home, file.home..<file.source.count]
    return try Patch(splices, to: file.source.count, imageData: sides.excluding(sides.excluding(kept)))
  }
}
