/// Turns wanted tags into overwrites and appended bytes, so that no byte that someone may point to moves.
///
/// Maker notes hold private offsets; they stay right because everything stays where it is. What is new or longer
/// goes behind the last used byte and one pointer is flipped; what has a slot is overwritten there.
struct TIFFEditor {
  /// What the edit does, in offsets of the block.
  struct Edit: Sendable {
    /// Each as long as what it replaces; in order, not overlapping, none without effect.
    var overwrites: [Splice]
    /// What follows at the place to append, or nothing.
    var appended: [UInt8]
  }

  /// How much may be overwritten.
  enum Habit: Sendable {
    /// Slots that exist are used again.
    case reusingSlots
    /// Changed directories are copied to the end, so that flipping the header's pointer commits the whole edit.
    case appending
  }

  private let block: TIFFBlock
  private let references: TIFFReferences
  private let place: Int
  private let habit: Habit
  private var appended: [UInt8] = []
  private var writes: [Splice] = []
  private var erasures: [Range<Int>] = []

  /// The edit that puts `changes` into `block`; appended bytes will stand at `place`, which is even.
  static func edit(
    _ block: TIFFBlock, _ changes: TIFFChanges, references: TIFFReferences, appendingAt place: Int,
    habit: Habit = .reusingSlots
  ) throws(PhotoError) -> Edit {
    var editor = TIFFEditor(block, references, place, habit)
    try editor.apply(changes)
    return Edit(overwrites: try editor.overwrites(), appended: editor.appended)
  }

  private init(_ block: TIFFBlock, _ references: TIFFReferences, _ place: Int, _ habit: Habit) {
    (self.block, self.references, self.place, self.habit) = (block, references, place, habit)
  }

  private mutating func apply(_ changes: TIFFChanges) throws(PhotoError) {
    var main = changes.tags[.main] ?? [:]
    var pointers: [UInt16: Int] = [:]
    if changes.removesGPS {
      main[TIFFTag.gpsIFD] = .remove
      for directory in references.directories {
        guard let pointer = directory[TIFFTag.gpsIFD] else { continue }
        if let gps = block.directory(of: pointer) { try erase(gps) }
        guard directory.range != block.main.range, references.owners(of: directory.range) == 1 else { continue }
        _ = try rebuild(directory, [TIFFTag.gpsIFD: .remove])
      }
    }
    for (ifd, tag) in [(IFD.gps, TIFFTag.gpsIFD), (.exif, TIFFTag.exifIFD)] {
      guard let wanted = changes.tags[ifd], ifd == .exif || !changes.removesGPS else { continue }
      guard block.directory(ifd) != nil || wanted.values.contains(where: { $0 != .remove }) else { continue }
      if ifd == .gps, let gps = block.gps { try forget(coordinatesOf: gps) }
      pointers[tag] = try rebuild(block.directory(ifd), wanted, erasing: ifd == .gps)
      try changeCopies(of: ifd, under: tag, as: wanted)
      let erases = pointers[tag] != nil && (ifd == .gps || habit == .reusingSlots)
      if erases, let old = block.directory(ifd) { erase(old.range) }
    }
    if let moved = try rebuild(block.main, main, pointers: pointers) {
      writes.append(try overwrite(at: block.headerPointer, try block.word(moved)))
      // Odd files have a second road to IFD0; readers who take it shall not find an outdated copy.
      if habit == .reusingSlots { erase(block.main.range) }
    }
  }

  /// Some cameras repeat the EXIF directory for the thumbnail: what was equal there stays equal.
  private mutating func changeCopies(
    of ifd: IFD, under tag: UInt16, as changes: [UInt16: Change<TIFFValue>]
  ) throws(PhotoError) {
    guard let original = block.directory(ifd), habit == .reusingSlots else { return }
    for parent in references.directories where parent.range != block.main.range {
      guard let copy = parent[tag].flatMap(block.directory(of:)), copy.range != original.range,
        references.owners(of: copy.range) == 1
      else { continue }
      let same = changes.filter { tag, _ in
        guard let old = original[tag].flatMap(block.raw), let new = copy[tag].flatMap(block.raw) else { return false }
        return old.array == new.array
      }
      _ = try rebuild(copy, same)
    }
  }

  // MARK: Directories

