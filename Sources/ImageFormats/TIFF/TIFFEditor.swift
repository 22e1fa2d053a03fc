/// An editor that turns wanted tags into overwrites and appended bytes, and moves no byte that something may point to.
///
/// Maker notes hold private offsets; they stay right because everything stays in place. New or longer data goes after
/// the last used byte, and one pointer changes; data with a slot is overwritten there.
struct TIFFEditor {
  /// The result of an edit, in offsets of the block.
  struct Edit: Sendable {
    /// The overwrites, each as long as the bytes it replaces; sorted, without overlaps, and each with an effect.
    var overwrites: [Splice]
    /// The bytes to append, possibly none.
    var appended: [UInt8]

    /// Returns the whole new block, with `appended` at `place`. Old bytes from there on are dropped.
    func applied(to block: TIFFBlock, appendingAt place: Int) throws(FileError) -> [UInt8] {
      let old = try block.bytes(0..<block.count)
      let kept = try Patch(overwrites, to: old.count, imageData: []).applied(to: old).prefix(place)
      return Array(kept) + [UInt8](repeating: 0, count: place - kept.count) + appended
    }
  }

  /// The extent of permitted overwriting.
  enum PlacementStrategy: Sendable {
    /// Reuses existing slots.
    case reusingSlots
    /// As the strategy before, but IFD0 grows in place if the data after it can make way: readers that follow
    /// directories only forwards lose the thumbnail when IFD0 goes after it.
    case growingIFD0
    /// As the strategy before, but IFD0 is right after the header, as LibRaw requires in a CR3: the data there makes
    /// way.
    case leadingWithIFD0
    /// As `reusingSlots`, and directories that move stay readable where they were: maker notes of raw files may point
    /// there.
    case keepingDirectories
    /// Changed directories are copied to the end, so that flipping the header's pointer commits the whole edit.
    case appending

    /// Whether directories that move leave zeros.
    fileprivate var erasesMoved: Bool { [.reusingSlots, .growingIFD0, .leadingWithIFD0].contains(self) }
  }

  let block: TIFFBlock
  let references: TIFFReferences
  private let strategy: PlacementStrategy
  var draft: TIFFDraft
  /// The future range of IFD0; empty if it goes to the end.
  let ifd0Slot: Range<Int>
  /// The removals from directories that aren't ours, by position: each directory is written once.
  private(set) var additional: [Int: (directory: TIFFDirectory, changes: [UInt16: Change<TIFFValue>])] = [:]

  /// Returns the edit that puts `changes` into `block`. Appended bytes go to `place`, which is even.
  static func edit(
    _ block: TIFFBlock, _ changes: TIFFChanges, references: TIFFReferences, appendingAt place: Int,
    strategy: PlacementStrategy = .growingIFD0
  ) throws(FileError) -> Edit {
    let draft = TIFFDraft(block, references, appendingAt: place, leavingErased: strategy == .appending)
    let ifd0Slot = try ifd0Slot(of: block, after: changes, strategy, references, appendingAt: place)
    var editor = TIFFEditor(block: block, references: references, strategy: strategy, draft: draft, ifd0Slot: ifd0Slot)
    try editor.apply(changes)
    return Edit(overwrites: try editor.draft.overwrites(), appended: editor.draft.appended)
  }

  private mutating func apply(_ changes: TIFFChanges) throws(FileError) {
    var ifd0 = changes.tags[.ifd0] ?? [:]
    var pointers: [UInt16: Int] = [:]
    if changes.removesGPS {
      ifd0[TIFFTag.gpsIFD] = .remove
      var erased: Set<Int> = []
      for directory in references.directories {
        guard let entry = directory[TIFFTag.gpsIFD] else { continue }
        if let offset = block.pointer(of: entry), erased.insert(offset).inserted,
          let gps = block.directory(at: offset), ![block.ifd0.range, block.exif?.range].contains(gps.range)
        {
          try draft.erase(remainsOf: gps)
          draft.erase(gps)
        }
        guard directory.range != block.ifd0.range, references.owners(of: directory.range) == 1 else { continue }
        change(directory, [TIFFTag.gpsIFD: .remove])
      }
    }
    if changes.erasesDates {
      try eraseFurtherDates(besides: changes.removesGPS)
      try draft.eraseDeadDates()
    }
    for (ifd, tag) in [(IFD.gps, TIFFTag.gpsIFD), (.exif, TIFFTag.exifIFD)] {
      guard let wanted = changes.tags[ifd], ifd == .exif || !changes.removesGPS else { continue }
      guard block.directory(ifd) != nil || wanted.values.contains(where: { $0 != .remove }) else { continue }
      if ifd == .gps, let gps = block.gps { try draft.erase(remainsOf: gps) }
      let moved = try rebuild(block.directory(ifd), wanted)
      try changeCopies(of: ifd, under: tag, as: wanted)
      let erases = moved != nil && (ifd == .gps || strategy.erasesMoved)
      if erases, let old = block.directory(ifd) { draft.erase(old.range) }
      pointers[tag] = moved ?? correctedPointer(tag)
    }
    for (_, (directory, changes)) in additional.sorted(by: { $0.key < $1.key }) { _ = try rebuild(directory, changes) }
    if let moved = try rebuild(block.ifd0, ifd0, pointers: pointers) {
      try draft.overwrite(at: block.headerPointer, try block.word(moved))
      // Odd files have a second path to IFD0. Readers that take it must not find an outdated copy.
      if strategy.erasesMoved { draft.erase(block.ifd0.range) }
    }
  }

