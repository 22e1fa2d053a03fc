/// TIFF 6.0, BigTIFF and DNG: the whole file is one TIFF block. New directories and values go to the end of the file;
/// strips, tiles, SubIFDs and maker notes never move.
struct TIFFContainer: Container {
  let types: [ImageType] = [.tiff, .bigTIFF, .dng]

  /// From this size on, copying the file would cost more than the edit: everything new is appended, and flipping the
  /// pointer in the header commits it.
  private static let bigCount = 16 << 20

  func type(of head: Bytes) -> ImageType? {
    let isLittle = head.has([0x49, 0x49, 42, 0]) || head.has([0x49, 0x49, 43, 0, 8, 0, 0, 0])
    let isBig = head.has([0x4D, 0x4D, 0, 42]) || head.has([0x4D, 0x4D, 0, 43, 0, 8, 0, 0])
    guard isLittle || isBig else { return nil }
    let block = try? TIFFBlock(head, 0..<head.count)
    if block?.main[TIFFTag.dngVersion] != nil { return .dng }
    return head.has([43], at: isLittle ? 2 : 3) ? .bigTIFF : .tiff
  }

  func layout(of source: any ByteSource) throws(PhotoError) -> Layout {
    let block = try TIFFBlock(source, 0..<source.count)
    let references = try TIFFReferences(of: block)
    var layout = Layout()
    layout.exif = 0..<source.count
    layout.xmp = block.main[TIFFTag.xmp]?.value
    layout.iptc = block.main[TIFFTag.iptc]?.value ?? TIFFContainer.resources(of: block)?.iptc
    if let range = layout.xmp, range.count > TIFFBlock.longestValue {
      layout.xmp = nil
      layout.notices.append("its XMP is longer than 16 MB, and is not read and not edited")
    }
    if let range = layout.iptc, range.count > TIFFBlock.longestValue {
      layout.iptc = nil
      layout.notices.append("its IPTC data is longer than 16 MB, and is not read and not edited")
    }
    layout.pixelSize = TIFFContainer.pixelSize(of: block, references)
    layout.imageData = references.images.merged()
    if references.isCut { layout.notices.append("is cut: image data should lie beyond its end") }
    layout.rawKind = TIFFContainer.rawKind(of: block, references)
    if let raw = layout.rawKind, raw != "DNG" { layout.notices.append("is a \(raw) raw file") }
    return layout
  }

  func patch(_ changes: BlockChanges, layout: Layout, source: any ByteSource) throws(PhotoError) -> Patch {
    guard !changes.isEmpty else { return try Patch([], to: source.count, imageData: []) }
    let block = try TIFFBlock(source, 0..<source.count)
    let references = try TIFFReferences(of: block)
    guard !references.isCut else {
      throw PhotoError(.refused, "is cut: image data should lie beyond its end", at: source.count)
    }
    if let entry = references.overrun {
      let tag = "0x" + String(entry.tag, radix: 16, uppercase: true)
      throw PhotoError(.refused, "is cut: the value of tag \(tag) runs past its end", at: entry.position)
    }
    let exif = try tagChanges(changes, of: block)
    let place = source.count + source.count % 2
    let isBig = source.count >= TIFFContainer.bigCount
    let edit = try TIFFEditor.edit(
      block, exif, references: references, appendingAt: place,
      habit: isBig && !references.hasScatteredPlaces && !exif.erasesDates ? .appending : .reusingSlots)
    var splices = edit.overwrites
    if !edit.appended.isEmpty {
      let filling = [UInt8](repeating: 0, count: place - source.count)
      splices.append(Splice(source.count..<source.count, filling + edit.appended))
    }
    return try Patch(splices, to: source.count, imageData: layout.imageData)
  }

  func tagChanges(_ changes: BlockChanges, source: any ByteSource) throws(PhotoError) -> TIFFChanges {
    try tagChanges(changes, of: try TIFFBlock(source, 0..<source.count))
  }

