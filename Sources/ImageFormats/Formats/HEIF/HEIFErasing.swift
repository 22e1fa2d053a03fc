/// Erasing of everything that describes a HEIF picture. The items stay, so that tables change as little as possible,
/// but lose their content.
extension HEIFContainer {
  /// Top-level boxes that record nothing but the coding of a picture.
  private static let known: Set<FourCC> = ["ftyp", "meta", "mdat", "free", "skip"]
  /// The movie of a motion photo, and the data block of Samsung's phones.
  fileprivate static let companions: Set<FourCC> = ["mpvd", "sefd"]
  /// Properties with texts and times (ISO/IEC 23008-12, 6.5).
  private static let descriptiveTypes: [FourCC] = ["udes", "altt", "crtt", "mdft"]
  private static let longestMeta = 16 << 20

  package func removalNotes(_ layout: Layout, source: any ByteSource) -> [Note] {
    guard let file = try? HEIFFile(source), file.boxes.contains(where: { $0.type == "mpvd" }) else { return [] }
    return [Note(.partsRemoved, "loses the movie of the motion photo")]
  }

  /// Returns the patch that removes all metadata but the tags in `exif`.
  /// - Throws: `.refused` when it holds something that can't be erased.
  package func erased(
    _ exif: TIFFChanges, _ file: HEIFFile, _ meta: HEIFMeta, _ picture: HEIFPicture
  ) throws(FileError) -> Patch {
    try requireErasable(file, meta, picture)
    let blocks = picture.exif + picture.otherExif
    var draft = HEIFDraft(file, meta, picture, changing: blocks.count + picture.xmp.count)
    for (index, block) in blocks.enumerated() {
      let order = try block.tiff.map { range throws(FileError) in try TIFFBlock(file.source, range).order }
      let new = index == 0 ? try HEIFDraft.newExif(exif, order ?? .big, spare: 0) : nil
      try draft.put(new ?? HEIFDraft.emptyExif(order ?? .big), in: block, erasing: true)
    }
    if blocks.isEmpty { try draft.addExif(exif) }
    for block in picture.xmp { try draft.put(XMPPacket.blank, in: block, erasing: true) }
    // The content is reduced to the record version (IIM 4.2, 2:00).
    if let block = picture.iptc { try draft.put([0x1C, 2, 0, 0, 2, 0, 4], in: block, erasing: true) }
    try draft.eraseGaps()
    for box in try companions(of: file) {
      draft.erase([Splice(box.typeRange, FourCC("free").bytes)] + (try file.source.zeroing([box.payload])))
    }
    draft.erase(try freeing(file.rest, of: file.source))
    if let handler = meta.children.first(where: { $0.type == "hdlr" }) {
      // The name of the program that wrote it (ISO/IEC 14496-12, 8.4.3).
      let name = min(handler.payload.lowerBound + 24, handler.payload.upperBound)..<handler.payload.upperBound
      draft.overwrite(try file.source.zeroing([name]))
    }
    return try draft.patch()
  }

  /// Turns the data after the last box into a free box. Data shorter than a box header becomes zeros, as does the
  /// content of the free box.
  private func freeing(_ rest: Range<Int>, of source: any ByteSource) throws(FileError) -> [Splice] {
    guard rest.count >= 8 else { return try source.zeroing([rest]) }
    guard let size = UInt32(exactly: rest.count) else {
      throw FileError(.tooLarge, "has more than 4 GB after its last box", at: rest.lowerBound)
    }
    let start = rest.lowerBound + 8
    let head = Splice(rest.lowerBound..<start, size.bytes(.big) + FourCC("free").bytes)
    return [head] + (try source.zeroing([start..<rest.upperBound]))
  }

  /// The boxes next to the picture that are removed: a motion photo's movie, vendor data, a C2PA manifest.
  private func companions(of file: HEIFFile) throws(FileError) -> [Box] {
    let manifests = try manifests(of: file)
    return file.boxes.filter { HEIFContainer.companions.contains($0.type) || manifests.contains($0.payload) }
  }