  /// Returns the position of a directory whose pointer must be written again, because its type or count is wrong and other
  /// programs may not follow it; nil if the pointer is right.
  private func correctedPointer(_ tag: UInt16) -> Int? {
    guard let entry = block.ifd0[tag] else { return nil }
    let types = [TIFFType.long, TIFFType.ifd] + (block.isBig ? [TIFFType.long8, TIFFType.ifd8] : [])
    return entry.count == 1 && types.contains(entry.type) ? nil : block.pointer(of: entry)
  }

  private mutating func change(_ directory: TIFFDirectory, _ changes: [UInt16: Change<TIFFValue>]) {
    additional[directory.range.lowerBound, default: (directory, [:])].changes.merge(changes) { _, new in new }
  }

  /// Erases the dates in directories that aren't edited otherwise.
  /// - Throws: `refused` when a directory has several owners.
  private mutating func eraseFurtherDates(besides erasesPlaces: Bool) throws(FileError) {
    let edited = [block.ifd0.range, block.exif?.range, block.gps?.range]
    let places = Set(references.directories.compactMap { $0[TIFFTag.gpsIFD].flatMap(block.pointer(of:)) })
    for directory in references.directories where !edited.contains(directory.range) {
      let isPlace = places.contains(directory.range.lowerBound)
      if isPlace, erasesPlaces { continue }
      let dates = isPlace ? [GPSTag.dateStamp, GPSTag.timeStamp] : TIFFTag.dates
      let found = directory.entries.map(\.tag).filter(dates.contains)
      guard !found.isEmpty else { continue }
      guard references.owners(of: directory.range) == 1 else {
        throw FileError(
          .notErasable, "an additional directory has a date that can't be erased",
          at: block.range.lowerBound + directory.range.lowerBound, remedy: .clearAll)
      }
      change(directory, Dictionary(found.map { ($0, .remove) }) { first, _ in first })
    }
  }

  /// Some cameras repeat the EXIF directory for the thumbnail: equal tags there stay equal, but a different position is
  /// not changed. A TIFF's further pages are other pictures, even with equal tags.
  private mutating func changeCopies(
    of ifd: IFD, under tag: UInt16, as changes: [UInt16: Change<TIFFValue>]
  ) throws(FileError) {
    let isPicture = block.ifd0[TIFFTag.stripOffsets] != nil || block.ifd0[TIFFTag.tileOffsets] != nil
    guard let original = block.directory(ifd), strategy != .appending, !isPicture else { return }
    var seen: Set<Int> = []
    for parent in references.directories where parent.range != block.ifd0.range {
      guard let offset = parent[tag].flatMap(block.pointer(of:)), seen.insert(offset).inserted,
        let copy = block.directory(at: offset), copy.range != original.range, references.owners(of: copy.range) == 1
      else { continue }
      func isSame(_ tag: UInt16) -> Bool {
        original[tag].flatMap(block.raw)?.array == copy[tag].flatMap(block.raw)?.array
      }
      let position = [GPSTag.latitudeRef, GPSTag.latitude, GPSTag.longitudeRef, GPSTag.longitude]
      guard ifd != .gps || position.allSatisfy(isSame) else { continue }
      change(copy, changes.filter { tag, _ in copy[tag] != nil && isSame(tag) })
    }
  }

  // MARK: Directories

