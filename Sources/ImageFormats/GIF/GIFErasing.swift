/// Erasing of everything that describes a GIF.
extension GIFContainer {
  /// Keeps pictures, display settings, repetition and profile. Removes comments, application data, and everything after
  /// the trailer.
  ///
  /// - Parameter packet: XMP to keep; nil for none.
  /// - Throws: `.refused` when a text is drawn, which would be missing in the picture.
  func erased(_ packet: [UInt8]?, _ file: GIFFile, _ end: Int) throws(FileError) -> Patch {
    if let text = file.drawnText {
      throw FileError(.notErasable, "has a text that is drawn into the picture and can't be erased", at: text)
    }
    var block: [UInt8]?
    if let packet { block = GIFFile.xmpHeader + (try GIFContainer.checked(packet)) + GIFFile.magicTrailer }
    var isWritten = block == nil
    var splices: [Splice] = []
    var gone: [Range<Int>] = []
    for range in file.descriptions {
      let isNew = isWritten ? false : try file.source.holds(block, in: range)
      isWritten = isWritten || isNew
      if !isNew {
        splices.append(Splice(range, []))
        gone.append(range)
      }
    }
    if let block, !isWritten {
      splices.append(Splice(end..<end, block))
      if try file.source.bytes(GIFFile.version).has("87a".utf8) {
        splices.append(Splice(GIFFile.version, Array("89a".utf8)))
      }
    }
    if end + 1 < file.source.count { splices.append(Splice(end + 1..<file.source.count, [])) }
    let kept = [0..<end, end..<end + 1].excluding([GIFFile.version] + gone)
    return try Patch(splices, to: file.source.count, imageData: kept)
  }
}