  private func requireErasable(_ file: HEIFFile, _ meta: HEIFMeta, _ picture: HEIFPicture) throws(FileError) {
    let companions = try companions(of: file)
    let items = RangeIndex(meta.locations.rows.flatMap { file.ranges(of: $0) ?? [] })
    guard items.count(cutBy: file.rest) == 0 else {
      throw FileError(.notErasable, "has image data after its last box", at: file.rest.lowerBound)
    }
    if let box = companions.first(where: { items.count(cutBy: $0.range) > 0 }) {
      throw FileError(
        .notErasable, "has image data in a '\(box.type)' box, which can't be erased", at: box.range.lowerBound)
    }
    if let box = file.boxes.first(where: { !HEIFContainer.known.contains($0.type) && !companions.contains($0) }) {
      throw FileError(
        .notErasable, "has a '\(box.type)' box of unknown content, which can't be erased", at: box.range.lowerBound)
    }
    if let unreadable = picture.unreadable {
      throw FileError(
        .notErasable, "has \(unreadable) that is compressed, encrypted or fragmented, and can't be erased",
        at: meta.box.range.lowerBound)
    }
    for range in picture.otherXMP {
      // Gain maps and depth maps describe themselves in schemas of their own.
      let packet = try? XMPPacket(file.source.bytes(range))
      guard let packet, packet.properties.isEmpty else {
        throw FileError(.notErasable, "has XMP of an additional picture that can't be erased", at: range.lowerBound)
      }
    }
    let bytes = try file.source.prefix(at: meta.box.range.lowerBound, count: HEIFContainer.longestMeta)
    let table = try bytes.prefix(at: 0, count: meta.box.range.count)
    for type in HEIFContainer.descriptiveTypes {
      if let found = table.firstIndex(of: type.bytes) {
        throw FileError(
          .notErasable, "has a '\(type)' property, which describes a picture and can't be erased",
          at: meta.box.range.lowerBound + found)
      }
    }
  }
}

/// Dead metadata: blocks left by earlier edits, ours or other programs', that no item points to but that still record
/// places and dates.
extension HEIFDraft {
  /// The limit of dead space. A larger space is not a leftover of an edit.
  private static let searchedCount = 64 << 20

  /// Erases the data in dead blocks that `edit` erases.
  mutating func eraseRemains(by edit: MetadataEdit) throws(FileError) {
    let taken = splices.map(\.range)
    for erasure in try DeadMetadata.erasures(in: gaps, of: file.source, by: edit) {
      overwrite([erasure.range].excluding(taken.filter { $0.overlaps(erasure.range) }).map(Splice.erasing))
    }
  }

  /// Puts zeros over all bytes that no item or track owns.
  mutating func eraseGaps() throws(FileError) {
    var left = HEIFDraft.searchedCount
    for gap in unowned {
      left -= gap.count
      guard left > 0 else {
        throw FileError(.notErasable, "has too much unused space to erase", at: gap.lowerBound)
      }
      guard try file.source.bytes(gap).array.contains(where: { $0 != 0 }) else { continue }
      overwrite([.erasing(gap)])
    }
  }

  /// The ranges that no item or track owns, in `mdat`, `idat` and free boxes, and the data that phones put after EXIF
  /// within its item.
  private var gaps: [Range<Int>] {
    let trails = picture.exif.compactMap { block in block.tiff.map { $0.upperBound..<block.range.upperBound } }
    return trails.filter { !$0.isEmpty } + unowned
  }

  /// The ranges that no item or track owns, in `mdat`, `idat` and free boxes.
  private var unowned: [Range<Int>] {
    let metadata =
      (picture.exif + picture.otherExif + picture.xmp).map(\.range) + (picture.iptc.map { [$0.range] } ?? [])
    let owned = (picture.protected + metadata).merged()
    let media: [FourCC] = ["mdat", "free", "skip"]
    let spaces =
      (file.boxes + meta.children).filter { media.contains($0.type) }.map(\.payload) + file.metas.compactMap(\.idat)
    return spaces.flatMap { space in
      var gaps: [Range<Int>] = []
      var at = space.lowerBound
      for range in owned where range.overlaps(space) {
        if range.lowerBound > at { gaps.append(at..<range.lowerBound) }
        at = max(at, range.upperBound)
      }
      if at < space.upperBound { gaps.append(at..<space.upperBound) }
      return gaps
    }
  }
}
