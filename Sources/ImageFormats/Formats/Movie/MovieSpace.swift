/// Resizing of a top-level box of a movie file, without moving data that something may point to.
struct MovieSpace {
  private let file: MovieFile
  private let source: any ByteSource
  private let movie: MovieBox
  /// Whether something is erased, so that unused space must not keep it either.
  private let erases: Bool

  /// The unused space to leave after a box that grows at the end of the file, for the next edit.
  private static let spare = Box.bytes("free", [UInt8](repeating: 0, count: 1_016))
  /// The size from which copying the file would cost more than the edit.
  private static let bigCount = 16 << 20
  /// The limit of a box that is rewritten in memory.
  private static let longestCopy = 24 << 20

  init(_ file: MovieFile, _ source: any ByteSource, _ movie: MovieBox, erases: Bool = false) {
    self.file = file
    self.source = source
    self.movie = movie
    self.erases = erases
  }

  /// Returns the splices that put `inner` into `moov`, and commit the `outer` changes to the file.
  ///
  /// If `moov` follows the media data in a big file, a new `moov` is written at the end, and the old one's header becomes
  /// that of unused space: these bytes commit the edit, so that it can be written in place.
  func place(_ inner: [Splice], beside outer: [Splice] = []) throws(FileError) -> [Splice] {
    guard !inner.isEmpty || !outer.isEmpty else { return [] }
    guard !movie.isPointedInto || inner.allSatisfy({ $0.growth == 0 }) else {
      throw FileError(
        .fixedPositions, "has sample tables that point into its moov box, so its boxes can't be moved",
        at: movie.moov.range.lowerBound)
    }
    if source.count >= MovieSpace.bigCount, isLast, !movie.isFragmented, !movie.isPointedInto,
      commitsAtOnce(movie.moov),
      try Patch(inner + outer, to: source.count, imageData: []).commitSector() == nil
    {
      return try moved(movie.moov, inner)
    }
    return try fit(movie.moov, inner)
  }

  /// Returns the splices that put `inner` into any top-level box.
  func fit(_ box: Box, _ inner: [Splice]) throws(FileError) -> [Splice] {
    guard !movie.isFragmented || inner.allSatisfy({ $0.growth == 0 }) else {
      throw FileError(
        .fragmentedMovie, "fragmented MP4: its boxes can't be moved", at: box.range.lowerBound, remedy: .useSidecar)
    }
    let growth = inner.reduce(0) { $0 + $1.growth }
    if growth == 0 || box.isOpen { return inner }
    let end = box.range.upperBound
    let space = try unused(behind: box)
    let spare = space.count - growth
    if spare == 0 { return space.isEmpty ? inner : inner + [Splice(space, [])] }
    if spare >= 8, let size = UInt32(exactly: spare) {
      let header = size.bytes(.big) + FourCC("free").bytes
      if growth > 0 { return inner + [Splice(end..<end + growth + 8, header)] }
      let taken = min(8, space.count)
      return inner + [Splice(end..<end + taken, header + [UInt8](repeating: 0, count: taken - growth - 8))]
    }
    if space.upperBound == source.count, isExtensible { return inner + [Splice(space, MovieSpace.spare)] }
    return try moved(box, inner)
  }

  /// Rewrites the box at the end of the file; its old place becomes unused space.
  private func moved(_ box: Box, _ inner: [Splice]) throws(FileError) -> [Splice] {
    guard isExtensible else {
      throw FileError(
        .fixedPositions, "has no room for the new values, and data after its last box that can't be moved",
        at: file.trailer.lowerBound)
    }
    guard box.range.count <= MovieSpace.longestCopy else {
      throw FileError(.tooLarge, "has a \(box.type) box that is too large to rewrite", at: box.range.lowerBound)
    }
    let local = inner.map { $0.moved(by: -box.range.lowerBound) }
    let bytes = try Patch(local, to: box.range.count, imageData: []).applied(to: try source.bytes(box.range))
    let new = bytes + MovieSpace.spare
    if let covered = covered(box, by: new) { return covered + (try remains(of: box)) }
    var splices = [
      Splice(box.typeRange, FourCC("free").bytes), Splice(source.count..<source.count, new, usedBy: .scanned),
    ]
    if let last = file.boxes.last, last.isOpen, let size = try last.closed() { splices.append(size) }
    return splices + (try remains(of: box))
  }

