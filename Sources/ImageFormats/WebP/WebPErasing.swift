/// Erasing of everything that describes a WebP file.
extension WebPContainer {
  private static let picture: Set<FourCC> = ["VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"]
  private static let frame: Set<FourCC> = ["VP8 ", "VP8L", "ALPH"]

  /// Keeps the chunks of the picture, and an `EXIF` chunk with the tags that `exif` sets. Bytes after the file are
  /// removed.
  ///
  /// - Throws: `.refused` when a frame holds data of unknown content.
  func erased(_ exif: TIFFChanges, _ order: Bytes.Order, _ file: WebPFile) throws(FileError) -> Patch {
    let new = try exif.newBlock(order)
    var kept: [Range<Int>] = []
    var splices: [Splice] = []
    var isWritten = new == nil
    for chunk in file.chunks {
      if chunk.type == "ANMF" { try requirePlain(chunk, of: file.source) }
      let isNew = isWritten || chunk.type != "EXIF" ? false : try file.source.holds(new, in: chunk.data)
      isWritten = isWritten || isNew
      if isNew || WebPContainer.picture.contains(chunk.type) {
        if chunk.type != "VP8X" { kept.append(chunk.data) }
      } else {
        splices.append(Splice(chunk.range, []))
      }
    }
    if let new, !isWritten {
      // The last chunk may lack its padding.
      let isOdd = file.chunks.last.map { $0.range.count % 2 == 1 && WebPContainer.picture.contains($0.type) } ?? false
      splices.append(Splice(file.end..<file.end, (isOdd ? [0] : []) + (try RIFFChunk.bytes("EXIF", new))))
    }
    if file.chunk("VP8X") != nil || new != nil {
      splices += try headSplices(file, hasEXIF: new != nil, hasXMP: false)
    }
    splices += try sizeSplice(file, splices)
    if file.end < file.source.count { splices.append(Splice(file.end..<file.source.count, [])) }
    return try Patch(splices, to: file.source.count, imageData: kept)
  }

  private func requirePlain(_ chunk: RIFFChunk, of source: any ByteSource) throws(FileError) {
    var at = chunk.data.lowerBound + WebPFile.frameHeadCount
    while at < chunk.data.upperBound {
      let head = try source.prefix(at: at, count: min(8, chunk.data.upperBound - at))
      guard head.count == 8, WebPContainer.frame.contains(FourCC(rawValue: try head.u32(0, .big))) else {
        throw FileError(.notErasable, "has something in a frame that may contain anything and can't be erased", at: at)
      }
      let count = Int(try head.u32(4, .little))
      at += 8 + count + count % 2
    }
  }

  /// Returns splices that erase the places that frames record, in place: frames neither move nor grow.
  func frameErasures(_ file: WebPFile) throws(FileError) -> [Splice] {
    var splices: [Splice] = []
    for chunk in try file.frameMetadata() {
      guard chunk.type == "EXIF" else {
        splices += try InPlaceErasing.splices(inXMP: chunk.data, of: file.source, by: .placeRemoval)
        continue
      }
      let block = try WebPContainer.block(in: chunk, of: file.source)
      guard (try? TIFFBlock(file.source, block)) != nil else {
        throw FileError(
          .notErasable, "has EXIF in a frame that can't be read and may contain a place", at: block.lowerBound)
      }
      splices += try InPlaceErasing.splices(inEXIF: block, of: file.source, by: .placeRemoval)
    }
    return splices
  }
}
