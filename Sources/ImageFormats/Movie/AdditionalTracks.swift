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

  /// - Throws: `.refused` when data to remove can't be distinguished from data that stays.
  init(
    of movie: MovieBox, in file: MovieFile, _ source: any ByteSource, tables: [Box] = [],
    where goes: (MovieTrack) throws(FileError) -> Bool
  ) throws(FileError) {
    if let track = movie.tracks.first(where: \.isAmbiguous) {
      throw FileError(
        .notErasable, "has a track with parts twice, of which readers may take either", at: track.box.range.lowerBound)
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
      throw FileError(.notErasable, "has neither pictures nor sound that would be left", at: place)
    }
    guard !movie.isFragmented else {
      throw FileError(
        .notErasable, "fragmented MP4: tracks of metadata can't be erased", at: place, remedy: .takeOutTracks)
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
        throw FileError(.malformed, "a track refers to more tracks than any movie has", at: list.range.lowerBound)
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
