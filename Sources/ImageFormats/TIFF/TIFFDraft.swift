/// An edit in progress: the planned overwrites, erasures and appended bytes of a TIFF block.
struct TIFFDraft {
  let block: TIFFBlock
  let references: TIFFReferences
  /// The start of appended bytes, in offsets of the block.
  let place: Int
  /// Whether erased data has no references any more, because every directory that had some is elsewhere now.
  private let leavesErased: Bool
  private(set) var appended: [UInt8] = []
  private var writes: [Splice] = []
  private var erasures: [Range<Int>] = []
  private var remains: [Range<Int>] = []
  private var searchable = TIFFDraft.searchedInAll

  init(_ block: TIFFBlock, _ references: TIFFReferences, appendingAt place: Int, leavingErased: Bool) {
    (self.block, self.references, self.place, leavesErased) = (block, references, place, leavingErased)
  }

  /// The position of the next appended bytes: an even offset, as TIFF requires.
  var end: Int {
    let end = place + appended.count
    return end + end % 2
  }

  /// Appends bytes at the end. Returns their position.
  mutating func append(_ bytes: [UInt8]) -> Int {
    let start = end
    appended += [UInt8](repeating: 0, count: start - place - appended.count) + bytes
    return start
  }

  mutating func overwrite(at offset: Int, _ bytes: [UInt8]) throws(FileError) {
    guard offset <= block.count - bytes.count else {
      throw FileError(
        .truncated, "a TIFF value extends beyond the end of the TIFF structure", at: block.range.upperBound)
    }
    writes.append(Splice(offset..<offset + bytes.count, bytes))
  }

  // MARK: Erasing

  /// Erases `range`, unless it has other owners than those that are removed.
  mutating func erase(_ range: Range<Int>, owners: Int = 1) {
    if references.owners(of: range) <= owners { erasures.append(range) }
  }

  /// Erases the value that an entry points to.
  mutating func erase(valueOf entry: TIFFEntry, owners: Int = 1) {
    if let value = entry.value, value.count > block.wordCount { erase(value, owners: owners) }
  }

  /// Erases a directory with all its values. Two of its entries may share a value.
  mutating func erase(_ directory: TIFFDirectory) {
    let values = RangeIndex(directory.entries.compactMap(\.value))
    for entry in directory.entries {
      guard let value = entry.value else { continue }
      erase(valueOf: entry, owners: values.count(cutBy: value))
    }
    erase(directory.range)
  }

  /// The limit of unreferenced space to search. A larger space is not a leftover of an edit.
  private static let searchedCount = 1 << 26
  /// The limit of all searches together: a hostile file may have a thousand GPS directories.
  private static let searchedInAll = 1 << 28
  /// The limit of dead copies. An edit leaves at most one.
  private static let mostRemains = 1_024

  /// Erases dead copies of the coordinates: nothing refers to them, but they still record the place.
  mutating func erase(remainsOf gps: TIFFDirectory) throws(FileError) {
    let patterns = [GPSTag.latitude, GPSTag.longitude]
      .compactMap { gps[$0].flatMap { block.raw($0)?.array } }
      .filter { bytes in bytes.count == 24 && [0, 8, 16].contains { bytes[$0..<$0 + 4].contains { $0 != 0 } } }
    guard !patterns.isEmpty, searchable > 0 else { return }
    // Finding the gaps takes time too.
    searchable -= 16 * references.metadata.count
    var left = min(TIFFDraft.searchedCount, searchable)
    for gap in references.gaps(upTo: block.count) where gap.count >= 24 {
      left -= gap.count
      searchable -= gap.count
      guard left > 0 else { return }
      let space = try block.bytes(gap)
      for pattern in patterns {
        var at = 0
        while remains.count < TIFFDraft.mostRemains, let found = space.firstIndex(of: pattern, from: at) {
          remains.append(gap.lowerBound + found..<gap.lowerBound + found + pattern.count)
          at = found + pattern.count
        }
      }
    }
  }

  /// Erases dates in text that nothing refers to, left by earlier edits. The container handles gaps that are too long
  /// for memory.
  mutating func eraseDeadDates() throws(FileError) {
    for gap in references.gaps(upTo: block.count)
    where (DateText.shortest...TIFFDraft.searchedCount).contains(gap.count) {
      let space = try block.bytes(gap)
      for found in try DateText.ranges(in: 0..<space.count, of: space) {
        guard remains.count < TIFFDraft.mostRemains else { return }
        remains.append(gap.lowerBound + found.lowerBound..<gap.lowerBound + found.upperBound)
      }
    }
  }

  /// The limit of changes, more than any photo needs; each is compared with all before it.
  private static let mostChanges = 8_192

  /// Returns writes and erasures together, in order: a later write replaces an earlier one, a write replaces an
  /// erasure, and only bytes that differ from the old ones are included.
  ///
  /// - Throws: `refused` when there are more than `mostChanges`.
  func overwrites() throws(FileError) -> [Splice] {
    guard writes.count + erasures.count + remains.count <= TIFFDraft.mostChanges else {
      throw FileError(
        .tangledStructure, "its TIFF directories are too complex to change safely", at: block.range.lowerBound)
    }
    var splices: [Splice] = []
    let zeros = (erasures + remains).map { range in
      Splice(range, [UInt8](repeating: 0, count: range.count), usedBy: leavesErased ? .old : .both)
    }
    var taken: [Range<Int>] = []
    for splice in writes.reversed() + zeros {
      var pieces = [splice.range.clamped(to: 0..<min(place, block.count))]
      for range in taken where range.overlaps(splice.range) { pieces = pieces.flatMap { $0.without(range) } }
      taken += pieces
      for piece in pieces where !piece.isEmpty {
        let old = try block.bytes(piece).array
        let start = piece.lowerBound - splice.range.lowerBound
        let new = Array(splice.bytes[start..<start + piece.count])
        guard let first = old.indices.first(where: { old[$0] != new[$0] }),
          let last = old.indices.last(where: { old[$0] != new[$0] })
        else { continue }
        splices.append(
          Splice(piece.lowerBound + first..<piece.lowerBound + last + 1, Array(new[first...last]), usedBy: splice.use))
      }
    }
    return splices.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}

extension Range<Int> {
  /// Returns the parts of this range on both sides of `other`.
  fileprivate func without(_ other: Range<Int>) -> [Range<Int>] {
    guard overlaps(other) else { return [self] }
    var rest: [Range<Int>] = []
    if lowerBound < other.lowerBound { rest.append(lowerBound..<other.lowerBound) }
    if other.upperBound < upperBound { rest.append(other.upperBound..<upperBound) }
    return rest
  }
}