  /// In a TIFF, XMP and IPTC are tags of IFD0.
  private func tagChanges(_ changes: BlockChanges, of block: TIFFBlock) throws(PhotoError) -> TIFFChanges {
    var tags = changes.exif
    if let packet = changes.xmp { put(packet, TIFFTag.xmp, of: block, &tags) }
    if let records = changes.iptc { try putIPTC(records, block, &tags) }
    return tags
  }

  /// IPTC has a tag of its own, and often a copy among Photoshop's resources.
  private func putIPTC(_ records: [UInt8], _ block: TIFFBlock, _ changes: inout TIFFChanges) throws(PhotoError) {
    let old = block.main[TIFFTag.iptc].flatMap(block.raw)
    let resources = TIFFContainer.resources(of: block)?.resources
    let copy = try resources?.replacingIPTC(with: records)
    if let copy {
      put(copy, TIFFTag.photoshop, of: block, &changes)
    } else if let old, let renewed = try resources?.renewingDigest(from: old, to: records) {
      put(renewed, TIFFTag.photoshop, of: block, &changes)
    }
    if copy == nil || block.main[TIFFTag.iptc] != nil { put(records, TIFFTag.iptc, of: block, &changes) }
  }

  /// Photoshop's resources, and where their IPTC data lies in the file.
  private static func resources(of block: TIFFBlock) -> (resources: PhotoshopResources, iptc: Range<Int>?)? {
    guard let entry = block.main[TIFFTag.photoshop], let value = entry.value, let raw = block.raw(entry),
      let resources = try? PhotoshopResources(raw)
    else { return nil }
    let iptc = resources.iptc.map { $0.lowerBound + value.lowerBound..<$0.upperBound + value.lowerBound }
    return (resources, iptc)
  }

  /// Bytes under a tag, in the type that its writer chose if that is a type of bytes.
  private func put(_ bytes: [UInt8], _ tag: UInt16, of block: TIFFBlock, _ changes: inout TIFFChanges) {
    let old = block.main[tag]
    if let old, let raw = block.raw(old), raw.array == bytes { return }
    let isUndefined = old.map { $0.type != TIFFType.byte } ?? (tag == TIFFTag.iptc)
    changes.set(tag, in: .main, to: isUndefined ? .undefined(bytes) : .bytes(bytes))
  }

  /// Camera makers' own formats in a TIFF's clothes; their offsets are nobody's but the maker's.
  private static let rawMarks = ["CR": "Canon CR2", "IIII": "Phase One IIQ", "MMMM": "Phase One IIQ"]
  private static let rawCompressions = [32_767: "Sony ARW", 34_713: "Nikon NEF", 65_535: "Pentax PEF"]
  /// Colour filter array and linear raw.
  private static let rawPhotometrics: Set = [32_803, 34_892]

  private static func rawKind(of block: TIFFBlock, _ references: TIFFReferences) -> String? {
    if !block.isBig, let head = try? block.bytes(8..<min(16, block.count)),
      let mark = rawMarks.first(where: { head.has($0.key.utf8) })
    {
      return mark.value
    }
    if block.main[TIFFTag.dngVersion] != nil { return "DNG" }
    guard block.main[TIFFTag.make] != nil else { return nil }
    for directory in references.directories {
      let compression = block.integer(of: TIFFTag.compression, in: directory)
      if let name = compression.flatMap({ rawCompressions[$0] }) { return name }
      let kind = block.integer(of: TIFFTag.photometricInterpretation, in: directory)
      if let kind, rawPhotometrics.contains(kind) { return "camera's" }
    }
    return nil
  }

  /// Of the first image that is no smaller copy of another one (TIFF 6.0, NewSubfileType bit 0).
  private static func pixelSize(of block: TIFFBlock, _ references: TIFFReferences) -> PixelSize? {
    for directory in references.directories {
      guard (block.integer(of: TIFFTag.newSubfileType, in: directory) ?? 0) & 1 == 0,
        let width = block.integer(of: TIFFTag.imageWidth, in: directory),
        let height = block.integer(of: TIFFTag.imageLength, in: directory)
      else { continue }
      return PixelSize(width: width, height: height)
    }
    return nil
  }
}
