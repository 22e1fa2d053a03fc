/// Positions along the way that can be erased apart from all else: GoPro's streams of them, and the blocks that a GPS
/// table of a dashboard camera lists.
struct MoviePlaces {
  /// In `moov`; as long as what they replace.
  private(set) var inner: [Splice] = []
  /// Among pictures and sound.
  private(set) var media: [Splice] = []

  /// How each block begins, behind its size.
  private static let blockHead = Array("freeGPS ".utf8)
  /// A block for each second; no card holds more of them.
  private static let mostBlocks = 1 << 20
  /// No camera writes more telemetry before it begins a new file.
  private static let longestTelemetry = 256 << 20
  /// One piece of it is a second's.
  private static let longestChunk = 1 << 20
  private static let mostErasures = 1 << 18

  init() {}

  /// - Throws: `.refused` when it isn't certain where they lie.
  init(in movie: MovieBox, of file: MovieFile, _ source: any ByteSource) throws(FileError) {
    var (tracks, others): ([MovieTrack], [MovieTrack]) = ([], [])
    for track in movie.tracks {
      if try MovieTelemetry.isGoPro(track, source) { tracks.append(track) } else { others.append(track) }
    }
    guard !tracks.isEmpty || !movie.gpsTables.isEmpty else { return }
    guard !movie.isFragmented else {
      throw FileError(
        .refused, "is a fragmented movie, in which positions along the way can't be erased",
        at: movie.moov.range.lowerBound)
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

  /// What a GPS table lists: a place and a length for each block (ExifTool's description of Novatek's box).
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
      // Zeros: erased before.
      guard head.has(blockHead, at: 4) || head.array.allSatisfy({ $0 == 0 }) else { throw unreadable(table) }
      blocks.append(start..<start + length)
    }
    return blocks.merged()
  }

  private static func unreadable(_ table: Box) -> FileError {
    FileError(.refused, "has a GPS table that doesn't tell where its places are", at: table.range.lowerBound)
  }
}
