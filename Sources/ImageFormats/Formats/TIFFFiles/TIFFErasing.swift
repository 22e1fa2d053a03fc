/// Erasing of everything that describes a TIFF. Its pictures, all pages, and the tags needed to draw them
/// (`TIFFStructure`) stay in place; every other byte becomes zero, referenced or not, and the bytes after the last of
/// them are removed.
struct TIFFErasing {
  private let block: TIFFBlock
  private let references: TIFFReferences
  private let source: any ByteSource

  init(_ block: TIFFBlock, _ references: TIFFReferences, _ source: any ByteSource) {
    (self.block, self.references, self.source) = (block, references, source)
  }

  /// Returns the patch that erases all metadata.
  /// - Parameter exif: The tags that remain with the pictures: in IFD0, and in an EXIF directory at the end.
  /// - Throws: `.refused` when data to erase can't be distinguished from data to keep.
  func patch(setting exif: TIFFChanges) throws(FileError) -> Patch {
    var new = exif.tags.mapValues { $0.compactMapValues(\.value) }
    if new[.exif]?.isEmpty == false { new[.ifd0, default: [:]][TIFFTag.exifIFD] = .long([0]) }
    let pages = try pages()
    var kept = [0..<block.headerPointer + block.wordCount] + references.images
    for page in pages {
      try block.requirePlainData(of: page, in: source)
      let stays = page.entries.filter { TIFFStructure.tags.contains($0.tag) }
      kept += stays.compactMap(\.value).filter { $0.count > block.wordCount }
      let added = page.range == block.ifd0.range ? new[.ifd0] ?? [:] : [:]
      let size = directoryCount(Set(stays.map(\.tag)).union(added.keys).count)
      guard size <= page.range.count else {
        throw FileError(.notErasable, "a TIFF directory has no room for the tags to keep", at: page.range.lowerBound)
      }
      kept.append(page.range.lowerBound..<page.range.lowerBound + size)
    }
    try requireNothingShared(kept, pages)

    let end = kept.reduce(0) { max($0, $1.upperBound) }
    var draft = TIFFDraft(block, references, appendingAt: end + end % 2, leavingErased: false)
    var ifd0 = try records(new[.ifd0] ?? [:], &draft)
    if let tags = new[.exif], !tags.isEmpty {
      let place = draft.append(try directory(try records(tags, &draft), next: 0))
      ifd0[TIFFTag.exifIFD] = block.record(
        tag: TIFFTag.exifIFD, type: block.isBig ? TIFFType.long8 : TIFFType.long, count: 1, field: try block.word(place)
      )
    }
    for page in pages {
      var records: [UInt16: [UInt8]] = page.range == block.ifd0.range ? ifd0 : [:]
      for entry in page.entries where TIFFStructure.tags.contains(entry.tag) && records[entry.tag] == nil {
        records[entry.tag] = try block.bytes(entry.position..<entry.position + block.entryCount).array
      }
      try draft.overwrite(at: page.range.lowerBound, try directory(records, next: page.next ?? 0))
    }
    let tail = draft.appended.isEmpty ? [] : [UInt8](repeating: 0, count: end % 2) + draft.appended
    var splices = try draft.overwrites() + source.zeroing([0..<end].excluding(kept))
    if try !source.holds(tail, in: end..<source.count) {
      splices.append(Splice(end..<source.count, tail))
    }
    return try Patch(splices, to: source.count, imageData: references.images.merged())
  }

  // MARK: Data that stay

  /// Returns the directories of pictures: IFD0, those that follow it, and those below them.
  private func pages() throws(FileError) -> [TIFFDirectory] {
    var pages: [TIFFDirectory] = []
    var visited: Set<Int> = []
    var pending = [block.ifd0.range.lowerBound]
    while let offset = pending.popLast() {
      guard visited.insert(offset).inserted else { continue }
      guard let page = block.directory(at: offset), page.isWhole, let next = page.next,
        references.owners(of: page.range) == 1,
        page.entries.allSatisfy({ $0.value != nil || !TIFFStructure.tags.contains($0.tag) })
      else {
        throw FileError(
          .notErasable, "a TIFF directory of an image is invalid or has several uses", at: offset)
      }
      pages.append(page)
      if next != 0 { pending.append(next) }
      if let additional = page[TIFFTag.subIFDs] { pending += block.integers(of: additional) }
    }
    return pages
  }

  /// Checks that no data to erase lies within data to keep.
  private func requireNothingShared(_ kept: [Range<Int>], _ pages: [TIFFDirectory]) throws(FileError) {
    let index = RangeIndex(kept)
    let places = Set(pages.map(\.range.lowerBound))
    for directory in references.directories {
      let isPage = places.contains(directory.range.lowerBound)
      let goes = directory.entries.filter { !isPage || !TIFFStructure.tags.contains($0.tag) }
      for value in goes.compactMap(\.value) where value.count > block.wordCount && index.count(cutBy: value) > 0 {
        throw FileError(.notErasable, "has metadata that overlaps data to keep", at: value.lowerBound)
      }
    }
  }

  // MARK: Directories

