/// PNG (ISO/IEC 15948), including animations: EXIF in `eXIf`, XMP in a text, and both, and IPTC, in texts of older
/// programs. Metadata chunks are rewritten; all others keep every byte.
package struct PNGContainer: Container {
  package let types: [ImageType] = [.png]

  package func type(of head: Bytes) -> ImageType? { head.has(PNGFile.signature) ? .png : nil }

  package func layout(of source: any ByteSource) throws(FileError) -> Layout {
    let file = try PNGFile(source)
    let blocks = try PNGBlocks(file)
    var layout = Layout()
    for (content, found) in [(Block.Content.exif, blocks.exif), (.xmp, blocks.xmp)] {
      for block in found {
        if let place = block.place {
          layout.add(content, at: place)
        } else {
          layout.add(content, unpacked: block.bytes, of: source)
        }
      }
    }
    for (index, block) in blocks.iptc.enumerated() {
      let part = blocks.resources[index].map { $0.iptc } ?? 0..<block.bytes.count
      // Resources without IPTC get an empty range as its place.
      layout.add(.iptc, unpacked: block.bytes, part: part ?? 0..<0, of: source)
    }
    layout.pixelSize = file.pixelSize
    layout.imageData = PNGContainer.protected(file, blocks)
    layout.notes = try PNGContainer.notes(file, blocks)
    for text in blocks.texts where text.isProgramsDate && text.content.count <= XMPDate.longest {
      guard let bytes = try? text.text(in: source) else { continue }
      let time = Block.Content.programTime(keyword: text.keyword, text: String(decoding: bytes, as: UTF8.self))
      layout.blocks.append(Block(time, text.chunk.range, access: .erasable))
    }
    if file.cut == nil, let last = file.chunks.last { layout.add(trailer: last.range.upperBound, of: source) }
    layout.add(manifests: file.chunks.filter { $0.type == "caBX" }.map(\.data))
    return layout
  }

  package func patch(_ changes: BlockChanges, layout: Layout, source: any ByteSource) throws(FileError) -> Patch {
    let file = try PNGFile(source)
    if let cut = file.cut {
      throw FileError(.truncated, "file is truncated: its last chunk, IEND, is missing", at: cut)
    }
    guard !file.images.isEmpty else { throw FileError(.malformed, "has no image data", at: file.home) }
    if changes.erasesAll { return try erased(changes.exif, layout.exifOrder(of: source), file) }
    let blocks = try PNGBlocks(file)
    if changes.mustReadAll, let unreadable = blocks.unreadable.first {
      throw FileError(
        .notErasable,
        "has metadata that can't be read and may contain \(changes.erased) (\(unreadable.reason.description))",
        at: unreadable.chunk.range.lowerBound)
    }
    if changes.erasesDates { try requireNoPackedDate(in: blocks, of: source) }
    var splices = try exifSplices(changes, blocks, file) + xmpSplices(changes, blocks, file)
    for (index, block) in blocks.iptc.enumerated() {
      guard let records = changes.iptc(at: index) else { continue }
      var content = records
      if let resources = blocks.resources[index] {
        let replaced = try resources.replacingIPTC(with: records)
        content = if let replaced { replaced } else { try resources.addingIPTC(records) }
      }
      splices.append(Splice(block.chunk.range, try block.chunk(holding: content, in: source)))
    }
    let texts = blocks.texts.filter { text in
      changes.erasesPlaces && text.holdsLocation || changes.movesPlace && text.copiesPlace
        || changes.erasesDates && text.holdsDate
    }.map(\.chunk)
    let times = changes.erasesDates ? file.chunks.filter { $0.type == "tIME" } : []
    splices += (texts + times).map { Splice($0.range, []) }
    return try Patch(splices, to: source.count, imageData: layout.imageData)
  }

  /// Returns the splices for EXIF. It goes to `eXIf`, before the image data as the standard requires; a copy for older
  /// programs, if it differs, is kept up to date.
  private func exifSplices(
    _ changes: BlockChanges, _ blocks: PNGBlocks, _ file: PNGFile
  ) throws(FileError) -> [Splice] {
    var splices: [Splice] = []
    for (index, block) in blocks.exif.enumerated() {
      let wanted = changes.exif(at: index)
      guard index > 0 || !wanted.isEmpty else { continue }
      let content = Bytes(block.bytes, base: block.chunk.data.lowerBound)
      guard let tiff = try? TIFFBlock(content, 0..<content.count) else {
        guard !changes.mustReadAll else { throw changes.unreadEXIF(at: block.chunk.range.lowerBound) }
        continue
      }
      guard !wanted.isEmpty else { continue }
      let new = try tiff.edited(by: wanted)
      if index == 0 {
        let prefix = block.isStandard ? block.prefix : []
        splices += PNGContainer.placing(try PNGChunk.bytes("eXIf", prefix + new), instead: block, in: file)
      } else {
        splices.append(Splice(block.chunk.range, try block.chunk(holding: new, in: file.source)))
      }
    }
    if blocks.exif.isEmpty, let new = try changes.exif.newBlock() {
      splices.append(Splice(file.home..<file.home, try PNGChunk.bytes("eXIf", new)))
    }
    return splices
  }

  private func xmpSplices(
    _ changes: BlockChanges, _ blocks: PNGBlocks, _ file: PNGFile
  ) throws(FileError) -> [Splice] {
    // Keyword, not compressed, no language, no translated keyword.
    let prefix = Array((PNGBlocks.xmpKeyword + "\0\0\0\0\0").utf8)
    var splices: [Splice] = []
    for (index, block) in blocks.xmp.enumerated() {
      guard let packet = changes.xmp(at: index), packet != block.bytes else {
        continue
      }
      if index > 0 || block.place != nil {
        splices.append(Splice(block.chunk.range, try block.chunk(holding: packet, in: file.source)))
      } else {
        splices += PNGContainer.placing(try PNGChunk.bytes("iTXt", prefix + packet), instead: block, in: file)
      }
    }
    if blocks.xmp.isEmpty, let packet = changes.xmp {
      splices.append(Splice(file.home..<file.home, try PNGChunk.bytes("iTXt", prefix + packet)))
    }
    return splices
  }

  /// Returns the splices that put a chunk in the old one's place if that is before the image data; otherwise before the
  /// image data, and the old one is removed.
  private static func placing(_ chunk: [UInt8], instead block: PNGBlocks.Block, in file: PNGFile) -> [Splice] {
    let old = block.chunk.range
    return old.upperBound <= file.home
      ? [Splice(old, chunk)] : [Splice(file.home..<file.home, chunk), Splice(old, [])]
  }

  /// Checks that no packed text holds a date, because a search of the file for old dates can't see it.
  private func requireNoPackedDate(in blocks: PNGBlocks, of source: any ByteSource) throws(FileError) {
    var left = PNGBlocks.mostUnpacked
    for text in blocks.texts where text.isCompressed && !text.holdsDate {
      if left > 0, let content = try? text.text(in: source) {
        left -= content.count
        if !content.holdsDay { continue }
      }
      throw FileError(
        .notErasable, "has a compressed text '\(text.keyword)' that may contain a date",
        at: text.chunk.range.lowerBound,
        remedy: .clearAll)
    }
  }

  package func textFields(of source: any ByteSource) throws(FileError) -> TextFields? {
    let texts = try PNGBlocks(try PNGFile(source)).texts
    var left = PNGBlocks.mostUnpacked
    let packed = texts.filter(\.isCompressed).compactMap { text -> Bytes? in
      guard left > 0, let content = try? text.text(in: source) else { return nil }
      left -= content.count
      return Bytes(content)
    }
    let dated = texts.filter { text in
      guard !text.holdsDate, !text.isCompressed, let content = try? text.text(in: source) else { return false }
      return content.holdsDay
    }
    return TextFields(packed: packed, dated: dated.map(\.keyword))
  }

  /// Returns everything but the blocks and the removable texts, on both sides of the position for new chunks.
  private static func protected(_ file: PNGFile, _ blocks: PNGBlocks) -> [Range<Int>] {
    let texts = blocks.texts.filter { $0.holdsLocation || $0.holdsDate }.map(\.chunk.range)
    let free = (blocks.ranges + texts + file.chunks.filter { $0.type == "tIME" }.map(\.range)).merged()
    return [0..<file.home, file.home..<file.source.count].excluding(free)
  }

  private static func notes(_ file: PNGFile, _ blocks: PNGBlocks) throws(FileError) -> [Note] {
    var notes = blocks.unreadable.map {
      Note(.unreadBlock, "its \($0.chunk.type) chunk is not read or edited: \($0.reason)")
    }
    if file.cut != nil { notes.append(Note(.truncatedFile, "file is truncated: its last chunk, IEND, is missing")) }
    for chunk in file.chunks where blocks.ranges.contains(chunk.range) {
      if try !file.isSound(chunk) {
        notes.append(Note(.wrongChecksum, "the checksum of its \(chunk.type) chunk is wrong"))
      }
    }
    // Not a camera's time: programs record when they made the picture, in any format.
    for keyword in blocks.texts.filter(\.isProgramsDate).map(\.keyword) {
      notes.append(
        Note(.unreadDateText, "has a text '\(keyword)', which is not read as a capture time"))
    }
    return notes
  }
}

