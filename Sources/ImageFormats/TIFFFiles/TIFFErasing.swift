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
        throw FileError(.notErasable, "has no room in a directory for what is to stay", at: page.range.lowerBound)
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

  // MARK: What stays

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
          .notErasable, "has a directory of a picture that is broken, or used for something else", at: offset)
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
        throw FileError(.notErasable, "has metadata in the place of something that must stay", at: value.lowerBound)
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
