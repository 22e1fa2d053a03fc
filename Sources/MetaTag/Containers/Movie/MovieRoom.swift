/// Makes a box at the top of a movie file longer or shorter, and moves nothing that something may point to.
struct MovieRoom {
  private let file: MovieFile
  private let source: any ByteSource
  private let movie: MovieBox

  /// Unused space to leave behind a box that grows at the end of the file, so that the next edit needs none.
  private static let spare = Box.bytes("free", [UInt8](repeating: 0, count: 1_016))
  /// From this size on, copying the file would cost more than the edit.
  private static let bigCount = 16 << 20
  /// A box longer than this isn't written anew in memory.
  private static let longestCopy = 24 << 20

  init(_ file: MovieFile, _ source: any ByteSource, _ movie: MovieBox) {
    self.file = file
    self.source = source
    self.movie = movie
  }

  /// The splices that put `inner` into `moov`; bytes that tell an old position stay in no unused space.
  ///
  /// A big file whose `moov` is behind the media data gets a new one at its end, and the old one's type becomes `free`:
  /// these four bytes commit the edit, so that it can be written in place.
  func place(_ inner: [Splice], erasing old: [[UInt8]]) throws(PhotoError) -> [Splice] {
    guard !inner.isEmpty else { return [] }
    guard !movie.isPointedInto || inner.allSatisfy({ $0.growth == 0 }) else {
      throw PhotoError(
        .refused, "has tables that point into its moov box, in which nothing may move therefore",
        at: movie.moov.range.lowerBound)
    }
    let splices: [Splice]
    if source.count >= MovieRoom.bigCount, isLast, !movie.isFragmented, !movie.isPointedInto,
      commitsAtOnce(movie.moov),
      try Patch(inner, to: source.count, imageData: []).commitSector() == nil
    {
      splices = try moved(movie.moov, inner)
    } else {
      splices = try fit(movie.moov, inner)
    }
    return splices + (try erasures(of: old, beside: splices))
  }

  /// The same for any box at the top of the file; nothing is erased but the box itself, when it moves.
  func fit(_ box: Box, _ inner: [Splice]) throws(PhotoError) -> [Splice] {
    guard !movie.isFragmented || inner.allSatisfy({ $0.growth == 0 }) else {
      throw PhotoError(
        .unsupported, "is a fragmented movie, in which nothing may move; '--sidecar always' has room",
        at: box.range.lowerBound)
    }
    let growth = inner.reduce(0) { $0 + $1.growth }
    if growth == 0 || box.isOpen { return inner }
    let end = box.range.upperBound
    let room = try unused(behind: box)
    let spare = room.count - growth
    if spare == 0 { return room.isEmpty ? inner : inner + [Splice(room, [])] }
    if spare >= 8, let size = UInt32(exactly: spare) {
      let header = size.bytes(.big) + FourCC("free").bytes
      if growth > 0 { return inner + [Splice(end..<end + growth + 8, header)] }
      let taken = min(8, room.count)
      return inner + [Splice(end..<end + taken, header + [UInt8](repeating: 0, count: taken - growth - 8))]
    }
    if room.upperBound == source.count, isExtensible { return inner + [Splice(room, MovieRoom.spare)] }
    return try moved(box, inner)
  }

  /// The box written anew at the end of the file; its old place becomes unused space.
  private func moved(_ box: Box, _ inner: [Splice]) throws(PhotoError) -> [Splice] {
    guard isExtensible else {
      throw PhotoError(
        .refused, "has no room for the new values, and data behind the last box that may not move",
        at: file.trailer.lowerBound)
    }
    guard box.range.count <= MovieRoom.longestCopy else {
      throw PhotoError(.tooLarge, "has a \(box.type) box too long to be written anew", at: box.range.lowerBound)
    }
    let local = inner.map { $0.moved(by: -box.range.lowerBound) }
    let bytes = try Patch(local, to: box.range.count, imageData: []).applied(to: try source.bytes(box.range))
    var splices = [
      Splice(box.typeRange, FourCC("free").bytes), Splice(source.count..<source.count, bytes + MovieRoom.spare),
    ]
    if let last = file.boxes.last, last.isOpen, let size = try last.closed() { splices.append(size) }
    if box.type == "uuid" {
      // What a packet said of places shall not outlive it.
      splices.append(.erasing(box.payload))
    }
    return splices
  }

