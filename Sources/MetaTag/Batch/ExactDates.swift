/// The old dates in text, wherever in a file they may stand: in maker notes, further images, trailers.
struct ExactDates {
  private let patterns: Set<[UInt8]>

  /// Those that are recorded, as EXIF and as XMP write days.
  init(in metadata: Metadata) {
    let times = (metadata.captureTimes + metadata.digitizedTimes + metadata.furtherTimes).map(\.value.civil)
    let days = times + (metadata.modifyTime.map { [$0.civil] } ?? [])
    patterns = Set(
      days.flatMap { day in
        [":", "-"].map { Array("\(day.year.padded(4))\($0)\(day.month.padded(2))\($0)\(day.day.padded(2))".utf8) }
      })
  }

  /// - Throws: `.refused` when one is left in `source`.
  func demandNone(in source: any ByteSource, isRaw: Bool) throws(PhotoError) {
    for pattern in patterns.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      try source.search(pattern, in: 0..<source.count) { found throws(PhotoError) in
        let remedy = isRaw ? "; what its maker wrote there can't be told" : "; 'metatag clear --all' may"
        throw PhotoError(.refused, "its date also stands where it can't be erased\(remedy)", at: found)
      }
    }
  }
}
