/// Erasing of everything that describes a movie. The boxes of `MovieStructure` stay; every other becomes free space in
/// place, full of zeros, so that nothing moves.
struct MovieErasing {
  private let file: MovieFile
  private let movie: MovieBox
  private let source: any ByteSource
  /// The ranges to fill with zeros, unless they are zeros already.
  private var erased: [Range<Int>] = []
  private var types: [Splice] = []
  /// Direct children of `moov` that became free.
  private var rooms: [Range<Int>] = []
  private var handler: FourCC = "vide"
  /// The tracks to remove.
  private let additional: AdditionalTracks

  /// - Throws: `.refused` when tracks to remove can't be distinguished from those that stay.
  init(_ file: MovieFile, _ movie: MovieBox, _ source: any ByteSource) throws(FileError) {
    (self.file, self.movie, self.source) = (file, movie, source)
    additional = try AdditionalTracks(of: movie, in: file, source)
  }

  /// - Parameter wanted: The date that stays.
  mutating func patch(setting wanted: QuickTimeChanges) throws(FileError) -> Patch {
    guard !movie.isPointedInto else {
      throw FileError(
        .notErasable, "has tables that point into its moov box, so that not everything in it can be erased",
        at: movie.moov.range.lowerBound)
    }
    let items = wanted.added.compactMap { item -> (String, [UInt8])? in
      if case .key(let key) = item.name { (key, item.text) } else { nil }
    }
    let list = items.isEmpty ? [] : MovieEdit.list(holding: items)
    let isThere = try clean(list)
    for header in movie.data.headers where !additional.holds(header.creation) {
      let creation = header.creation
      erased.append(creation.upperBound..<creation.upperBound + creation.count)
      if !wanted.keepsTimes { erased.append(creation) }
    }
    try requireNoMedia()
    let samples = additional.samples.excluding(erased)
    let times = wanted.times.filter { !additional.holds($0.range) }
    var splices = try types + times + source.zeroing(erased + samples)
    if !list.isEmpty, !isThere { splices = try adding(list, to: splices) }
    if !file.trailer.isEmpty { splices.append(Splice(file.trailer, [])) }
    let media = file.boxes.filter { $0.type == "mdat" }.map(\.payload).filter { !$0.isEmpty }
    return try Patch(splices, to: source.count, imageData: media.excluding(samples))
  }

  /// Checks that no media data is erased. It may be in any box, not only in `mdat`.
  private func requireNoMedia() throws(FileError) {
    let index = RangeIndex(erased + [file.trailer])
    for table in additional.staying.flatMap(\.offsetTables) {
      for offset in try MediaOffsets(table, source)
      where offset < source.count && index.count(cutBy: offset..<offset + 1) > 0 {
        throw FileError(.notErasable, "has pictures or sound where no box for them is", at: offset)
      }
    }
  }

  // MARK: Boxes

  /// Erases the movie's boxes. Returns whether `list` is there already; it stays then.
  private mutating func clean(_ list: [UInt8]) throws(FileError) -> Bool {
    var isThere = false
    for box in file.boxes where box.range != movie.moov.range {
      guard box.type != "moov" else {
        throw FileError(
          .notErasable, "has several moov boxes, any of which may contain metadata", at: box.range.lowerBound)
      }
      try clean(box, in: nil)
    }
    for box in try source.closedBoxes(in: movie.moov.payload) {
      if !isThere, !list.isEmpty, box.type == "meta", try source.holds(list, in: box.range) {
        isThere = true
      } else {
        if !isKnown(box, in: "moov") { rooms.append(box.range) }
        try clean(box, in: "moov")
      }
    }
    try cleanEnd(of: movie.moov)
    return isThere
  }

  private mutating func clean(_ box: Box, in parent: FourCC?) throws(FileError) {
    guard isKnown(box, in: parent), !box.isUnused else {
      if let parent, MovieStructure.strict.contains(parent), !box.isUnused {
        throw FileError(
          .notErasable, "has a box '\(box.type)' that may contain anything and can't be erased",
          at: box.range.lowerBound)
      }
      free(box)
      return
    }
    switch box.type {
    // The maker of the handler, and its name.
    case "hdlr": erased.append(min(box.payload.lowerBound + 12, box.payload.upperBound)..<box.payload.upperBound)
    // Space for a longer size, and nothing else.
    case "wide": erased.append(box.payload)
    case "dref": try cleanReferences(box)
    case "stsd": try cleanDescriptions(box)
    case "tref" where !additional.isEmpty:
      let mentions = try additional.mentions(in: box, source)
      for box in mentions.boxes { free(box) }
      erased += mentions.numbers
    case "trak":
      handler = additional.kind(of: box)
      fallthrough
    default:
      guard MovieStructure.inside[box.type] != nil else { return }
      for child in try source.closedBoxes(in: box.payload) { try clean(child, in: box.type) }
      try cleanEnd(of: box)
    }
  }

