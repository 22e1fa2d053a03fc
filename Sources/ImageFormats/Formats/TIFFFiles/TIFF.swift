/// TIFF 6.0, BigTIFF, DNG and most raw formats: the whole file is one TIFF block. New directories and values go to the
/// end of the file; strips, tiles, SubIFDs and maker notes never move. Only the places of EXIF's own tags are
/// overwritten.
package struct TIFFContainer: Container {
  static let allTypes: Set<ImageType> = [
    .tiff, .bigTIFF, .dng, .nef, .arw, .cr2, .pef, .srw, .orf, .rw2, .iiq, .threeFR, .erf, .mef, .kdc, .raw,
  ]
  package let types = Array(allTypes)
  package let addableBlocks: Set<Namespace> = [.exif, .xmp, .iptc]

  /// The size from which copying the file would cost more than the edit: all new data is appended, and the pointer in
  /// the header commits it.
  private static let bigCount = 16 << 20
  /// dcraw reads up to this many bytes at a value, however short it is, and gives up if the file ends first.
  private static let readAhead = 512

  /// Returns the format as far as the header shows it. The exact one is known only from the directories, which may be
  /// at the file's end.
  package func type(of head: Bytes) -> ImageType? {
    if head.has([0x49, 0x49, 43, 0, 8, 0, 0, 0]) || head.has([0x4D, 0x4D, 0, 43, 0, 8, 0, 0]) { return .bigTIFF }
    if ["IIRO", "IIRS", "MMOR"].contains(where: { head.has($0.utf8) }) { return .orf }
    if head.has([0x49, 0x49, 0x55, 0]) { return .rw2 }
    return head.has([0x49, 0x49, 42, 0]) || head.has([0x4D, 0x4D, 0, 42]) ? .tiff : nil
  }

  package func layout(of source: any ByteSource) throws(FileError) -> Layout {
    let block = try TIFFBlock(source, 0..<source.count)
    let references = try TIFFReferences(of: block)
    var layout = Layout()
    let raw = TIFFRaw(block, references)
    layout.type = raw?.type
    if raw?.isEnumerated == false {
      layout.add(unlocatedPictureIn: 0..<source.count)
    }
    layout.add(.exif, at: 0..<source.count)
    if let exif = TIFFContainer.panasonicEXIF(of: block, in: source) { layout.add(.exif, at: exif) }
    if let range = block.ifd0[TIFFTag.xmp]?.value {
      if range.count <= TIFFBlock.longestValue {
        layout.add(.xmp, at: range)
      } else {
        layout.notes.append(Note(.unreadBlock, "its XMP exceeds 16 MB and is not read or edited"))
        layout.blocks.append(.unread("its XMP of more than 16 MB", at: range.lowerBound))
      }
    }
    try TIFFContainer.findIPTC(in: block, of: source, &layout)
    if raw != nil { layout.add(.preview, at: TIFFContainer.previews(of: block, references)) }
    layout.pixelSize = TIFFContainer.pixelSize(of: block, references, isMakers: ![nil, .dng].contains(raw?.type))
    layout.imageData = references.images.merged()
    if raw == nil {
      if TIFFPages(of: block, references).areDated {
        layout.blocks.append(.unread("metadata of its additional pages", at: 0, mayHold: .date, .erasable))
      }
      if !references.isCut { layout.add(trailer: references.end, of: source) }
      TIFFContainer.findUnedited(in: block, references, &layout)
    }
    if raw?.type == .cr2, case let packets = CanonVRD.packets(of: source), !packets.isEmpty {
      layout.add(unreadXMP: packets)
      layout.notes.append(
        Note(.unreadBlock, "has XMP in its Canon VRD trailer, which is not read or edited"))
    }
    if references.isCut { layout.notes.append(Note(.truncatedFile, "file is truncated")) }
    return layout
  }

  package func patch(_ changes: BlockChanges, layout: Layout, source: any ByteSource) throws(FileError) -> Patch {
    guard !changes.isEmpty || changes.mustReadAll || changes.erasesAll else {
      return try Patch([], to: source.count, imageData: [])
    }
    let block = try TIFFBlock(source, 0..<source.count)
    let references = try TIFFReferences(of: block)
    guard !layout.isReadOnly else {
      throw FileError(
        .readOnlyFormat, "is \(layout.type?.rawName ?? "a camera's raw file") whose image data can't be located",
        at: 0)
    }
    guard !references.isCut else {
      throw FileError(.incompleteFile, "file is truncated: image data extends beyond its end", at: source.count)
    }
    guard !references.isCircular else {
      throw FileError(
        .tangledStructure, "its TIFF directories form a loop", at: block.ifd0.range.lowerBound,
        remedy: .saveAgain)
    }
    guard !references.pointsIntoHeader else {
      throw FileError(
        .tangledStructure, "one of its TIFF directories is within the header", at: block.headerPointer,
        remedy: .saveAgain)
    }
    if let entry = references.overrun {
      let tag = "0x" + String(entry.tag, radix: 16, uppercase: true)
      throw FileError(
        .incompleteFile, "file is truncated: the value of tag \(tag) extends beyond its end", at: entry.position)
    }
    let exif = try tagChanges(changes, of: block, in: source)
    if changes.erasesPlaces, !exif.removesGPS, references.hasScatteredPlaces {
      throw FileError(.notErasable, "its additional pages have their own positions", at: 0, remedy: .clearLocation)
    }
    if changes.mustReadAll, !layout.isRaw { try block.requirePlainJPEG(in: references.directories, source) }
    if changes.erasesAll { return try TIFFErasing(block, references, source).patch(setting: exif) }
    let place = source.count + source.count % 2
    let strategy = strategy(for: exif, changes, layout, references, source)
    let edit = try TIFFEditor.edit(block, exif, references: references, appendingAt: place, strategy: strategy)
    var splices = edit.overwrites
    if !edit.appended.isEmpty {
      let filling = [UInt8](repeating: 0, count: place - source.count)
      let spare = [UInt8](repeating: 0, count: layout.isRaw ? TIFFContainer.readAhead : 0)
      splices.append(Splice(source.count..<source.count, filling + edit.appended + spare))
    }
    guard changes.mustReadAll else { return try Patch(splices, to: source.count, imageData: layout.imageData) }
    splices += try TIFFPages(of: block, references).erasures(by: changes.erasing)
    // Data that a raw file's program appended after everything the directories know isn't dead.
    let gaps = references.gaps(upTo: !layout.isRaw || layout.type == .dng ? source.count : references.end)
    for erasure in try DeadMetadata.erasures(in: gaps, of: source, by: changes.erasing) {
      splices += [erasure.range].excluding(splices.map(\.range).filter { $0.overlaps(erasure.range) })
        .map(Splice.erasing)
    }
    // If its EXIF changes, the preview is inserted again.
    let own = changes.additionalEXIF[0] == nil ? nil : TIFFContainer.panasonicPreview(of: block)
    let jpegs = layout.isRaw ? layout.previews + (try block.jpegParts(of: references.directories)) : []
    let erasures = try JPEGFurtherImages.erasures(in: jpegs, besides: own, of: source, by: changes.erasing)
    return try Patch(
      splices + erasures, to: source.count, imageData: layout.imageData.excluding(erasures.map(\.range)))
  }

  private func strategy(
    for exif: TIFFChanges, _ changes: BlockChanges, _ layout: Layout, _ references: TIFFReferences,
    _ source: any ByteSource
  ) -> TIFFEditor.PlacementStrategy {
    // A place erased from a preview that is a value is still in its old slot.
    let hadPlace = layout.additionalEXIF.contains { range in
      (try? TIFFBlock(source, range)).map { $0.gps != nil || MakerPlaces.field(in: $0) != nil } ?? false
    }
    let tags = changes.additionalEXIF[0]?.tags
    let erasesPreview =
      hadPlace && (changes.erasesPlaces || tags?[.gps] != nil || tags?[.exif]?[TIFFTag.makerNote] != nil)
    let erasesMuch = references.hasScatteredPlaces || exif.erasesDates || erasesPreview
    if source.count >= TIFFContainer.bigCount, !erasesMuch { return .appending }
    return !layout.isRaw || exif.erasesDates || exif.removesGPS ? .reusingSlots : .keepingDirectories
  }

  package func tagChanges(_ changes: BlockChanges, source: any ByteSource) throws(FileError) -> TIFFChanges {
    try tagChanges(changes, of: try TIFFBlock(source, 0..<source.count), in: source)
  }

  package func removesAll(from layout: Layout) -> Bool { !layout.isRaw }

  package func removalNotes(_ layout: Layout, source: any ByteSource) -> [Note] {
    guard let block = try? TIFFBlock(source, 0..<source.count), block.ifd0[TIFFTag.photoshopLayers] != nil else {
      return []
    }
    return [Note(.partsRemoved, "loses its Photoshop layers; the merged picture stays")]
  }

  /// Previews of raw files are edited with the file, and the pages of a TIFF are checked elsewhere.
  package func thumbnails(_ layout: Layout, source: any ByteSource) -> [Bytes] {
    guard !layout.isRaw, let block = try? TIFFBlock(source, 0..<source.count) else { return [] }
    return TIFFContainer.resources(of: block)?.resources.thumbnails ?? []
  }

  /// Returns the JPEGs in a raw file: all that its directories point to.
  package func additionalPictures(_ layout: Layout, source: any ByteSource) throws(FileError) -> [Range<Int>] {
    guard layout.isRaw else { return [] }
    guard let block = try? TIFFBlock(source, 0..<source.count) else { return layout.previews }
    return layout.previews + (try block.jpegParts(of: try TIFFReferences(of: block).directories))
  }

  /// Adds the changes of XMP and IPTC, which are tags of IFD0 in a TIFF.
  private func tagChanges(
    _ changes: BlockChanges, of block: TIFFBlock, in source: any ByteSource
  ) throws(FileError) -> TIFFChanges {
    var tags = changes.exif.completed(for: block)
    if changes.erasesAll {
      tags.pictureTags = TIFFStructure.tags
      return tags.completed
    }
    if let wanted = changes.additionalEXIF[0] {
      try TIFFContainer.putPreview(wanted, erasing: changes.erasing, of: block, &tags, in: source)
    }
    if let packet = changes.xmp { put(packet, TIFFTag.xmp, of: block, &tags) }
    try putIPTC(changes.iptc, copy: changes.additionalIPTC[0], block, &tags)
    tags.erasesPages = changes.mustReadAll
    return tags
  }

  /// Sets the bytes of a tag, in the type that its writer chose if that is a type of bytes.
  package func put(_ bytes: [UInt8], _ tag: UInt16, of block: TIFFBlock, _ changes: inout TIFFChanges) {
    let old = block.ifd0[tag]
    if let old, let raw = block.raw(old), raw.array == bytes { return }
    let isUndefined = old.map { $0.type != TIFFType.byte } ?? (tag == TIFFTag.iptc)
    changes.set(tag, in: .ifd0, to: isUndefined ? .undefined(bytes) : .bytes(bytes))
  }

  /// Returns the size of the first image without a special role, else of the first that isn't a reduced copy (TIFF 6.0,
  /// NewSubfileType bit 0). Camera makers' own formats don't mark copies: there, the largest recorded size counts.
  private static func pixelSize(
    of block: TIFFBlock, _ references: TIFFReferences, isMakers: Bool
  ) -> PixelSize? {
    if block.magic == TIFFBlock.panasonic { return panasonicSize(of: block) }
    var sizes: [PixelSize] = []
    for directory in references.directories {
      let kind = block.integer(of: TIFFTag.newSubfileType, in: directory) ?? 0
      guard kind & 1 == 0, let width = block.integer(of: TIFFTag.imageWidth, in: directory),
        let height = block.integer(of: TIFFTag.imageLength, in: directory),
        let size = PixelSize(width: width, height: height)
      else { continue }
      if !isMakers, kind == 0 { return size }
      sizes.append(size)
    }
    if !isMakers { return sizes.first }
    if let width = block.integer(of: TIFFTag.pixelXDimension, in: .exif),
      let height = block.integer(of: TIFFTag.pixelYDimension, in: .exif),
      let size = PixelSize(width: width, height: height)
    {
      sizes.append(size)
    }
    return sizes.max { Double($0.width) * Double($0.height) < Double($1.width) * Double($1.height) }
  }

  private static func panasonicSize(of block: TIFFBlock) -> PixelSize? {
    func number(_ tag: UInt16) -> Int? { block.integer(of: tag, in: block.ifd0) }
    guard let left = number(PanasonicTag.leftBorder), let right = number(PanasonicTag.rightBorder),
      let top = number(PanasonicTag.topBorder), let bottom = number(PanasonicTag.bottomBorder)
    else { return nil }
    return PixelSize(width: right - left, height: bottom - top)
  }
}