  /// Returns the splices that write a new box behind the header of a `free` box, where no reader looks. The old box's
  /// header then becomes that of a `free` box which ends with the other header: in this instant the old box disappears
  /// and the new one appears. Returns nil if something else follows the old box.
  private func covered(_ box: Box, by new: [UInt8]) -> [Splice]? {
    let isLast = !file.boxes.contains { $0.range.lowerBound > box.range.lowerBound && !$0.isUnused }
    let count = source.count - box.range.lowerBound + 8
    guard isLast, file.trailer.isEmpty, file.boxes.last?.isOpen == false,
      let header = box.header(of: "free", count: count), let rest = UInt32(exactly: new.count + 8)
    else { return nil }
    let end = source.count
    return [header, Splice(end..<end, rest.bytes(.big) + FourCC("free").bytes + new)]
  }

  /// Returns zeros over a box that moves, so that its contents don't survive in unused space.
  ///
  /// The tables of samples are the longest part of `moov` and hold no text, place or date. They are overwritten only
  /// when something is erased: every other edit would pay for them in the journal.
  private func remains(of box: Box) throws(FileError) -> [Splice] {
    let tables = erases ? [] : movie.tracks.flatMap(\.sampleTables).map(\.payload)
    return try source.zeroing([box.payload].excluding(tables))
  }

  /// Returns the splices for a new box at the end of the file, after the data that `splices` put there.
  func added(_ box: [UInt8], beside splices: [Splice]) throws(FileError) -> [Splice] {
    guard isExtensible, !movie.isFragmented, !movie.moov.isOpen else {
      throw FileError(
        .noSlot, "can't hold an XMP box at its end", at: file.trailer.lowerBound)
    }
    let closing = try file.boxes.last.flatMap { last throws(FileError) in last.isOpen ? try last.closed() : nil }
    let isClosed = closing.map { closing in splices.contains { $0.range == closing.range } } ?? true
    return (isClosed ? [] : closing.map { [$0] } ?? []) + [Splice(source.count..<source.count, box, usedBy: .scanned)]
  }

  /// Returns the range of unused boxes after `box`, as far as no media data lies in them.
  private func unused(behind box: Box) throws(FileError) -> Range<Int> {
    let space = file.unused(behind: box)
    guard !space.isEmpty else { return space }
    for table in movie.offsetTables {
      if try MediaOffsets(table, source).contains(where: space.contains) { return space.lowerBound..<space.lowerBound }
    }
    return space
  }

  /// Whether only unused space follows `moov`.
  private var isLast: Bool {
    !file.boxes.contains { $0.range.lowerBound > movie.moov.range.lowerBound && !$0.isUnused }
  }

  /// Whether the box's header lies in one sector, which a disk writes completely or not at all.
  private func commitsAtOnce(_ box: Box) -> Bool {
    isExtensible && file.boxes.last?.isOpen == false && box.range.count <= MovieSpace.longestCopy
      && box.range.lowerBound / 512 == (box.payload.lowerBound - 1) / 512
  }

  /// Whether boxes may be added at the end of the file, because no data is located relative to it.
  private var isExtensible: Bool {
    file.trailer.isEmpty && !["mfra", "sefd"].contains(file.boxes.last?.type ?? "mfra")
  }
}

extension Box {
  /// Returns the splice that gives the box another type and size; nil if its header has no room for the size.
  fileprivate func header(of type: FourCC, count: Int) -> Splice? {
    let start = range.lowerBound
    if headerCount == 16 { return Splice(start + 4..<start + 16, type.bytes + UInt64(count).bytes(.big)) }
    return UInt32(exactly: count).map { Splice(start..<start + 8, $0.bytes(.big) + type.bytes) }
  }

  /// Returns the splice that writes the size of a box that reached to the end of the file, before data is added after
  /// it.
  fileprivate func closed() throws(FileError) -> Splice? {
    guard let size = UInt32(exactly: range.count) else {
      throw FileError(
        .fixedPositions, "its \(type) box is larger than 4 GiB and has no explicit size", at: range.lowerBound)
    }
    return Splice(range.lowerBound..<range.lowerBound + 4, size.bytes(.big))
  }
}