  /// Whether a box stays. Removed tracks become free space, like all unknown boxes; so does `iods`, which may name
  /// them.
  private func isKnown(_ box: Box, in parent: FourCC?) -> Bool {
    guard let parent else { return MovieStructure.top.contains(box.type) }
    if parent == "moov", additional.goes(box) || box.type == "iods" && !additional.isEmpty { return false }
    return MovieStructure.inside[parent]?.contains(box.type) == true
  }

  private mutating func free(_ box: Box) {
    if !box.isUnused { types.append(Splice(box.typeRange, FourCC("free").bytes)) }
    erased.append(box.payload)
  }

  /// Erases the end of a box. Four zeros may close it; no reader sees the bytes after them.
  private mutating func cleanEnd(of box: Box) throws(FileError) {
    let end = try source.closedBoxes(in: box.payload).last?.range.upperBound ?? box.payload.lowerBound
    erased.append(end..<box.payload.upperBound)
  }

  /// Erases names from data references. The movie's own file needs no name (QTFF "Data Reference Atoms").
  private mutating func cleanReferences(_ box: Box) throws(FileError) {
    guard box.payload.count >= 8 else { return }
    for reference in try source.closedBoxes(in: box.payload.lowerBound + 8..<box.payload.upperBound) {
      guard reference.payload.count >= 4,
        try source.bytes(at: reference.payload.lowerBound, count: 4).u32(0, .big) & 1 == 1
      else {
        throw FileError(.notErasable, "plays data of another file, which it names", at: reference.range.lowerBound)
      }
      erased.append(reference.payload.lowerBound + 4..<reference.payload.upperBound)
    }
  }

  /// Erases the maker and the name of the coder (QTFF "Video Sample Description", "Sound Sample Description").
  private mutating func cleanDescriptions(_ box: Box) throws(FileError) {
    guard box.payload.count >= 8, MovieStructure.handlers.contains(handler) else { return }
    let fields = handler == "soun" ? MovieStructure.soundFields : MovieStructure.pictureFields
    for entry in try source.closedBoxes(in: box.payload.lowerBound + 8..<box.payload.upperBound) {
      let start = entry.payload.lowerBound
      guard entry.payload.count >= fields.count else { continue }
      erased += fields.makers.map { start + $0.lowerBound..<start + $0.upperBound }
      // Bytes that follow in old QuickTime sound may be no boxes.
      for box in (try? source.closedBoxes(in: start + fields.count..<entry.payload.upperBound)) ?? []
      where MovieStructure.madeBy.contains(box.type) && box.payload.count >= 4 {
        erased.append(box.payload.lowerBound..<box.payload.lowerBound + 4)
      }
    }
  }

  // MARK: The date

  /// Puts `list` into `moov`: into freed space if it fits, otherwise at the end.
  private func adding(_ list: [UInt8], to splices: [Splice]) throws(FileError) -> [Splice] {
    if let room = rooms.merged().first(where: { $0.count == list.count || $0.count >= list.count + 8 }) {
      let rest = room.count - list.count
      let free = rest == 0 ? [] : UInt32(clamping: rest).bytes(.big) + FourCC("free").bytes
      let new = list + free + [UInt8](repeating: 0, count: max(0, rest - 8))
      return splices.filter { !$0.range.overlaps(room) } + [Splice(room, new)]
    }
    let moov = movie.moov
    var inner = splices.filter { moov.range.contains($0.range.lowerBound) }
    let outer = splices.filter { !moov.range.contains($0.range.lowerBound) }
    inner.append(Splice(movie.end..<movie.end, list))
    if let size = try moov.resized(by: list.count) { inner.append(size) }
    return outer + (try MovieRoom(file, source, movie, erases: true).fit(moov, inner))
  }
}
