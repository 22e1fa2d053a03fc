/// JPEG XL (ISO/IEC 18181-2): EXIF and XMP are boxes next to the coded picture, packed or not. A bare codestream is put
/// into boxes when it gets metadata. No offsets refer to boxes, so they may grow and be anywhere.
struct JXLContainer: Container {
  let types: [ImageType] = [.jxl]

  func type(of head: Bytes) -> ImageType? {
    head.has(JXLFile.signature) || head.has(JXLFile.codestreamSignature) ? .jxl : nil
  }

  func layout(of source: any ByteSource) throws(FileError) -> Layout {
    let file = try JXLFile(source)
    var layout = Layout()
    for (content, found) in [(Block.Content.exif, file.exif), (.xmp, file.xmp)] {
      for block in found {
        if let start = block.place?.lowerBound {
          layout.add(content, at: start + block.part.lowerBound..<start + block.part.upperBound)
        } else {
          layout.add(content, unpacked: block.content.array, part: block.part, of: source)
        }
      }
    }
    let metadata = Set(file.metadata)
    let rest = file.boxes.last?.range.upperBound ?? 0
    layout.imageData =
      file.boxes.filter { !metadata.contains($0.range) && !["JXL ", "ftyp"].contains($0.type) }
      .map(\.payload) + [rest..<source.count]
    if let box = file.reconstruction {
      let mayHold: Block.Facts = JXLContainer.holdsOthers(box, source) ? [.place, .date] : []
      layout.blocks.append(
        Block(
          .reconstruction, box.range, access: .opaque(remedy: "--jxl-jpeg drop gives that up"), mayHold: mayHold,
          name: "what gives back the JPEG it was made from"))
    }
    layout.notes = file.unreadable.map { "its \($0.box.type) box is not read and not edited: \($0.reason)" }
    for box in file.boxes where box.type == "jumb" {
      let head = try source.prefix(at: box.payload.lowerBound, count: min(box.payload.count, 128))
      if head.firstIndex(of: Array("c2pa".utf8)) != nil { layout.add(manifests: [box.payload]) }
    }
    return layout
  }

  func patch(_ changes: BlockChanges, layout: Layout, source: any ByteSource) throws(FileError) -> Patch {
    let file = try JXLFile(source)
    if changes.mustReadAll, let unreadable = file.unreadable.first {
      throw FileError(
        .refused, "has metadata that can't be read and may tell \(changes.erased) (\(unreadable.reason.sentence))",
        at: unreadable.box.range.lowerBound)
    }
    guard file.isWhole else {
      throw FileError(.truncated, "is cut: boxes of its picture are missing", at: source.count)
    }
    if changes.erasesAll { return try erased(changes, layout.exifOrder(of: source), file) }
    let blocks = Set(file.metadata)
    if changes.mustReadAll,
      let box = file.boxes.first(where: { ["brob", "uuid"].contains($0.type) && !blocks.contains($0.range) })
    {
      let kind = box.type == "brob" ? "packed box" : "box of another standard"
      throw FileError(
        .refused, "has a \(kind) that may tell \(changes.erased); 'metatag clear --all' erases it",
        at: box.range.lowerBound)
    }
    let exif = try exifSplices(changes, file)
    var xmp: [Splice] = []
    for (index, block) in file.xmp.enumerated() {
      guard let packet = index == 0 ? changes.xmp : changes.additionalXMP[index - 1] else { continue }
      xmp.append(Splice(block.box.range, Box.bytes("xml ", packet)))
    }
    var new: [UInt8] = []
    // No bytes between the four-byte offset and the TIFF structure.
    if file.exif.isEmpty, let block = try changes.exif.newBlock() { new += Box.bytes("Exif", [0, 0, 0, 0] + block) }
    if file.xmp.isEmpty, let packet = changes.xmp { new += Box.bytes("xml ", packet) }
    let jpeg = try reconstruction(changes, file, changesExif: !exif.isEmpty, changesXMP: !xmp.isEmpty)
    guard !(exif + xmp + jpeg).isEmpty || !new.isEmpty else { return try Patch([], to: source.count, imageData: []) }
    let insertion: [Splice]
    if file.isNaked, !new.isEmpty {
      insertion = [Splice(0..<0, JXLContainer.head + new + JXLContainer.codestreamHead(source.count))]
    } else {
      // Before the picture: its box may be open to the end of the file.
      let place = file.codestreams.first?.range.lowerBound ?? source.count
      insertion = new.isEmpty ? [] : [Splice(place..<place, new)]
    }
    let imageData = layout.imageData.excluding(jpeg.map(\.range))
    return try Patch(insertion + exif + xmp + jpeg, to: source.count, imageData: imageData)
  }

  private func exifSplices(_ changes: BlockChanges, _ file: JXLFile) throws(FileError) -> [Splice] {
    var splices: [Splice] = []
    for (index, block) in file.exif.enumerated() {
      let wanted = index == 0 ? changes.exif : changes.additionalEXIF[index - 1] ?? TIFFChanges()
      guard let tiff = try? TIFFBlock(block.content, block.part) else {
        guard !changes.mustReadAll else {
          throw FileError(
            .refused, "has EXIF that can't be read and may tell \(changes.erased)", at: block.box.range.lowerBound)
        }
        continue
      }
      guard !wanted.isEmpty else { continue }
      let lead = try block.content.bytes(0..<block.part.lowerBound).array
      splices.append(Splice(block.box.range, Box.bytes("Exif", lead + (try tiff.edited(by: wanted)))))
    }
    return splices
  }

  /// Returns the effect of the change on the JPEG that can be reproduced from this file, bit by bit: none, or its end,
  /// if the edit allows that.
  private func reconstruction(
    _ changes: BlockChanges, _ file: JXLFile, changesExif: Bool, changesXMP: Bool
  ) throws(FileError) -> [Splice] {
    guard let box = file.reconstruction else { return [] }
    // If it can't be read, it may need either.
    let needs = try? JXLReconstruction(box, of: file.source)
    let holds = changes.mustReadAll && needs?.holdsOthers ?? true
    guard holds || changesExif && needs?.needsExif ?? true || changesXMP && needs?.needsXMP ?? true else { return [] }
    guard changes.endsReconstruction else { throw JXLContainer.endOfReconstruction(box) }
    return [Splice(box.range, [])]
  }

  /// Whether the reproduced JPEG would have metadata that this file doesn't show.
  private static func holdsOthers(_ box: Box, _ source: any ByteSource) -> Bool {
    (try? JXLReconstruction(box, of: source))?.holdsOthers ?? true
  }

  static func endOfReconstruction(_ box: Box) -> FileError {
    FileError(
      .refused,
      "the JPEG it was made from could no longer be had back bit by bit after this change; "
        + "--jxl-jpeg drop gives that up", at: box.range.lowerBound)
  }

  /// Signature and file type.
  static let head = JXLFile.signature + Box.bytes("ftyp", Array("jxl \0\0\0\0jxl ".utf8))

  /// Returns the bytes before a codestream of `count` bytes.
  static func codestreamHead(_ count: Int) -> [UInt8] {
    let type = FourCC("jxlc").bytes
    if let size = UInt32(exactly: count + 8) { return size.bytes(.big) + type }
    return UInt32(1).bytes(.big) + type + UInt64(count + 16).bytes(.big)
  }
}
