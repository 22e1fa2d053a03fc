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

  /// Plans the erasing of the positions.
  /// - Throws: `.refused` when it isn't certain where the positions lie.
  init(in movie: MovieBox, of file: MovieFile, _ source: any ByteSource) throws(FileError) {
    var (tracks, others): ([MovieTrack], [MovieTrack]) = ([], [])
    for track in movie.tracks {
      if try MovieTelemetry.isGoPro(track, source) { tracks.append(track) } else { others.append(track) }
    }
    guard !tracks.isEmpty || !movie.gpsTables.isEmpty else { return }
    guard !movie.isFragmented else {
      throw FileError(
        .notErasable, "fragmented MP4: timed positions can't be erased", at: movie.moov.range.lowerBound)
    }
    let reader = MovieSamples(source)
    var length = 0
    for track in tracks {
      for chunk in try reader.exact(of: track) {
        length += chunk.count
        let isTooMuch = chunk.count > MoviePlaces.longestChunk || media.count > MoviePlaces.mostErasures
        guard length <= MoviePlaces.longestTelemetry, !isTooMuch else {
          throw FileError(.tooLarge, "has too much telemetry", at: chunk.lowerBound)
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
    FileError(.notErasable, "has an invalid GPS table", at: table.range.lowerBound)
  }
}

/// Positions in GoPro's telemetry, by GoPro's own description of the format (GPMF): items with a four-letter key, a
/// type, a size and a count, in nested lists. Each sensor has its own stream (`STRM`), so positions can be erased
/// without the camera's motion.
enum GPMFPlaces {
  private static let stream: FourCC = "STRM"
  /// The key that GoPro's own library uses for unused space.
  private static let space: FourCC = "FREE"
  /// Keys of positions other than those that begin with `GPS`: of Karma, and of its remote control.
  private static let others: Set<FourCC> = ["GPRI", "GLPI"]
  /// The limit of nested lists.
  private static let mostLevels: Int = 8

  /// Returns splices that turn every stream with positions in a chunk of samples into unused space of zeros, with the
  /// same length.
  /// - Throws: `.refused` when an item can't be read.
  static func erasures(in chunk: Range<Int>, of source: any ByteSource) throws(FileError) -> [Splice] {
    let bytes = try source.bytes(chunk)
    return try places(in: bytes, 0..<bytes.count, level: 0).map { item throws(FileError) in
      // The type becomes characters instead of a list; the size stays.
      let header =
        space.bytes + [UInt8(ascii: "c")] + (try bytes.bytes(item.lowerBound + 5..<item.lowerBound + 8).array)
      let range = chunk.lowerBound + item.lowerBound..<chunk.lowerBound + item.upperBound
      return Splice(range, header + [UInt8](repeating: 0, count: item.count - header.count))
    }
  }

  private static func places(
    in bytes: Bytes, _ range: Range<Int>, level: Int
  ) throws(FileError) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var at = range.lowerBound
    while at <= range.upperBound - 8 {
      let key = FourCC(rawValue: try bytes.u32(at, .big))
      // Padding up to the next sample.
      if key.rawValue == 0 {
        at += 4
        continue
      }
      let (type, size) = (try bytes.u8(at + 4), try bytes.u8(at + 5))
      let count = (Int(size) * Int(try bytes.u16(at + 6, .big)) + 3) / 4 * 4
      let item = at..<at + 8 + count
      guard item.upperBound <= range.upperBound, level < mostLevels else {
        throw FileError(.notErasable, "has GoPro telemetry (GPMF) that can't be read", at: bytes.base + at)
      }
      if key.bytes.starts(with: "GPS".utf8) || others.contains(key) {
        found.append(item)
      } else if type == 0 {
        let inside = try places(in: bytes, at + 8..<item.upperBound, level: level + 1)
        found += key == stream && !inside.isEmpty ? [item] : inside
      }
      at = item.upperBound
    }
    return found
  }
}

/// The removal of whole tracks that record places along the way, if the places can't be erased separately. Like
/// everything removed from a movie, they become free space full of zeros, so that nothing moves.
struct TimedPlaces {
  /// The splices in `moov`, as long as the bytes they replace.
  private(set) var inner: [Splice] = []
  /// The splices between pictures and sound.
  private(set) var media: [Splice] = []
  private let tracks: AdditionalTracks

  /// Plans the removal of the tracks that record places along the way.
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