  /// A new box at the end of the file, behind what `splices` put there.
  func added(_ box: [UInt8], beside splices: [Splice]) throws(PhotoError) -> [Splice] {
    guard isExtensible, !movie.isFragmented, !movie.moov.isOpen else {
      throw PhotoError(
        .unsupported, "can't take another box at its end, where XMP would go", at: file.trailer.lowerBound)
    }
    let closing = try file.boxes.last.flatMap { last throws(PhotoError) in last.isOpen ? try last.closed() : nil }
    let isClosed = closing.map { closing in splices.contains { $0.range == closing.range } } ?? true
    return (isClosed ? [] : closing.map { [$0] } ?? []) + [Splice(source.count..<source.count, box)]
  }

  /// Unused boxes behind `box`, as far as no media data lies in them.
  private func unused(behind box: Box) throws(PhotoError) -> Range<Int> {
    let room = file.unused(behind: box)
    guard !room.isEmpty else { return room }
    for table in movie.offsetTables {
      if try MediaOffsets(table, source).contains(where: room.contains) { return room.lowerBound..<room.lowerBound }
    }
    return room
  }

  /// Whether nothing but unused space follows `moov`.
  private var isLast: Bool {
    !file.boxes.contains { $0.range.lowerBound > movie.moov.range.lowerBound && !$0.isUnused }
  }

  /// Whether the box's type lies in one sector, which a disk writes whole or not at all.
  private func commitsAtOnce(_ box: Box) -> Bool {
    isExtensible && file.boxes.last?.isOpen == false && box.range.count <= MovieRoom.longestCopy
      && box.typeRange.lowerBound / 512 == (box.typeRange.upperBound - 1) / 512
  }

  /// Whether boxes may be added at the end: nothing is looked for there.
  private var isExtensible: Bool {
    file.trailer.isEmpty && !["mfra", "sefd"].contains(file.boxes.last?.type ?? "mfra")
  }

  // MARK: Erasing

  /// No unused box longer than this is searched: it is no leftover of an edit.
  private static let searchedCount = 64 << 20
  /// An edit leaves one copy at most.
  private static let mostRemains = 1_024

  /// Zeros over what a box that was moved, by this edit or one before, still tells of an old position.
  private func erasures(of old: [[UInt8]], beside splices: [Splice]) throws(PhotoError) -> [Splice] {
    var dead = file.boxes.filter { $0.isUnused }.map(\.payload)
    if splices.contains(where: { $0.range == movie.moov.typeRange }) { dead.append(movie.moov.payload) }
    var erasures: [Splice] = []
    for range in dead where range.count <= MovieRoom.searchedCount && !old.isEmpty {
      var at = range.lowerBound
      while at < range.upperBound {
        let end = min(at + 1 << 20, range.upperBound)
        let space = try source.bytes(at..<end)
        for pattern in old {
          var from = 0
          while erasures.count < MovieRoom.mostRemains, let found = space.firstIndex(of: pattern, from: from) {
            let place = at + found..<at + found + pattern.count
            from = found + pattern.count
            let isTaken = (splices + erasures).contains { $0.range.overlaps(place) }
            if !isTaken { erasures.append(.erasing(place)) }
          }
        }
        // A position may lie across the border of two windows.
        at = end == range.upperBound ? end : end - (old.map(\.count).max() ?? 0)
      }
    }
    return erasures
  }
}

extension Box {
  /// The splice that writes the size of a box that reached to the end of the file, before something follows it.
  fileprivate func closed() throws(PhotoError) -> Splice? {
    guard let size = UInt32(exactly: range.count) else {
      throw PhotoError(
        .refused, "its \(type) box has no size and is too long for one to be written", at: range.lowerBound)
    }
    return Splice(range.lowerBound..<range.lowerBound + 4, size.bytes(.big))
  }
}
