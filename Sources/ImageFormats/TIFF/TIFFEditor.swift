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
  let lead: Range<Int>
  /// The removals from directories that aren't ours, by position: each directory is written once.
  private(set) var additional: [Int: (directory: TIFFDirectory, changes: [UInt16: Change<TIFFValue>])] = [:]

  /// Returns the edit that puts `changes` into `block`. Appended bytes go to `place`, which is even.
  static func edit(
    _ block: TIFFBlock, _ changes: TIFFChanges, references: TIFFReferences, appendingAt place: Int,
    strategy: PlacementStrategy = .growingIFD0
  ) throws(FileError) -> Edit {
    let draft = TIFFDraft(block, references, appendingAt: place, leavingErased: strategy == .appending)
    let lead = try lead(of: block, after: changes, strategy, references, appendingAt: place)
    var editor = TIFFEditor(block: block, references: references, strategy: strategy, draft: draft, lead: lead)
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
      pointers[tag] = try rebuild(block.directory(ifd), wanted)
      try changeCopies(of: ifd, under: tag, as: wanted)
      let erases = pointers[tag] != nil && (ifd == .gps || strategy.erasesMoved)
      if erases, let old = block.directory(ifd) { draft.erase(old.range) }
    }
    for (_, (directory, changes)) in additional.sorted(by: { $0.key < $1.key }) { _ = try rebuild(directory, changes) }
    if let moved = try rebuild(block.ifd0, ifd0, pointers: pointers) {
      try draft.overwrite(at: block.headerPointer, try block.word(moved))
      // Odd files have a second path to IFD0. Readers that take it must not find an outdated copy.
      if strategy.erasesMoved { draft.erase(block.ifd0.range) }
    }
  }

  private mutating func change(_ directory: TIFFDirectory, _ changes: [UInt16: Change<TIFFValue>]) {
    additional[directory.range.lowerBound, default: (directory, [:])].changes.merge(changes) { _, new in new }
  }

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
        .malformed, "a TIFF directory that must change is longer than what holds it",
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
    if !lead.isEmpty, directory?.range == block.ifd0.range { return try putLeading(records) }
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
    if let old, let slot = old.value, slot.count > block.wordCount, slot.count >= bytes.count, !slot.overlaps(lead),
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
