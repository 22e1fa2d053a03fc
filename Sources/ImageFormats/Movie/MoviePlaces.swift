/// Positions along the way that can be erased separately: GoPro's streams of positions, and the blocks that a dashboard
/// camera's GPS table lists.
struct MoviePlaces {
  /// The splices in `moov`, as long as the bytes they replace.
  private(set) var inner: [Splice] = []
  /// The splices between pictures and sound.
  private(set) var media: [Splice] = []

  /// The beginning of each block, after its size.
  private static let blockHead = Array("freeGPS ".utf8)
  /// The limit of blocks, one per second. No card holds more.
  private static let mostBlocks = 1 << 20
  /// The limit of telemetry. Cameras begin a new file before that.
  private static let longestTelemetry = 256 << 20
  /// The limit of a chunk, which is one second's data.
  private static let longestChunk = 1 << 20
  private static let mostErasures = 1 << 18

  init() {}

  /// - Throws: `.refused` when it isn't certain where the positions lie.
  init(in movie: MovieBox, of file: MovieFile, _ source: any ByteSource) throws(FileError) {
    var (tracks, others): ([MovieTrack], [MovieTrack]) = ([], [])
    for track in movie.tracks {
      if try MovieTelemetry.isGoPro(track, source) { tracks.append(track) } else { others.append(track) }
    }
    guard !tracks.isEmpty || !movie.gpsTables.isEmpty else { return }
    guard !movie.isFragmented else {
      throw FileError(
        .notErasable, "fragmented MP4: positions along the way can't be erased", at: movie.moov.range.lowerBound)
    }
    let reader = MovieSamples(source)
    var length = 0
    for track in tracks {
      for chunk in try reader.exact(of: track) {
        length += chunk.count
        let isTooMuch = chunk.count > MoviePlaces.longestChunk || media.count > MoviePlaces.mostErasures
        guard length <= MoviePlaces.longestTelemetry, !isTooMuch else {
          throw FileError(.tooLarge, "has more telemetry than any camera writes", at: chunk.lowerBound)
        }
        media += try GPMFPlaces.erasures(in: chunk, of: source)
      }
    }
    try reader.require(media.map(\.range), apartFrom: others, in: file)
    guard let table = movie.gpsTables.first else { return }
    inner = [Splice(table.typeRange, FourCC("free").bytes), .erasing(table.payload)]
    let blocks = try MoviePlaces.blocks(of: table, source)
    try reader.require(blocks, apartFrom: movie.tracks, in: file)
    media += try source.zeroing(blocks)
  }

  /// Returns the blocks of a GPS table, a position and a length for each (ExifTool's description of Novatek's box).
  static func blocks(of table: Box, _ source: any ByteSource) throws(FileError) -> [Range<Int>] {
    guard table.payload.count >= 8, table.payload.count <= mostBlocks * 8 else { throw unreadable(table) }
    let list = try source.bytes(table.payload)
    let count = Int(try list.u32(4, .big))
    guard count <= (list.count - 8) / 8 else { throw unreadable(table) }
    var blocks: [Range<Int>] = []
    for index in 0..<count {
      let (start, length) = (Int(try list.u32(8 + index * 8, .big)), Int(try list.u32(12 + index * 8, .big)))
      if length == 0 { continue }
      guard length >= 12, start <= source.count - length else { throw unreadable(table) }
      let head = try source.bytes(at: start, count: 12)
      // Zeros were erased before.
      guard head.has(blockHead, at: 4) || head.array.allSatisfy({ $0 == 0 }) else { throw unreadable(table) }
      blocks.append(start..<start + length)
    }
    return blocks.merged()
  }

  private static func unreadable(_ table: Box) -> FileError {
    FileError(.notErasable, "has a GPS table that doesn't say where its positions are", at: table.range.lowerBound)
  }
}
