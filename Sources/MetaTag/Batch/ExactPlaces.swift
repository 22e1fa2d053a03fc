/// The old position, byte by byte, wherever in a file it may stand: in previews, further images, trailers.
struct ExactPlaces {
  private let patterns: [[UInt8]]

  /// What EXIF has of it.
  init(in image: ImageSource) {
    var patterns: [[UInt8]] = []
    for range in (image.layout.exif.map { [$0] } ?? []) + image.layout.additionalEXIF {
      guard let block = try? TIFFBlock(image.source, range) else { continue }
      for tag in [EXIF.GPS.latitude, EXIF.GPS.longitude] {
        guard let bytes = block.gps?[tag].flatMap({ block.raw($0)?.array }), bytes.count == 24 else { continue }
        // Nothing but zeros over something tells no place, and stands anywhere.
        let isZero = [0, 8, 16].allSatisfy { at in bytes[at..<at + 4].allSatisfy { $0 == 0 } }
        if !isZero { patterns.append(bytes) }
      }
    }
    self.patterns = patterns
  }

  /// - Throws: `.refused` when a copy is left in `new` that isn't the position that it has now.
  func requireNone(in new: ImageSource, isRaw: Bool) throws(FileError) {
    let wanted = ExactPlaces(in: new).patterns
    for pattern in patterns where !wanted.contains(pattern) {
      try new.source.search(pattern, in: 0..<new.source.count) { found throws(FileError) in
        let remedy = isRaw ? "; what its maker wrote there can't be told" : "; 'metatag clear --all' may"
        throw FileError(.refused, "an exact copy of its position can't be erased\(remedy)", at: found)
      }
    }
  }
}
