// The placement of IFD0 when it grows.

extension TIFFEditor {
  /// Returns the range of IFD0 after `changes` if it began at its old place, or right after the header.
  static func lead(of block: TIFFBlock, after changes: TIFFChanges, isBehindHeader: Bool = false) -> Range<Int> {
    func isNew(_ ifd: IFD, _ tag: UInt16) -> Bool {
      block.ifd0[tag] == nil && changes.tags[ifd]?.values.contains { $0 != .remove } ?? false
    }
    let wanted = changes.tags[.ifd0] ?? [:]
    let kept = block.ifd0.entries.count { wanted[$0.tag] != .remove }
    let pointers =
      (isNew(.exif, TIFFTag.exifIFD) ? 1 : 0) + (isNew(.gps, TIFFTag.gpsIFD) && !changes.removesGPS ? 1 : 0)
    let added = wanted.count { tag, change in change != .remove && block.ifd0[tag] == nil } + pointers
    let head = block.headerPointer + block.wordCount
    let start = isBehindHeader || block.ifd0.range.isEmpty ? head : block.ifd0.range.lowerBound
    return start..<start + (block.isBig ? 8 : 2) + (kept + added) * block.entryCount + block.wordCount
  }

  /// Returns the future range of IFD0, or an empty one if it goes to the end. Nothing may be appended before its end.
  ///
  /// - Throws: `tooLarge` when it must be right after the header, and there is no space.
  static func lead(
    of block: TIFFBlock, after changes: TIFFChanges, _ strategy: PlacementStrategy, _ references: TIFFReferences,
    appendingAt place: Int
  ) throws(FileError) -> Range<Int> {
    switch strategy {
    case .leadingWithIFD0:
      let lead = lead(of: block, after: changes, isBehindHeader: true)
      guard try makesWay(block, references, to: lead, moving: block.count) else {
        throw FileError(
          .tooLarge, "a directory that must stay where it stands has no room to grow",
          at: block.range.lowerBound + lead.lowerBound)
      }
      return lead
    case .growingIFD0:
      let lead = lead(of: block, after: changes)
      guard lead.count > block.ifd0.range.count, lead.upperBound <= min(place, block.count),
        references.owners(of: block.ifd0.range) <= 1, try makesWay(block, references, to: lead, moving: mostMoved)
      else { return 0..<0 }
      return lead
    case .reusingSlots, .keepingDirectories, .appending: return 0..<0
    }
  }

  /// The last standard tag. Tags after it belong to makers: their values may hold offsets relative to their own
  /// position.
  private static let lastStandardTag: UInt16 = 0xA500

  /// The limit of value bytes that move to the end: a block may have no space for more.
  private static let mostMoved = 1_024

  /// Whether `lead` holds only IFD0, at most `most` bytes of its own values that can move, and unreferenced zeros.
  private static func makesWay(
    _ block: TIFFBlock, _ references: TIFFReferences, to lead: Range<Int>, moving most: Int
  ) throws(FileError) -> Bool {
    let owned = block.ifd0.entries.filter { $0.value.map { $0.count > block.wordCount } ?? false }
    let values = RangeIndex(owned.compactMap(\.value))
    let fixed = owned.filter { $0.tag == TIFFTag.makerNote || $0.tag > lastStandardTag }.compactMap(\.value)
    guard !fixed.contains(where: lead.overlaps) else { return false }
    // A value shared by several entries is copied for each.
    guard owned.compactMap(\.value).filter(lead.overlaps).reduce(0, { $0 + $1.count }) <= most else { return false }
    let gaps = references.gaps(upTo: block.count)
    for part in [lead].excluding([block.ifd0.range]) {
      let unknown = try gaps.filter { $0.overlaps(part) }.map { gap throws(FileError) in
        try block.bytes(gap.clamped(to: part)).array
      }
      guard values.count(cutBy: part) == references.owners(of: part), unknown.joined().allSatisfy({ $0 == 0 }) else {
        return false
      }
    }
    return true
  }

