/// Unused space in a movie file that still holds data left by a program, including metatag: an old `moov` box, old user
/// data, an old packet. Readers ignore it, but a search of the bytes finds it.
struct MovieRemains {
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
    let patterns = MovieRemains.marks + old
    let top = file.boxes.filter(\.isUnused).map(\.payload)
    let nested = try MovieRemains.unused(in: movie.moov, source, levels: MovieRemains.mostLevels).map(\.payload)
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