  /// Puts `changes` into `directory` (nil: a new one). Returns where it stands, if that is a new place.
  ///
  /// Positions are erased when they go, always; of other old values only those that are cheap to erase.
  private mutating func rebuild(
    _ directory: TIFFDirectory?, _ changes: [UInt16: Change<TIFFValue>], pointers: [UInt16: Int] = [:],
    erasing: Bool = false
  ) throws(PhotoError) -> Int? {
    let erasing = erasing || habit == .reusingSlots
    guard directory?.isWhole ?? true else {
      throw PhotoError(
        .malformed, "a TIFF directory that must change is longer than what holds it",
        at: block.range.lowerBound + (directory?.range.lowerBound ?? 0))
    }
    let old = try (directory?.entries ?? []).map { entry throws(PhotoError) in
      Record(entry: entry, bytes: try block.bytes(entry.position..<entry.position + block.entryCount).array)
    }
    var records = old
    for (tag, change) in changes.sorted(by: { $0.key < $1.key }) {
      switch change {
      case .keep: continue
      case .remove:
        for record in records where record.tag == tag && erasing { erase(valueOf: record.entry) }
        records.removeAll { $0.tag == tag }
      case .set(let value):
        let bytes = try record(of: tag, value, replacing: directory?[tag], erasing: erasing)
        Record.put(bytes, tag, into: &records)
      }
    }
    for (tag, offset) in pointers.sorted(by: { $0.key < $1.key }) {
      Record.put(try record(of: tag, pointer: offset, replacing: directory?[tag]), tag, into: &records)
    }
    guard records.map(\.bytes) != old.map(\.bytes) else { return nil }
    return try put(records, for: directory)
  }

  /// Writes a directory over the old one if it fits there and belongs to nobody else, else behind everything.
  private mutating func put(_ records: [Record], for directory: TIFFDirectory?) throws(PhotoError) -> Int? {
    let next = directory?.next ?? 0
    let count =
      block.isBig ? UInt64(records.count).bytes(block.order) : UInt16(clamping: records.count).bytes(block.order)
    guard records.count <= 65_535 else { throw PhotoError(.tooLarge, "a TIFF directory has no room for another tag") }
    var bytes = count + records.flatMap(\.bytes)
    if let directory, habit == .reusingSlots, records.count <= directory.entries.count,
      references.owners(of: directory.range) == 1
    {
      if directory.next != nil { bytes += try block.word(next) }
      bytes += [UInt8](repeating: 0, count: directory.range.count - bytes.count)
      writes.append(try overwrite(at: directory.range.lowerBound, bytes))
      return nil
    }
    return append(bytes + (try block.word(next)))
  }

  // MARK: Values

  private mutating func record(
    of tag: UInt16, _ value: TIFFValue, replacing old: TIFFEntry?, erasing: Bool
  ) throws(PhotoError) -> [UInt8] {
    let (type, count, bytes) = value.encoded(block.order)
    if let old, let raw = block.raw(old), old.type == type, raw.array == bytes {
      return try block.bytes(old.position..<old.position + block.entryCount).array
    }
    if bytes.count <= block.wordCount {
      if let old, erasing { erase(valueOf: old) }
      return block.record(tag: tag, type: type, count: count, field: bytes)
    }
    if let old, let slot = old.value, slot.count > block.wordCount, slot.count >= bytes.count,
      habit == .reusingSlots, references.owners(of: slot) == 1
    {
      let padding = [UInt8](repeating: 0, count: slot.count - bytes.count)
      writes.append(try overwrite(at: slot.lowerBound, bytes + padding))
      return block.record(tag: tag, type: type, count: count, field: try block.word(slot.lowerBound))
    }
    if let old, erasing { erase(valueOf: old) }
    return block.record(tag: tag, type: type, count: count, field: try block.word(append(bytes)))
  }

  /// A pointer to a directory: LONG, count 1, whatever stood there; in BigTIFF, LONG8 (not every reader knows IFD8).
  private func record(
    of tag: UInt16, pointer offset: Int, replacing old: TIFFEntry?
  ) throws(PhotoError) -> [UInt8] {
    if block.isBig {
      return block.record(tag: tag, type: TIFFType.long8, count: 1, field: try block.word(offset))
    }
    let type = old?.type == TIFFType.ifd ? TIFFType.ifd : TIFFType.long
    return block.record(tag: tag, type: type, count: 1, field: try block.word(offset))
  }

  /// Adds bytes behind everything, at an even offset as TIFF wants it.
  private mutating func append(_ bytes: [UInt8]) -> Int {
    if (place + appended.count) % 2 == 1 { appended.append(0) }
    defer { appended += bytes }
    return place + appended.count
  }

