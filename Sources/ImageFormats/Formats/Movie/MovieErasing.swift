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

  /// Prepares the erasing of all metadata of a movie.
  /// - Throws: `.refused` when tracks to remove can't be distinguished from those that stay.
  init(_ file: MovieFile, _ movie: MovieBox, _ source: any ByteSource) throws(FileError) {
    (self.file, self.movie, self.source) = (file, movie, source)
    additional = try AdditionalTracks(of: movie, in: file, source)
  }

  /// Returns the patch that erases all metadata.
  /// - Parameter wanted: The date that stays.
  mutating func patch(setting wanted: QuickTimeChanges) throws(FileError) -> Patch {
    guard !movie.isPointedInto else {
      throw FileError(
        .notErasable, "has sample tables that point into its moov box, so its metadata can't be erased",
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
        throw FileError(.notErasable, "has video or audio data outside its mdat boxes", at: offset)
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
          .notErasable, "has several moov boxes", at: box.range.lowerBound)
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
          .notErasable, "has a '\(box.type)' box of unknown content, which can't be erased",
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
        throw FileError(.notErasable, "refers to media data in another file", at: reference.range.lowerBound)
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
    if let space = rooms.merged().first(where: { $0.count == list.count || $0.count >= list.count + 8 }) {
      let rest = space.count - list.count
      let free = rest == 0 ? [] : UInt32(clamping: rest).bytes(.big) + FourCC("free").bytes
      let new = list + free + [UInt8](repeating: 0, count: max(0, rest - 8))
      return splices.filter { !$0.range.overlaps(space) } + [Splice(space, new)]
    }
    let moov = movie.moov
    var inner = splices.filter { moov.range.contains($0.range.lowerBound) }
    let outer = splices.filter { !moov.range.contains($0.range.lowerBound) }
    inner.append(Splice(movie.end..<movie.end, list))
    if let size = try moov.resized(by: list.count) { inner.append(size) }
    return outer + (try MovieSpace(file, source, movie, erases: true).fit(moov, inner))
  }
}

/// Tracks without picture or sound that are removed: all of them when everything is erased, otherwise those that record
/// places.
struct AdditionalTracks {
  let staying: [MovieTrack]
  let going: [MovieTrack]
  /// The ranges of the removed tracks' samples and of the blocks in GPS tables, in order and separate from all that
  /// stays.
  let samples: [Range<Int>]
  private let boxes: Set<Box>
  private let ranges: RangeIndex
  private let ids: Set<UInt32>
  private let kinds: [Box: FourCC]

  /// Finds all such tracks and the blocks in GPS tables.
  init(of movie: MovieBox, in file: MovieFile, _ source: any ByteSource) throws(FileError) {
    try self.init(of: movie, in: file, source, tables: movie.gpsTables) { track throws(FileError) in
      try track.recorded(source) != nil
    }
  }

  /// Divides the tracks into those that go and those that stay.
  /// - Throws: `.refused` when data to remove can't be distinguished from data that stays.
  init(
    of movie: MovieBox, in file: MovieFile, _ source: any ByteSource, tables: [Box] = [],
    where goes: (MovieTrack) throws(FileError) -> Bool
  ) throws(FileError) {
    if let track = movie.tracks.first(where: \.isAmbiguous) {
      throw FileError(
        .notErasable, "has an ambiguous track: some of its boxes occur twice", at: track.box.range.lowerBound)
    }
    var (going, staying): ([MovieTrack], [MovieTrack]) = ([], [])
    for track in movie.tracks {
      if try goes(track) { going.append(track) } else { staying.append(track) }
    }
    (self.staying, self.going) = (staying, going)
    boxes = Set(going.map(\.box))
    ranges = RangeIndex(going.map(\.box.range))
    kinds = Dictionary(staying.compactMap { track in track.kind.map { (track.box, $0) } }) { first, _ in first }
    ids = Set(going.compactMap(\.id)).subtracting(staying.compactMap(\.id))
    guard !going.isEmpty || !tables.isEmpty else {
      samples = []
      return
    }
    let place = (going.first?.box ?? movie.moov).range.lowerBound
    guard !staying.isEmpty else {
      throw FileError(.notErasable, "has no video or audio track that could be kept", at: place)
    }
    guard !movie.isFragmented else {
      throw FileError(
        .notErasable, "fragmented MP4: metadata tracks can't be erased", at: place, remedy: .takeOutTracks)
    }
    let reader = MovieSamples(source)
    var samples: [Range<Int>] = []
    for table in tables { samples += try MoviePlaces.blocks(of: table, source) }
    for track in going { samples += try reader.exact(of: track) }
    self.samples = samples.merged()
    try reader.require(self.samples, apartFrom: staying, in: file)
  }

