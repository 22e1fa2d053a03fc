/// The old position as raw bytes, wherever it occurs in a file: in previews, further images, trailers.
struct ExactPlaces {
  private let patterns: [[UInt8]]

  /// Collects the positions in the EXIF blocks.
  init(in image: ImageSource) {
    var patterns: [[UInt8]] = []
    for range in image.layout.ranges(of: .exif) {
      guard let block = try? TIFFBlock(image.source, range) else { continue }
      for tag in [GPSTag.latitude, GPSTag.longitude] {
        guard let bytes = block.gps?[tag].flatMap({ block.raw($0)?.array }), bytes.count == 24 else { continue }
        // Zero numerators are no usable pattern: such bytes occur anywhere.
        let isZero = [0, 8, 16].allSatisfy { at in bytes[at..<at + 4].allSatisfy { $0 == 0 } }
        if !isZero { patterns.append(bytes) }
      }
    }
    self.patterns = patterns
  }

  /// Checks that no copy of an old position is left.
  /// - Throws: `.refused` when `new` contains a copy of one that isn't the new position.
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
