/// The movie in a motion photo: after a JPEG's image (Google, Samsung), or in HEIF's `mpvd` box. XMP and trailers
/// record its start, counted from the file's end, so its length and its place never change.
package enum EmbeddedMovie {
  /// The limit of an `ftyp` box at the beginning of a file.
  private static let longestHead = 256
  /// The limit of movies in a photo.
  private static let mostMovies = 16
  /// The limit of sibling boxes in a movie.
  private static let mostBoxes = 65_536
  /// The limit of places in one movie.
  private static let mostErasures = 64

  /// Returns splices that put zeros over every place in movies in `range`. Each is as long as the bytes it replaces.
  ///
  /// - Throws: `.refused` when a place can't be erased, or when a movie can't be read and may record one.
  package static func erasures(in range: Range<Int>, of source: any ByteSource) throws(FileError) -> [Splice] {
    var erasures: [Splice] = []
    for start in try starts(in: range, of: source) {
      let part = try SourcePart(source, start..<end(of: start..<range.upperBound, in: source))
      let movie: MovieBox
      do throws(FileError) {
        movie = try MovieBox(in: try MovieFile(of: part), of: part)
        if let damage = movie.damage { throw damage }
      } catch {
        throw refusal("can't be read and may contain a location: \(error.description)", start)
      }
      if let telemetry = movie.data.unerasable ?? movie.data.places { throw refusal("has \(telemetry)", start) }
      if let packet = movie.packet, XMPProperty.mayContainPlace(in: try part.bytes(packet)) {
        throw refusal("has XMP that contains a location", start)
      }
      for found in movie.found where found.item.holdsLocation {
        if let splice = try erasure(of: found, in: part) { erasures.append(splice.moved(by: start)) }
      }
      guard erasures.count <= mostErasures else { throw refusal("has too many location entries", start) }
    }
    return erasures
  }

  /// Requires that there is no movie in `range`.
  /// - Throws: `.refused` when there is a movie, because its headers record the capture time in binary numbers that a
  ///   search doesn't find.
  static func requireNoDates(in range: Range<Int>, of source: any ByteSource) throws(FileError) {
    guard let start = try starts(in: range, of: source).first else { return }
    throw refusal("contains dates, which can't be erased", start)
  }

  /// Finds the movies.
  package static func movies(in range: Range<Int>, of source: any ByteSource) throws(FileError) -> [Range<Int>] {
    try starts(in: range, of: source).map { $0..<end(of: $0..<range.upperBound, in: source) }
  }

  /// The top-level boxes of movies; anything else that follows is a phone's trailer.
  private static let outermost: Set<FourCC> = [
    "ftyp", "moov", "mdat", "free", "skip", "wide", "uuid", "udta", "meta", "moof", "mfra", "sidx", "styp",
  ]

  /// Returns the end of a movie's boxes. `MovieFile` reports a last box that is too long.
  private static func end(of range: Range<Int>, in source: any ByteSource) -> Int {
    var at = range.lowerBound
    for _ in 0..<mostBoxes {
      guard let head = try? source.bytes(at: at, count: 8), let type = try? head.u32(4, .big),
        outermost.contains(FourCC(rawValue: type)), at < range.upperBound
      else { return at }
      guard let box = try? source.box(at: at, before: range.upperBound) else { return range.upperBound }
      at = box.range.upperBound
    }
    return range.upperBound
  }

  /// Returns the erasure of a value. User data becomes unused space; the value of a key becomes zeros, because its
  /// number in the list must stay.
  private static func erasure(of found: MovieBox.Found, in movie: any ByteSource) throws(FileError) -> Splice? {
    let box = found.box
    if case .key = found.item.name {
      let zeros = [UInt8](repeating: 0, count: found.item.value.count)
      return try movie.bytes(found.item.value).array == zeros ? nil : Splice(found.item.value, zeros)
    }
    let zeros = [UInt8](repeating: 0, count: box.payload.count)
    return Splice(
      box.typeRange.lowerBound..<box.payload.upperBound,
      FourCC("free").bytes + [UInt8](repeating: 0, count: box.payload.lowerBound - box.typeRange.upperBound) + zeros)
  }

  private static func refusal(_ what: String, _ start: Int) -> FileError {
    FileError(.notErasable, "has an embedded movie, which \(what)", at: start, remedy: .takeOutMovie)
  }

  /// Finds the starts of movies. A file header in the middle of coded pictures is not a coincidence.
  private static func starts(in range: Range<Int>, of source: any ByteSource) throws(FileError) -> [Int] {
    var starts: [Int] = []
    try source.search(FourCC("ftyp").bytes, in: range) { found throws(FileError) in
      let start = found - 4
      guard start >= range.lowerBound else { return }
      let head = try source.prefix(at: start, count: min(longestHead, range.upperBound - start))
      guard let size = try? head.u32(0, .big), (16...UInt32(longestHead)).contains(size), size % 4 == 0,
        MovieContainer().type(of: head) != nil
      else { return }
      starts.append(start)
      guard starts.count <= mostMovies else { throw refusal("is one of too many", start) }
    }
    return starts
  }
}
