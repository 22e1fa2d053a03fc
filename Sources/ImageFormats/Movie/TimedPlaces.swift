/// The removal of whole tracks that record places along the way, if the places can't be erased separately. Like
/// everything removed from a movie, they become free space full of zeros, so that nothing moves.
struct TimedPlaces {
  /// The splices in `moov`, as long as the bytes they replace.
  private(set) var inner: [Splice] = []
  /// The splices between pictures and sound.
  private(set) var media: [Splice] = []
  private let tracks: AdditionalTracks

  /// - Throws: `.refused` when it isn't certain which bytes belong to the tracks.
  init(in movie: MovieBox, of file: MovieFile, _ source: any ByteSource) throws(FileError) {
    tracks = try AdditionalTracks(of: movie, in: file, source) { track throws(FileError) in
      try MovieTelemetry.name(of: track, isFragmented: movie.isFragmented, source) != nil
    }
    guard !tracks.isEmpty else { return }
    var boxes = tracks.going.map(\.box)
    // Boxes that may name the tracks.
    boxes += try source.closedBoxes(in: movie.moov.payload).filter { $0.type == "iods" }
    for track in tracks.staying {
      for box in try source.closedBoxes(in: track.box.payload) where box.type == "tref" {
        let mentions = try tracks.mentions(in: box, source)
        boxes += mentions.boxes
        inner += mentions.numbers.map { .erasing($0) }
      }
    }
    inner += boxes.flatMap { [Splice($0.typeRange, FourCC("free").bytes), .erasing($0.payload)] }
    media = try source.zeroing(tracks.samples)
  }

  /// Returns the changes without those in removed data.
  func leaving(_ changes: QuickTimeChanges) -> QuickTimeChanges {
    var changes = changes
    changes.items = changes.items.filter { !tracks.holds($0.key.value) }
    changes.times.removeAll { tracks.holds($0.range) }
    return changes
  }
}