  /// Writes IFD0 at `lead` and moves its own values there to the end. Returns the offset of IFD0, if it is new.
  mutating func putLeading(_ records: [TIFFRecord]) throws(FileError) -> Int? {
    let old = block.ifd0.range
    var records = records
    for (index, record) in records.enumerated() {
      let entry = record.entry
      guard let slot = entry.value, slot.count > block.wordCount, slot.overlaps(lead),
        try block.bytes(entry.position..<entry.position + block.entryCount).array == record.bytes
      else { continue }
      draft.erase(slot)
      let place = draft.append(try block.bytes(slot).array)
      records[index].bytes = block.record(
        tag: entry.tag, type: entry.type, count: entry.count, field: try block.word(place))
    }
    let bytes = try encoded(records, next: block.ifd0.next ?? 0)
    let rest = old.lowerBound == lead.lowerBound ? max(0, old.count - bytes.count) : 0
    try draft.overwrite(at: lead.lowerBound, bytes + [UInt8](repeating: 0, count: rest))
    return old.lowerBound == lead.lowerBound ? nil : lead.lowerBound
  }

  // MARK: To the end

  /// The limit of directories to copy cheaply.
  private static let mostPages = 8

  /// Writes IFD0 at the end, followed by copies of the directories after it. Their values and pictures stay, and so do
  /// the old directories, since something else may point to them.
  mutating func appendMain(_ records: [TIFFRecord]) throws(FileError) -> Int {
    let pages = followers
    let chain = try [records] + pages.map { page throws(FileError) in try self.records(of: page.entries) }
    let start = draft.end
    for (index, records) in chain.enumerated() {
      let next = index < pages.count ? draft.end + (try encoded(records, next: 0)).count : nil
      _ = draft.append(try encoded(records, next: next ?? (pages.last ?? block.ifd0).next ?? 0))
    }
    return start
  }

  /// The directories after IFD0: thumbnail or further pages. Empty if they are tangled, many, changed themselves,
  /// pointed to by others too (two copies would share their values), or contain offsets that others correct.
  private var followers: [TIFFDirectory] {
    guard references.outside.isEmpty else { return [] }
    var pages: [TIFFDirectory] = []
    var next = block.ifd0.next ?? 0
    while next != 0 {
      guard pages.count < TIFFEditor.mostPages, additional[next] == nil, let page = block.directory(at: next),
        page.isWhole, let following = page.next, references.owners(of: page.range) == 1,
        references.pointerCounts[next] == 1
      else { return [] }
      pages.append(page)
      next = following
    }
    return pages
  }

  func records(of entries: [TIFFEntry]) throws(FileError) -> [TIFFRecord] {
    try entries.map { entry throws(FileError) in
      TIFFRecord(entry: entry, bytes: try block.bytes(entry.position..<entry.position + block.entryCount).array)
    }
  }
}

/// A directory entry for a new directory.
struct TIFFRecord {
  /// The old entry.
  let entry: TIFFEntry
  var bytes: [UInt8]
  var tag: UInt16 { entry.tag }

  /// Replaces the first entry with this tag, or adds one after the smaller ones, as TIFF 6.0 requires. The others keep
  /// their order, even a wrong one: an entry without a type that comes first ends the directory for some readers.
  static func put(_ bytes: [UInt8], _ tag: UInt16, into records: inout [TIFFRecord]) {
    if let index = records.firstIndex(where: { $0.tag == tag }) {
      records[index].bytes = bytes
      return
    }
    let entry = TIFFEntry(tag: tag, type: TIFFType.byte, count: 0, position: 0, value: nil)
    let last = records.lastIndex { $0.tag < tag && $0.entry.type != 0 }
    records.insert(TIFFRecord(entry: entry, bytes: bytes), at: last.map { $0 + 1 } ?? 0)
  }
}
