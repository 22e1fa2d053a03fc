/// The old dates as text, wherever they occur in a file: in maker notes, further images, trailers.
struct ExactDates {
  private let patterns: Set<[UInt8]>

  /// Collects the recorded dates, spelled as in EXIF and as in XMP.
  init(in metadata: Metadata) {
    let times = (metadata.captureTimes + metadata.digitizedTimes + metadata.additionalTimes).map(\.value.civil)
    let days = times + (metadata.modifyTime.map { [$0.civil] } ?? [])
    patterns = Set(
      days.flatMap { day in
        [":", "-"].map { Array("\(day.year.padded(4))\($0)\(day.month.padded(2))\($0)\(day.day.padded(2))".utf8) }
      })
  }

  /// Checks that no old date is left.
  /// - Throws: `.refused` when `source` still contains one.
  func requireNone(in source: any ByteSource, isRaw: Bool) throws(FileError) {
    for pattern in patterns.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      try source.search(pattern, in: 0..<source.count) { found throws(FileError) in
        let note = isRaw ? "; what its maker recorded there is unknown" : ""
        let text = try source.words(around: found..<found + pattern.count)
        throw FileError(
          .notErasable, "its date also occurs where it can't be erased (\"\(text)\")\(note)", at: found,
          remedy: isRaw ? nil : .clearAll)
      }
    }
  }
}

extension ByteSource {
  /// The short text around `range`: the printable characters on the same line.
  fileprivate func words(around range: Range<Int>) throws(FileError) -> String {
    let reach = 24
    let start = max(0, range.lowerBound - reach)
    let bytes = try bytes(start..<min(count, range.upperBound + reach)).array
    let isText = { (byte: UInt8) in byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") }
    var (first, last) = (range.lowerBound - start, range.upperBound - start)
    while first > 0, isText(bytes[first - 1]) { first -= 1 }
    while last < bytes.count, isText(bytes[last]) { last += 1 }
    return String(decoding: bytes[first..<last], as: UTF8.self)
  }
}

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
        let note = isRaw ? "; what its maker recorded there is unknown" : ""
        throw FileError(
          .notErasable, "an exact copy of its position can't be erased\(note)", at: found,
          remedy: isRaw ? nil : .clearAll)
      }
    }
  }
}