  /// Puts `changes` into `directory` (nil for a new one). Returns its position, if that is new.
  ///
  /// Old values that are removed or replaced always become zeros.
  private mutating func rebuild(
    _ directory: TIFFDirectory?, _ changes: [UInt16: Change<TIFFValue>], pointers: [UInt16: Int] = [:]
  ) throws(FileError) -> Int? {
    guard directory?.isWhole ?? true else {
      throw FileError(
        .malformed, "a TIFF directory extends beyond the end of the TIFF structure",
        at: block.range.lowerBound + (directory?.range.lowerBound ?? 0))
    }
    let old = try records(of: directory?.entries ?? [])
    var records = old
    for (tag, change) in changes.sorted(by: { $0.key < $1.key }) {
      switch change {
      case .keep: continue
      case .remove:
        for record in records where record.tag == tag { draft.erase(valueOf: record.entry) }
        records.removeAll { $0.tag == tag }
      case .set(let value):
        let bytes = try record(of: tag, value, replacing: directory?[tag])
        TIFFRecord.put(bytes, tag, into: &records)
      }
    }
    for (tag, offset) in pointers.sorted(by: { $0.key < $1.key }) {
      TIFFRecord.put(try record(of: tag, pointer: offset, replacing: directory?[tag]), tag, into: &records)
    }
    guard records.map(\.bytes) != old.map(\.bytes) else { return nil }
    if !ifd0Slot.isEmpty, directory?.range == block.ifd0.range { return try putLeading(records) }
    return try put(records, for: directory)
  }

  /// Writes a directory over the old one if it fits and nothing else uses that place; otherwise at the end.
  private mutating func put(_ records: [TIFFRecord], for directory: TIFFDirectory?) throws(FileError) -> Int? {
    var bytes = try encoded(records, next: directory?.next ?? 0)
    if let directory, strategy != .appending, records.count <= directory.entries.count,
      references.owners(of: directory.range) == 1
    {
      if directory.next == nil { bytes.removeLast(block.wordCount) }
      bytes += [UInt8](repeating: 0, count: directory.range.count - bytes.count)
      try draft.overwrite(at: directory.range.lowerBound, bytes)
      return nil
    }
    return directory?.range == block.ifd0.range ? try appendMain(records) : draft.append(bytes)
  }

  func encoded(_ records: [TIFFRecord], next: Int) throws(FileError) -> [UInt8] {
    guard records.count <= 65_535 else { throw FileError(.tooLarge, "a TIFF directory has no room for another tag") }
    let count =
      block.isBig ? UInt64(records.count).bytes(block.order) : UInt16(clamping: records.count).bytes(block.order)
    return count + records.flatMap(\.bytes) + (try block.word(next))
  }

  // MARK: Values

  private mutating func record(
    of tag: UInt16, _ value: TIFFValue, replacing old: TIFFEntry?
  ) throws(FileError) -> [UInt8] {
    let (type, count, bytes) = value.encoded(block.order)
    if let old, let raw = block.raw(old), old.type == type, raw.array == bytes {
      return try block.bytes(old.position..<old.position + block.entryCount).array
    }
    if bytes.count <= block.wordCount {
      if let old { draft.erase(valueOf: old) }
      return block.record(tag: tag, type: type, count: count, field: bytes)
    }
    if let old, let slot = old.value, slot.count > block.wordCount, slot.count >= bytes.count, !slot.overlaps(ifd0Slot),
      // Offsets in a maker note may be relative to its position, so it doesn't move.
      strategy != .appending || tag == TIFFTag.makerNote, references.owners(of: slot) == 1
    {
      let padding = [UInt8](repeating: 0, count: slot.count - bytes.count)
      try draft.overwrite(at: slot.lowerBound, bytes + padding)
      return block.record(tag: tag, type: type, count: count, field: try block.word(slot.lowerBound))
    }
    if let old { draft.erase(valueOf: old) }
    return block.record(tag: tag, type: type, count: count, field: try block.word(draft.append(bytes)))
  }

  /// Returns a pointer to a directory: LONG, count 1, whatever the old type; in BigTIFF, LONG8 (some readers don't know
  /// IFD8).
  private func record(
    of tag: UInt16, pointer offset: Int, replacing old: TIFFEntry?
  ) throws(FileError) -> [UInt8] {
    if block.isBig {
      return block.record(tag: tag, type: TIFFType.long8, count: 1, field: try block.word(offset))
    }
    let type = old?.type == TIFFType.ifd ? TIFFType.ifd : TIFFType.long
    return block.record(tag: tag, type: type, count: 1, field: try block.word(offset))
  }
}