  private func directoryCount(_ records: Int) -> Int {
    (block.isBig ? 8 : 2) + records * block.entryCount + block.wordCount
  }

  private func records(
    _ values: [UInt16: TIFFValue], _ draft: inout TIFFDraft
  ) throws(FileError) -> [UInt16: [UInt8]] {
    var records: [UInt16: [UInt8]] = [:]
    for (tag, value) in values.sorted(by: { $0.key < $1.key }) {
      let (type, count, bytes) = value.encoded(block.order)
      let field = bytes.count <= block.wordCount ? bytes : try block.word(draft.append(bytes))
      records[tag] = block.record(tag: tag, type: type, count: count, field: field)
    }
    return records
  }

  private func directory(_ records: [UInt16: [UInt8]], next: Int) throws(FileError) -> [UInt8] {
    let count =
      block.isBig ? UInt64(records.count).bytes(block.order) : UInt16(clamping: records.count).bytes(block.order)
    return count + records.sorted { $0.key < $1.key }.flatMap(\.value) + (try block.word(next))
  }
}

/// Tags that are needed to draw a picture, and those that affect its appearance.
enum TIFFStructure {
  /// Tags of TIFF 6.0, its technical notes and supplements, BigTIFF, TIFF/EP (ISO 12234-2), and libtiff's additions for
  /// its own coders. None of them describes the picture or is a text.
  static let tags: Set<UInt16> = [
    // The role of the picture, its size, and the storage of its samples.
    0x00FE, 0x00FF, 0x0100, 0x0101, 0x0102, 0x0103, 0x0106, 0x0107, 0x0108, 0x0109, 0x010A, 0x0115, 0x011C, 0x0129,
    0x013D, 0x0152, 0x0153, 0x015A,
    // The positions of strips, tiles and further pictures.
    0x0111, 0x0116, 0x0117, 0x0142, 0x0143, 0x0144, 0x0145, 0x014A,
    // Orientation, and size on paper.
    0x0112, 0x011A, 0x011B, 0x011E, 0x011F, 0x0128,
    // Colours.
    0x0118, 0x0119, 0x0122, 0x0123, 0x012D, 0x013E, 0x013F, 0x0140, 0x0141, 0x014C, 0x014E, 0x0150, 0x0154, 0x0155,
    0x0156,
    0x0211, 0x0212, 0x0213, 0x0214, 0x8773, 0x828D, 0x828E,
    // Data for fax and JPEG decoders.
    0x0124, 0x0125, 0x015B, 0x0200, 0x0201, 0x0202, 0x0203, 0x0205, 0x0206, 0x0207, 0x0208, 0x0209,
    // Matteing, data type and depth of Silicon Graphics, the unit of LogLuv, the parameters of LERC.
    0x80E3, 0x80E4, 0x80E5, 0x80E6, 0x923F, 0xC5F2,
  ]

  /// Coders whose data holds only samples: none, fax, LZW, deflate, PackBits, NeXT, ThunderScan, JBIG, LogLuv, LERC,
  /// LZMA, Zstandard.
  static let plainCoders: Set<Int> = [
    1, 2, 3, 4, 5, 8, 32_766, 32_771, 32_773, 32_809, 32_946, 34_661, 34_676, 34_677, 34_887, 34_925, 50_000,
  ]
  /// Old JPEG's tags with tables, as lists of offsets without lengths.
  static let jpegTableOffsets: [UInt16] = [0x0207, 0x0208, 0x0209]
  /// The coders of JPEG, old and new, whose data has segments like a JPEG file.
  static let jpegCoders: Set<Int> = [6, 7]
}

/// Data of a TIFF that may record a place or a date and is neither read nor edited.
extension TIFFContainer {
  /// Positions of GeoTIFF (OGC 19-008r4, 7.1.2): tie points, transformation, parameters and texts.
  package static let geoTags: Set<UInt16> = [33_922, 34_264, 34_736, 34_737]
  /// XML with arbitrary texts.
  private static let gdalMetadata: UInt16 = 42_112

  static func findUnedited(in block: TIFFBlock, _ references: TIFFReferences, _ layout: inout Layout) {
    func first(_ tags: Set<UInt16>) -> Int? {
      references.directories.lazy.compactMap { page in page.entries.first { tags.contains($0.tag) }?.position }.first
    }
    if let place = first(geoTags) {
      layout.blocks.append(
        Block(
          .unreadPlace("GeoTIFF tags contain its location"), place..<place,
          access: .opaque(remedy: .clearAll), mayHold: .place, name: "its GeoTIFF tags"))
    } else if references.hasScatteredPlaces {
      layout.blocks.append(
        Block(.unreadPlace("its additional pages have their own positions"), 0..<0, access: .erasable))
    }
    if let place = first([gdalMetadata]) { layout.blocks.append(.unread("GDAL's metadata", at: place)) }
    guard let place = block.ifd0[TIFFTag.photoshop]?.value?.lowerBound else { return }
    guard let resources = resources(of: block)?.resources else {
      return layout.blocks.append(.unreadPhotoshop(at: place))
    }
    if resources.holdsOthers {
      layout.blocks.append(.unread("EXIF or XMP in its Photoshop resources", at: place))
    }
  }
}
