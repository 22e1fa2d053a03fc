/// WebP (RFC 9649): EXIF and XMP are chunks after the picture, announced by flags in `VP8X`, which is added if missing.
/// Nothing else changes except the length of the file.
struct WebPContainer: Container {
  let types: [ImageType] = [.webp]

  private static let exifHeader = Array("Exif\0\0".utf8)

  func type(of head: Bytes) -> ImageType? {
    head.has("RIFF".utf8) && head.has("WEBP".utf8, at: 8) ? .webp : nil
  }

  func layout(of source: any ByteSource) throws(FileError) -> Layout {
    let file = try WebPFile(source)
    var layout = Layout()
    for chunk in file.chunks where chunk.type == "EXIF" {
      layout.add(.exif, at: try WebPContainer.block(in: chunk, of: source))
    }
    layout.add(.xmp, at: file.chunks.filter { $0.type == "XMP " }.map(\.data))
    layout.pixelSize = file.picture.size
    layout.imageData = WebPContainer.protected(file)
    if let cut = file.cut { layout.notes.append("is cut: it should go on where it ends (offset \(cut))") }
    if file.cut == nil { layout.add(trailer: file.end, of: source) }
    if let chunk = try file.frameMetadata().first {
      layout.blocks.append(
        .unread(
          "metadata in its frames", at: chunk.range.lowerBound, mayHold: .date, .opaque(remedy: Block.clearingCopy)))
    }
    layout.add(manifests: file.chunks.filter { $0.type == "C2PA" }.map(\.data))
    return layout
  }

  func patch(_ changes: BlockChanges, layout: Layout, source: any ByteSource) throws(FileError) -> Patch {
    let file = try WebPFile(source)
    if let cut = file.cut { throw FileError(.truncated, "is cut: its chunks should go on here", at: cut) }
    if changes.erasesAll { return try erased(changes.exif, layout.exifOrder(of: source), file) }
    let exif = file.chunks.filter { $0.type == "EXIF" }
    let xmp = file.chunks.filter { $0.type == "XMP " }
    let newEXIF = exif.isEmpty ? try changes.exif.newBlock() : nil
    let newXMP = xmp.isEmpty ? changes.xmp : nil
    var replacements: [Splice] = []
    for (index, chunk) in exif.enumerated() {
      let wanted = index == 0 ? changes.exif : changes.additionalEXIF[index - 1] ?? TIFFChanges()
      let range = try WebPContainer.block(in: chunk, of: source)
      guard let block = try? TIFFBlock(source, range) else {
        guard !changes.mustReadAll else {
          throw FileError(
            .refused, "has EXIF that can't be read and may tell \(changes.erased)", at: chunk.range.lowerBound)
        }
        continue
      }
      guard !wanted.isEmpty else { continue }
      let lead = try source.bytes(chunk.data.lowerBound..<range.lowerBound).array
      replacements.append(Splice(chunk.range, try RIFFChunk.bytes("EXIF", lead + block.edited(by: wanted))))
    }
    for (index, chunk) in xmp.enumerated() {
      guard let packet = index == 0 ? changes.xmp : changes.additionalXMP[index - 1] else { continue }
      replacements.append(Splice(chunk.range, try RIFFChunk.bytes("XMP ", packet)))
    }
    // EXIF comes before XMP, and both after everything else; the last chunk may lack its padding.
    let (end, place) = (file.end, xmp.first?.range.lowerBound ?? file.end)
    var splices: [Splice] = []
    if let last = file.chunks.last, last.range.count % 2 == 1, newXMP != nil || newEXIF != nil && place == end,
      !replacements.contains(where: { $0.range == last.range })
    {
      splices.append(Splice(end..<end, [0]))
    }
    if let newEXIF { splices.append(Splice(place..<place, try RIFFChunk.bytes("EXIF", newEXIF))) }
    splices += replacements
    if let newXMP { splices.append(Splice(end..<end, try RIFFChunk.bytes("XMP ", newXMP))) }
    let erasures = changes.erasesPlaces ? try frameErasures(file) : []
    splices += erasures
    guard !splices.isEmpty else { return try Patch([], to: source.count, imageData: []) }
    splices += try headSplices(
      file, hasEXIF: !exif.isEmpty || newEXIF != nil, hasXMP: !xmp.isEmpty || newXMP != nil)
    splices += try sizeSplice(file, splices)
    return try Patch(
      splices, to: source.count, imageData: layout.imageData.excluding(erasures.map(\.range)))
  }

  /// Returns the TIFF structure in an `EXIF` chunk; some writers put JPEG's six bytes before it.
  static func block(in chunk: RIFFChunk, of source: any ByteSource) throws(FileError) -> Range<Int> {
    let head = try source.prefix(at: chunk.data.lowerBound, count: min(exifHeader.count, chunk.data.count))
    return chunk.data.lowerBound + (head.has(exifHeader) ? exifHeader.count : 0)..<chunk.data.upperBound
  }

  /// Returns the splices for the flags in `VP8X`, or for a new `VP8X`.
  func headSplices(_ file: WebPFile, hasEXIF: Bool, hasXMP: Bool) throws(FileError) -> [Splice] {
    let wanted = (hasEXIF ? WebPFile.Flag.exif : 0) | (hasXMP ? WebPFile.Flag.xmp : 0)
    if let chunk = file.chunk("VP8X") {
      let place = chunk.data.lowerBound
      let old = try file.source.bytes(at: place, count: 1).u8(0)
      let new = old & ~(WebPFile.Flag.exif | WebPFile.Flag.xmp) | wanted
      return old == new ? [] : [Splice(place..<place + 1, [new])]
    }
    guard let size = file.picture.size, 1...1 << 24 ~= size.width, 1...1 << 24 ~= size.height else {
      throw FileError(.malformed, "doesn't say how large its picture is", at: WebPFile.headCount)
    }
    let flags = wanted | (file.picture.hasAlpha ? WebPFile.Flag.alpha : 0)
    let canvas = [size.width, size.height].flatMap { UInt32($0 - 1).bytes(.little).prefix(3) }
    let start = WebPFile.headCount
    return [Splice(start..<start, try RIFFChunk.bytes("VP8X", [flags, 0, 0, 0] + canvas))]
  }

  func sizeSplice(_ file: WebPFile, _ splices: [Splice]) throws(FileError) -> [Splice] {
    let growth = splices.reduce(0) { $0 + $1.growth }
    guard growth != 0 else { return [] }
    guard let count = UInt32(exactly: file.end - 8 + growth), count <= .max - 10 else {
      throw FileError(.tooLarge, "a WebP file can't be longer than 4 GB")
    }
    return [Splice(4..<8, count.bytes(.little))]
  }

  /// Returns every other chunk, without padding, and the bytes after the file.
  private static func protected(_ file: WebPFile) -> [Range<Int>] {
    file.chunks.filter { !["VP8X", "EXIF", "XMP "].contains($0.type) }
      .map { $0.range.lowerBound..<$0.data.upperBound } + [file.end..<file.source.count]
  }
}
