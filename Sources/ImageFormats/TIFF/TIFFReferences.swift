/// Everything in a TIFF block that something points to. It shows what edits must not overwrite, and what belongs to
/// nothing any more.
package struct TIFFReferences: Sendable {
  /// Directories and values, in the order found. They may overlap in odd files.
  package private(set) var metadata: [Range<Int>] = []
  /// Strips, tiles and embedded JPEG streams.
  package private(set) var images: [Range<Int>] = []
  /// Every directory that can be reached, IFD0 first.
  package private(set) var directories: [TIFFDirectory] = []
  /// The number of pointers to each position of a directory.
  private(set) var pointerCounts: [Int: Int] = [:]
  /// Positions of 32-bit offsets past the block's end: to previews elsewhere in the file.
  package private(set) var outside: [Int] = []
  /// Whether pixels or a directory should be past the block's end: the file was cut off.
  package private(set) var isCut = false
  /// Whether a directory points back to IFD0, which therefore can't move: the pointer would lead to the old one.
  private(set) var isCircular = false
  /// Whether a pointer to a directory leads into the header. Other programs would read it differently after an edit,
  /// which changes the header.
  private(set) var pointsIntoHeader = false
  /// The first entry whose value extends past the block's end, and so would include appended data.
  private(set) var overrun: TIFFEntry?
  private var index = RangeIndex([])

  /// Collects references from IFD0. A budget proportional to the file's size stops hostile files.
  package init(of block: TIFFBlock) throws(FileError) {
    var budget = 65_536 + 4 * block.count
    metadata.append(0..<block.headerPointer + block.wordCount)
    var visited: Set = [block.ifd0.range.lowerBound]
    var pending = add(block.ifd0, in: block, budget: &budget)
    // Each directory is read once, even if thousands of pointers lead to it.
    while budget > 0, let offset = pending.popLast() {
      guard visited.insert(offset).inserted else { continue }
      if let directory = block.directory(at: offset) {
        pending += add(directory, in: block, budget: &budget)
      } else {
        isCut = isCut || offset >= block.count
      }
    }
    guard budget > 0 else {
      throw FileError(
        .malformed, "its TIFF directories refer to more data than the file can hold", at: block.range.lowerBound)
    }
    if block.magic == TIFFBlock.panasonic { addPanasonicPicture(of: block) }
    index = RangeIndex(metadata + images)
  }

  /// Whether a directory other than IFD0 points to GPS tags.
  var hasScatteredPlaces: Bool { directories.dropFirst().contains { $0[TIFFTag.gpsIFD] != nil } }

  /// The end of the last referenced byte.
  package var end: Int { (metadata + images).reduce(0) { max($0, $1.upperBound) } }

  /// Returns the number of references that touch `range`: one if it belongs to a single owner.
  package func owners(of range: Range<Int>) -> Int { index.count(cutBy: range) }

  /// Returns the ranges that nothing refers to, up to `end` of the block.
  func gaps(upTo end: Int) -> [Range<Int>] {
    var at = 0
    var gaps: [Range<Int>] = []
    for range in (metadata + images).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > at { gaps.append(at..<min(range.lowerBound, end)) }
      at = max(at, range.upperBound)
      if at >= end { return gaps }
    }
    return gaps + [at..<end]
  }

  /// Adds everything that a directory refers to; returns the positions of further directories.
  private mutating func add(_ directory: TIFFDirectory, in block: TIFFBlock, budget: inout Int) -> [Int] {
    directories.append(directory)
    metadata.append(directory.range)
    budget -= directory.range.count + 64
    metadata += directory.entries.compactMap(\.value).filter { $0.count > block.wordCount }
    overrun = overrun ?? directory.entries.first { $0.value == nil && TIFFType.size($0.type) != nil }
    if block.magic != TIFFBlock.panasonic || directory.range != block.ifd0.range {
      add(TIFFTag.stripOffsets, TIFFTag.stripByteCounts, of: directory, in: block, budget: &budget)
    }
    add(TIFFTag.tileOffsets, TIFFTag.tileByteCounts, of: directory, in: block, budget: &budget)
    add(TIFFTag.jpegOffset, TIFFTag.jpegByteCount, of: directory, in: block, budget: &budget)
    let pointers = TIFFReferences.pointers(in: directory, of: block, budget: &budget)
    isCircular = isCircular || pointers.contains(block.ifd0.range.lowerBound)
    let header = 1..<block.headerPointer + block.wordCount
    pointsIntoHeader = pointsIntoHeader || pointers.contains(where: header.contains)
    for pointer in pointers { pointerCounts[pointer, default: 0] += 1 }
    return pointers
  }

  /// Adds Panasonic's strip. It has a tag of its own but no reliable length: it extends to the next referenced data, or
  /// to the end.
  private mutating func addPanasonicPicture(of block: TIFFBlock) {
    func number(_ tag: UInt16) -> Int? { block.integer(of: tag, in: block.ifd0) }
    let offsets = [PanasonicTag.rawDataOffset, TIFFTag.stripOffsets].compactMap(number)
    guard let start = offsets.first(where: { $0 != 0xFFFF_FFFF }) else { return }
    let end = metadata.lazy.map(\.lowerBound).filter { $0 > start }.reduce(block.count, min)
    guard start < end else {
      isCut = true
      return
    }
    images.append(start..<end)
    // Formats 4 to 7 take more than a byte per pixel. A picture removed on purpose leaves only a word or two.
    if let format = number(PanasonicTag.rawFormat), (4...7).contains(format), end - start > 64,
      let width = number(PanasonicTag.sensorWidth), let height = number(PanasonicTag.sensorHeight),
      end - start < width.multipliedReportingOverflow(by: height).partialValue
    {
      isCut = true
    }
  }

  private static func pointers(in directory: TIFFDirectory, of block: TIFFBlock, budget: inout Int) -> [Int] {
    var pointers: [Int] = []
    if let next = directory.next, next != 0 { pointers.append(next) }
    for entry in directory.entries {
      switch entry.tag {
      case TIFFTag.exifIFD, TIFFTag.gpsIFD, TIFFTag.interoperabilityIFD:
        if let pointer = block.pointer(of: entry) { pointers.append(pointer) }
      case TIFFTag.subIFDs:
        budget -= entry.value?.count ?? 0
        if budget > 0 { pointers += block.integers(of: entry) }
      default: break
      }
    }
    return pointers
  }

  private mutating func add(
    _ offsets: UInt16, _ counts: UInt16, of directory: TIFFDirectory, in block: TIFFBlock, budget: inout Int
  ) {
    guard let start = directory[offsets], let length = directory[counts] else { return }
    budget -= (start.value?.count ?? 0) + (length.value?.count ?? 0)
    guard budget > 0 else { return }
    for (index, (offset, count)) in zip(block.integers(of: start), block.integers(of: length)).enumerated()
    where count > 0 {
      if offset <= block.count, count <= block.count - offset {
        images.append(offset..<offset + count)
      } else {
        isCut = true
        if start.type == TIFFType.long, let value = start.value, offset >= block.count {
          outside.append(value.lowerBound + 4 * index)
        }
      }
    }
  }
}

extension TIFFBlock {
  /// The shortest run of zeros at the end that counts as unused; a shorter one may be a value.
  private static var shortestSlack: Int { 256 }

  /// Returns the position for appending: after the last referenced byte, if only zeros follow (Nikon leaves kilobytes);
  /// otherwise the end. Always even. If IFD0 is last, `changes` may make it grow into these zeros.
  package func tail(_ references: TIFFReferences, for changes: TIFFChanges) throws(FileError) -> Int {
    let content = try bytes(0..<count).withUnsafeBytes { buffer in (buffer.lastIndex { $0 != 0 } ?? -1) + 1 }
    let used = max(content, references.end)
    let ifd0Slot = TIFFEditor.ifd0Slot(of: self, after: changes).upperBound
    let free = ifd0Slot <= count ? max(used, ifd0Slot) : used
    let place = count - used >= TIFFBlock.shortestSlack ? free : count
    return place + place % 2
  }
}
