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