extension BlockChanges {
  /// Whether more of a position changes than the time of its fix.
  fileprivate var movesPlace: Bool {
    exif.tags[.gps]?.keys.contains { ![GPSTag.timeStamp, GPSTag.dateStamp].contains($0) } ?? false
  }
}

extension PNGText {
  /// Whether the text is ImageMagick's copy of an EXIF tag or XMP property that records the place.
  fileprivate var copiesPlace: Bool { XMPProperty.holdsLocation(named: keyword) }

  /// Whether the text records the place. Other programs write such names without a prefix.
  fileprivate var holdsLocation: Bool {
    let name = keyword.hasPrefix("xmp:") ? String(keyword.dropFirst(4)) : keyword
    return XMPProperty.holdsLocation(named: name.contains(":") ? name : ":" + name)
  }

  fileprivate static let programsDates: Set = [
    "creation time", "create-date", "exif:datetimeoriginal", "exif:datetimedigitized",
  ]

  /// Whether the text records when a program made the picture.
  fileprivate var isProgramsDate: Bool { PNGText.programsDates.contains(keyword.lowercased()) }

  /// Whether the text is erased with the dates: programs' dates, including ImageMagick's of the file itself.
  fileprivate var holdsDate: Bool {
    let name = keyword.lowercased()
    return isProgramsDate || PNGText.dates.contains { name.hasPrefix($0) } || PNGText.plainDates.contains(name)
  }

  /// Programs' names for a date.
  private static let plainDates: Set = ["date", "date time", "datetime", "modify date", "timestamp"]

  /// The beginnings of names that ImageMagick copies from EXIF and XMP.
  private static let dates = [
    "date:", "exif:datetime", "exif:subsectime", "exif:offsettime", "exif:gpsdatestamp", "exif:gpstimestamp",
    "photoshop:datecreated", "xmp:datetime", "xmp:createdate", "xmp:modifydate", "xmp:metadatadate", "xmp:gpstimestamp",
  ]
}
