/// The tracks that neither show nor sound, but tell something along the way: when everything is erased, they go.
struct FurtherTracks {
  let staying: [MovieTrack]
  /// Where the samples of what goes lie, in order: in media data, and apart from all that stays.
  let samples: [Range<Int>]
  private let boxes: Set<Box>
  private let ranges: RangeIndex
  private let ids: Set<UInt32>
  private let kinds: [Box: FourCC]

  /// - Throws: `.refused` when what goes can't be told from what stays.
  init(of movie: MovieBox, in file: MovieFile, _ source: any ByteSource) throws(PhotoError) {
    var (going, staying): ([MovieTrack], [MovieTrack]) = ([], [])
    for track in movie.tracks {
      if try track.told(source) == nil { staying.append(track) } else { going.append(track) }
    }
    self.staying = staying
    boxes = Set(going.map(\.box))
    ranges = RangeIndex(going.map(\.box.range))
    kinds = Dictionary(staying.compactMap { track in track.kind.map { (track.box, $0) } }) { first, _ in first }
    ids = Set(going.compactMap(\.id)).subtracting(staying.compactMap(\.id))
    guard let first = going.first else {
      samples = []
      return
    }
    guard !staying.isEmpty else {
      throw PhotoError(.refused, "has neither pictures nor sound that would be left", at: first.box.range.lowerBound)
    }
    guard !movie.isFragmented else {
      throw PhotoError(
        .refused,
        "is a fragmented movie, in which tracks of metadata can't be erased; take them out first (ffmpeg -map 0:v "
          + "-map 0:a -c copy)", at: first.box.range.lowerBound)
    }
    samples = try FurtherTracks.samples(of: going, apartFrom: staying, in: file, source)
  }

  private static func samples(
    of going: [MovieTrack], apartFrom staying: [MovieTrack], in file: MovieFile, _ source: any ByteSource
  ) throws(PhotoError) -> [Range<Int>] {
    let reader = MovieSamples(source)
    var (samples, kept): ([Range<Int>], [Range<Int>]) = ([], [])
    for track in going { samples += try reader.exact(of: track) }
    samples = samples.merged()
    guard !samples.isEmpty else { return [] }
    for track in staying { kept += try reader.widest(of: track) }
    let others = RangeIndex(kept)
    let media = file.boxes
      .filter { $0.type == "mdat" || $0.isUnused || !MovieStructure.top.contains($0.type) }.map(\.payload)
    for range in samples {
      guard others.count(cutBy: range) == 0 else {
        throw PhotoError(.refused, "has metadata in the same bytes as pictures or sound", at: range.lowerBound)
      }
      let box = media.partitionPoint { $0.upperBound < range.upperBound }
      guard media.indices.contains(box), media[box].lowerBound <= range.lowerBound else {
        throw PhotoError(.refused, "has metadata where no box for them is", at: range.lowerBound)
      }
    }
    return samples
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