  var isEmpty: Bool { boxes.isEmpty }

  func goes(_ track: Box) -> Bool { boxes.contains(track) }

  /// Whether a removed track has this number.
  func isGone(_ id: UInt32) -> Bool { ids.contains(id) }

  /// Whether a range lies in a removed track.
  func holds(_ range: Range<Int>) -> Bool { ranges.count(cutBy: range) > 0 }

  /// Finds references to removed tracks in a track's list of references. A box that refers to no remaining track is
  /// removed (ISO/IEC 14496-12, 8.3.3); in a longer list, 0 marks an unused entry (QTFF "Track Reference Atoms").
  /// - Returns: The boxes that become free space, and the numbers that become 0.
  func mentions(in box: Box, _ source: any ByteSource) throws(FileError) -> (boxes: [Box], numbers: [Range<Int>]) {
    var lists: [(box: Box, ids: [UInt32])] = []
    for list in try source.closedBoxes(in: box.payload) {
      guard list.payload.count <= 1 << 16 else {
        throw FileError(.malformed, "a track has too many track references", at: list.range.lowerBound)
      }
      let bytes = try source.bytes(list.payload)
      var ids: [UInt32] = []
      for at in stride(from: 0, to: bytes.count / 4 * 4, by: 4) { ids.append(try bytes.u32(at, .big)) }
      lists.append((list, ids))
    }
    if lists.isEmpty { return ([], []) }
    let left = lists.filter { !$0.ids.allSatisfy(isGone) }
    guard !left.isEmpty else { return ([box], []) }
    let numbers = left.flatMap { list, ids in
      ids.indices.filter { isGone(ids[$0]) }.map { index in
        let start = list.payload.lowerBound + index * 4
        return start..<start + 4
      }
    }
    return (lists.filter { $0.ids.allSatisfy(isGone) }.map(\.box), numbers)
  }

  /// Returns the kind of a remaining track.
  func kind(of track: Box) -> FourCC { kinds[track] ?? "vide" }
}

/// Unused space in a movie file that still holds data left by a program, including metatag: an old `moov` box, old user
/// data, an old packet. Readers ignore it, but a search of the bytes finds it.
struct MovieUnusedSpace {
  /// The splices at the top level of the file.
  private(set) var outer: [Splice] = []
  /// The splices in `moov`.
  private(set) var inner: [Splice] = []

  /// The limit of nested boxes.
  private static let mostLevels = 8
  /// The marks of metadata: boxes with times, boxes and keys of positions and dates, XMP and EXIF.
  private static let marks =
    [
      "mvhd", "tkhd", "mdhd", "loci", "ISO6709", "creationdate", "creation_time", "xmpmeta", "xpacket", "Exif\0\0",
    ].map { Array($0.utf8) } + [FourCC("©xyz").bytes, FourCC("©day").bytes]
  private static let parents: Set<FourCC> = ["moov", "trak", "mdia", "minf", "stbl", "udta", "meta", "ilst"]

  /// Finds unused boxes that hold metadata or one of the values `old`, and puts zeros over each.
  ///
  /// - Throws: `.refused` when there is more than can be searched or erased.
  init(of old: [[UInt8]], in movie: MovieBox, of file: MovieFile, _ source: any ByteSource) throws(FileError) {
    let patterns = MovieUnusedSpace.marks + old
    let top = file.boxes.filter(\.isUnused).map(\.payload)
    let nested = try MovieUnusedSpace.unused(in: movie.moov, source, levels: MovieUnusedSpace.mostLevels).map(\.payload)
    try DeadMetadata.requireSearchable(top + nested)
    func erasures(in spaces: [Range<Int>]) throws(FileError) -> [Splice] {
      var recorded: [Range<Int>] = []
      for space in spaces where try source.contains(anyOf: patterns, in: space) { recorded.append(space) }
      return try source.zeroing(recorded)
    }
    outer = try erasures(in: top)
    inner = try erasures(in: nested)
  }

  private static func unused(in box: Box, _ source: any ByteSource, levels: Int) throws(FileError) -> [Box] {
    guard levels > 0 else { return [] }
    var content = box.payload
    // In ISO/IEC 14496-12 the box begins with version and flags; QuickTime's doesn't.
    if box.type == "meta", content.count >= 8,
      try !source.bytes(at: content.lowerBound + 4, count: 4).has(FourCC("hdlr").bytes)
    {
      content = content.lowerBound + 4..<content.upperBound
    }
    var found: [Box] = []
    for child in (try? source.closedBoxes(in: content)) ?? [] {
      if child.isUnused {
        found.append(child)
      } else if parents.contains(child.type) {
        found += try unused(in: child, source, levels: levels - 1)
      }
    }
    return found
  }
}
