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
          .reconstruction, box.range, access: .opaque(remedy: .dropReconstruction), mayHold: mayHold,
          name: "JPEG reconstruction data"))
    }
    layout.notes = file.unreadable.map {
      Note(.unreadBlock, "its \($0.box.type) box is not read or edited: \($0.reason)")
    }
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
        .notErasable,
        "has metadata that can't be read and may contain \(changes.erased) (\(unreadable.reason.description))",
        at: unreadable.box.range.lowerBound)
    }
    guard file.isWhole else {
      throw FileError(.truncated, "file is truncated: codestream boxes are missing", at: source.count)
    }
    if changes.erasesAll { return try erased(changes, layout.exifOrder(of: source), file) }
    let blocks = Set(file.metadata)
    if changes.mustReadAll,
      let box = file.boxes.first(where: { ["brob", "uuid"].contains($0.type) && !blocks.contains($0.range) })
    {
      let kind = box.type == "brob" ? "compressed box (brob)" : "box of another standard (uuid)"
      throw FileError(
        .notErasable, "has a \(kind) that may contain \(changes.erased)", at: box.range.lowerBound, remedy: .clearAll)
    }
    let exif = try exifSplices(changes, file)
    var xmp: [Splice] = []
    for (index, block) in file.xmp.enumerated() {
      guard let packet = changes.xmp(at: index) else { continue }
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
      let wanted = changes.exif(at: index)
      guard let tiff = try? TIFFBlock(block.content, block.part) else {
        guard !changes.mustReadAll else { throw changes.unreadEXIF(at: block.box.range.lowerBound) }
        continue
      }
      guard !wanted.isEmpty else { continue }
      let prefix = try block.content.bytes(0..<block.part.lowerBound).array
      splices.append(Splice(block.box.range, Box.bytes("Exif", prefix + (try tiff.edited(by: wanted)))))
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
      .losesReconstruction, "the original JPEG could no longer be reconstructed after this change",
      at: box.range.lowerBound, remedy: .dropReconstruction)
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

/// A JPEG XL file (ISO/IEC 18181-2): boxes, or a bare codestream.
struct JXLFile: Sendable {
  /// A block of metadata in a box of its own.
  struct Block: Sendable {
    let box: Box
    let type: FourCC
    /// The content of the box, unpacked.
    let content: Bytes
    /// The range of the content in the file; nil if it is packed (`brob`).
    let place: Range<Int>?
    /// The range of the block in `content`, after the bytes before a TIFF structure.
    let part: Range<Int>
  }

  static let signature: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
  static let codestreamSignature: [UInt8] = [0xFF, 0x0A]
  /// The limits in bytes, unpacked: of one block, and of all packed blocks together.
  private static let longest = 1 << 24
  private static let mostUnpacked = 1 << 26

  let source: any ByteSource
  /// The boxes; empty for a bare codestream.
  let boxes: [Box]
  private(set) var exif: [Block] = []
  private(set) var xmp: [Block] = []
  /// Metadata boxes that can't be read, with the reasons.
  private(set) var unreadable: [(box: Box, reason: FileError)] = []

  init(_ source: any ByteSource) throws(FileError) {
    self.source = source
    let isNaked = try source.prefix(at: 0, count: 2).has(JXLFile.codestreamSignature)
    boxes = isNaked ? [] : try source.boxes(in: 0..<source.count)
    var left = JXLFile.mostUnpacked
    for box in boxes where ["Exif", "xml ", "brob"].contains(box.type) {
      do throws(FileError) {
        guard let block = try JXLFile.block(in: box, of: source, &left) else { continue }
        if block.type == "Exif" { exif.append(block) } else { xmp.append(block) }
      } catch {
        // A failure may have cost as much as the longest block.
        left -= JXLFile.longest
        unreadable.append((box, error))
      }
    }
  }

  var isNaked: Bool { boxes.isEmpty }
  /// Boxes that hold the coded picture.
  var codestreams: [Box] { boxes.filter { $0.type == "jxlc" || $0.type == "jxlp" } }
  /// The data that rebuilds the original JPEG file.
  var reconstruction: Box? { boxes.first { $0.type == "jbrd" } }
  /// The boxes that may change.
  var metadata: [Range<Int>] { (exif + xmp).map(\.box.range) }

  /// Whether the picture is complete, as far as boxes show.
  var isWhole: Bool { isNaked || !codestreams.isEmpty && boxes.last?.range.upperBound == source.count }

  private static func block(
    in box: Box, of source: any ByteSource, _ left: inout Int
  ) throws(FileError) -> Block? {
    guard box.payload.count <= longest else {
      throw FileError(.tooLarge, "its metadata exceeds 16 MB", at: box.range.lowerBound)
    }
    let payload = try source.bytes(box.payload)
    guard box.type == "brob" else {
      return Block(
        box: box, type: box.type, content: payload, place: box.payload, part: part(of: payload, box.type))
    }
    let type = FourCC(rawValue: try payload.u32(0, .big))
    guard type == "Exif" || type == "xml " else { return nil }
    let packed = try payload.bytes(4..<payload.count)
    guard left > 0 else { throw FileError(.tooLarge, "its compressed metadata is too large", at: box.range.lowerBound) }
    let content = Bytes(try Brotli.unpacked(packed, limit: longest), base: box.payload.lowerBound)
    left -= content.count
    return Block(box: box, type: type, content: content, place: nil, part: part(of: content, type))
  }

  /// Returns the range of the block. Before EXIF are four bytes with the number of further bytes (ISO/IEC 23008-12,
  /// A.2.1); some writers put zero there, followed by JPEG's six bytes.
  private static func part(of content: Bytes, _ type: FourCC) -> Range<Int> {
    guard type == "Exif", let offset = try? content.u32(0, .big) else { return 0..<content.count }
    let candidates = [4 + Int(offset), 4, 10]
    let start = candidates.first { content.has("II".utf8, at: $0) || content.has("MM".utf8, at: $0) }
    return min(start ?? 4, content.count)..<content.count
  }
}

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