  private func overwrite(at offset: Int, _ bytes: [UInt8]) throws(PhotoError) -> Splice {
    guard offset <= block.count - bytes.count else {
      throw PhotoError(.truncated, "a TIFF slot leaves its structure", at: block.range.upperBound)
    }
    return Splice(offset..<offset + bytes.count, bytes)
  }

  // MARK: Erasing

  private mutating func erase(valueOf entry: TIFFEntry) {
    if let value = entry.value, value.count > block.wordCount { erase(value) }
  }

  /// Nothing that has another owner is erased.
  private mutating func erase(_ range: Range<Int>) {
    if references.owners(of: range) == 1 { erasures.append(range) }
  }

  /// A GPS directory that goes, with all its values and what is left of former copies.
  private mutating func erase(_ directory: TIFFDirectory) throws(PhotoError) {
    try forget(coordinatesOf: directory)
    for entry in directory.entries { erase(valueOf: entry) }
    erase(directory.range)
  }

  /// Unreferenced space beyond this is not searched: it is no leftover of an edit.
  private static let searchedCount = 1 << 26

  /// Erases dead copies of the coordinates: nothing refers to them, but they would still tell the place.
  private mutating func forget(coordinatesOf gps: TIFFDirectory) throws(PhotoError) {
    let patterns = [EXIF.GPS.latitude, EXIF.GPS.longitude]
      .compactMap { gps[$0].flatMap { block.raw($0)?.array } }
      .filter { $0.count == 24 && $0.prefix(4) + $0[8..<12] + $0[16..<20] != [UInt8](repeating: 0, count: 12)[...] }
    var left = TIFFEditor.searchedCount
    for gap in references.gaps(upTo: block.count) where !patterns.isEmpty && gap.count >= 24 {
      left -= gap.count
      guard left > 0 else { return }
      let space = try block.bytes(gap)
      for pattern in patterns {
        var at = 0
        while let found = space.firstIndex(of: pattern, from: at) {
          erasures.append(gap.lowerBound + found..<gap.lowerBound + found + pattern.count)
          at = found + pattern.count
        }
      }
    }
  }

  /// Writes and erasures together: writes win, and only bytes that differ from the old ones count.
  private func overwrites() throws(PhotoError) -> [Splice] {
    var splices: [Splice] = []
    let zeros = erasures.map { Splice($0, [UInt8](repeating: 0, count: $0.count)) }
    var taken: [Range<Int>] = []
    for splice in writes.reversed() + zeros {
      var pieces = [splice.range.clamped(to: 0..<max(0, min(place, block.count)))]
      for range in taken { pieces = pieces.flatMap { $0.without(range) } }
      taken += pieces
      for piece in pieces where !piece.isEmpty {
        let old = try block.bytes(piece).array
        let start = piece.lowerBound - splice.range.lowerBound
        let new = Array(splice.bytes[start..<start + piece.count])
        guard let first = old.indices.first(where: { old[$0] != new[$0] }),
          let last = old.indices.last(where: { old[$0] != new[$0] })
        else { continue }
        splices.append(Splice(piece.lowerBound + first..<piece.lowerBound + last + 1, Array(new[first...last])))
      }
    }
    return splices.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}

/// A directory entry on its way into a new directory.
private struct Record {
  /// Where it comes from.
  let entry: TIFFEntry
  var bytes: [UInt8]
  var tag: UInt16 { entry.tag }

  /// Replaces the first entry with this tag, or adds one and sorts, as TIFF 6.0 wants it.
  static func put(_ bytes: [UInt8], _ tag: UInt16, into records: inout [Record]) {
    if let index = records.firstIndex(where: { $0.tag == tag }) {
      records[index].bytes = bytes
      return
    }
    let entry = TIFFEntry(tag: tag, type: 0, count: 0, position: 0, value: nil)
    records.append(Record(entry: entry, bytes: bytes))
    records = records.enumerated().sorted { ($0.element.tag, $0.offset) < ($1.element.tag, $1.offset) }.map(\.element)
  }
}

extension Range<Int> {
  /// What is left of this range on both sides of `other`.
  func without(_ other: Range<Int>) -> [Range<Int>] {
    guard overlaps(other) else { return [self] }
    var rest: [Range<Int>] = []
    if lowerBound < other.lowerBound { rest.append(lowerBound..<other.lowerBound) }
    if other.upperBound < upperBound { rest.append(other.upperBound..<upperBound) }
    return rest
  }
}