// The placement of IFD0 when it grows.

extension TIFFEditor {
  /// Returns the range of IFD0 after `changes` if it began at its old place, or right after the header.
  static func ifd0Slot(of block: TIFFBlock, after changes: TIFFChanges, isBehindHeader: Bool = false) -> Range<Int> {
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
  static func ifd0Slot(
    of block: TIFFBlock, after changes: TIFFChanges, _ strategy: PlacementStrategy, _ references: TIFFReferences,
    appendingAt place: Int
  ) throws(FileError) -> Range<Int> {
    switch strategy {
    case .leadingWithIFD0:
      let ifd0Slot = ifd0Slot(of: block, after: changes, isBehindHeader: true)
      guard try makesWay(block, references, to: ifd0Slot, moving: block.count) else {
        throw FileError(
          .tooLarge, "a TIFF directory that can't be moved has no room to grow",
          at: block.range.lowerBound + ifd0Slot.lowerBound)
      }
      return ifd0Slot
    case .growingIFD0:
      let ifd0Slot = ifd0Slot(of: block, after: changes)
      guard ifd0Slot.count > block.ifd0.range.count, ifd0Slot.upperBound <= min(place, block.count),
        references.owners(of: block.ifd0.range) <= 1, try makesWay(block, references, to: ifd0Slot, moving: mostMoved)
      else { return 0..<0 }
      return ifd0Slot
    case .reusingSlots, .keepingDirectories, .appending: return 0..<0
    }
  }

  /// The last standard tag. Tags after it belong to makers: their values may hold offsets relative to their own
  /// position.
  private static let lastStandardTag: UInt16 = 0xA500

  /// The limit of value bytes that move to the end: a block may have no space for more.
  private static let mostMoved = 1_024

  /// Whether `ifd0Slot` holds only IFD0, at most `most` bytes of its own values that can move, and unreferenced zeros.
  private static func makesWay(
    _ block: TIFFBlock, _ references: TIFFReferences, to ifd0Slot: Range<Int>, moving most: Int
  ) throws(FileError) -> Bool {
    let owned = block.ifd0.entries.filter { $0.value.map { $0.count > block.wordCount } ?? false }
    let values = RangeIndex(owned.compactMap(\.value))
    let fixed = owned.filter { $0.tag == TIFFTag.makerNote || $0.tag > lastStandardTag }.compactMap(\.value)
    guard !fixed.contains(where: ifd0Slot.overlaps) else { return false }
    // A value shared by several entries is copied for each.
    guard owned.compactMap(\.value).filter(ifd0Slot.overlaps).reduce(0, { $0 + $1.count }) <= most else { return false }
    let gaps = references.gaps(upTo: block.count)
    for part in [ifd0Slot].excluding([block.ifd0.range]) {
      let unknown = try gaps.filter { $0.overlaps(part) }.map { gap throws(FileError) in
        try block.bytes(gap.clamped(to: part)).array
      }
      guard values.count(cutBy: part) == references.owners(of: part), unknown.joined().allSatisfy({ $0 == 0 }) else {
        return false
      }
    }
    return true
  }

  /// Writes IFD0 at `ifd0Slot` and moves its own values there to the end. Returns the offset of IFD0, if it is new.
  mutating func putLeading(_ records: [TIFFRecord]) throws(FileError) -> Int? {
    let old = block.ifd0.range
    var records = records
    for (index, record) in records.enumerated() {
      let entry = record.entry
      guard let slot = entry.value, slot.count > block.wordCount, slot.overlaps(ifd0Slot),
        try block.bytes(entry.position..<entry.position + block.entryCount).array == record.bytes
      else { continue }
      draft.erase(slot)
      let place = draft.append(try block.bytes(slot).array)
      records[index].bytes = block.record(
        tag: entry.tag, type: entry.type, count: entry.count, field: try block.word(place))
    }
    let bytes = try encoded(records, next: block.ifd0.next ?? 0)
    let rest = old.lowerBound == ifd0Slot.lowerBound ? max(0, old.count - bytes.count) : 0
    try draft.overwrite(at: ifd0Slot.lowerBound, bytes + [UInt8](repeating: 0, count: rest))
    return old.lowerBound == ifd0Slot.lowerBound ? nil : ifd0Slot.lowerBound
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
