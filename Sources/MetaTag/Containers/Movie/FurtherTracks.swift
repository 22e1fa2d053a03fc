/// The tracks that neither show nor sound, but tell something along the way: when everything is erased, they go.
struct FurtherTracks {
  let staying: [MovieTrack]
  /// Where the samples of what goes lie, in order, and what a GPS table lists: apart from all that stays.
  let samples: [Range<Int>]
  private let boxes: Set<Box>
  private let ranges: RangeIndex
  private let ids: Set<UInt32>
  private let kinds: [Box: FourCC]

  /// - Throws: `.refused` when what goes can't be told from what stays.
  init(of movie: MovieBox, in file: MovieFile, _ source: any ByteSource) throws(PhotoError) {
    if let track = movie.tracks.first(where: \.isAmbiguous) {
      throw PhotoError(
        .refused, "has a track with parts twice, of which readers may take either", at: track.box.range.lowerBound)
    }
    var (going, staying): ([MovieTrack], [MovieTrack]) = ([], [])
    for track in movie.tracks {
      if try track.told(source) == nil { staying.append(track) } else { going.append(track) }
    }
    self.staying = staying
    boxes = Set(going.map(\.box))
    ranges = RangeIndex(going.map(\.box.range))
    kinds = Dictionary(staying.compactMap { track in track.kind.map { (track.box, $0) } }) { first, _ in first }
    ids = Set(going.compactMap(\.id)).subtracting(staying.compactMap(\.id))
    guard !going.isEmpty || !movie.gpsTables.isEmpty else {
      samples = []
      return
    }
    let place = (going.first?.box ?? movie.moov).range.lowerBound
    guard !staying.isEmpty else {
      throw PhotoError(.refused, "has neither pictures nor sound that would be left", at: place)
    }
    guard !movie.isFragmented else {
      throw PhotoError(
        .refused,
        "is a fragmented movie, in which tracks of metadata can't be erased; take them out first (ffmpeg -map 0:v "
          + "-map 0:a -c copy)", at: place)
    }
    let reader = MovieSamples(source)
    var samples: [Range<Int>] = []
    for table in movie.gpsTables { samples += try MoviePlaces.blocks(of: table, source) }
    for track in going { samples += try reader.exact(of: track) }
    self.samples = samples.merged()
    try reader.demand(self.samples, apartFrom: staying, in: file)
  }

  var isEmpty: Bool { boxes.isEmpty }

  func goes(_ track: Box) -> Bool { boxes.contains(track) }

  /// Whether a track that goes has this number.
  func isGone(_ id: UInt32) -> Bool { ids.contains(id) }

  /// Whether something stands in a track that goes.
  func holds(_ range: Range<Int>) -> Bool { ranges.count(cutBy: range) > 0 }

  /// The kind of a track that stays.
  func kind(of track: Box) -> FourCC { kinds[track] ?? "vide" }
}
