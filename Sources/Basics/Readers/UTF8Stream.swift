/// A stream that converts UTF-16 to UTF-8. Unpaired surrogates become U+FFFD.
package struct UTF8Stream: ByteStream {
  private var text: any ByteStream
  private let isBig: Bool
  private var isAtStart = true
  /// The incomplete end of the last piece: half of a 16-bit unit or of a surrogate pair.
  private var kept: [UInt8] = []

  /// Returns nil unless `head`, the first bytes of `text`, is UTF-16: detected by a byte order mark, or by a first
  /// character in ASCII.
  package init?(_ text: any ByteStream, head: [UInt8]) {
    guard head.count >= 2 else { return nil }
    let ink: ClosedRange<UInt8> = 0x20...0x7B
    switch (head[0], head[1]) {
    case (0xFE, 0xFF), (0x00, ink): isBig = true
    case (0xFF, 0xFE), (ink, 0x00): isBig = false
    default: return nil
    }
    self.text = text
  }

  package mutating func next() throws(FileError) -> [UInt8]? {
    while let piece = try text.next() {
      kept += piece
      let text = takeText(isLast: false)
      if !text.isEmpty { return text }
    }
    let text = takeText(isLast: true)
    return text.isEmpty ? nil : text
  }

  private mutating func takeText(isLast: Bool) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(kept.count / 2)
    for index in stride(from: 0, to: kept.count - 1, by: 2) {
      let (first, second) = (UInt16(kept[index]), UInt16(kept[index + 1]))
      units.append(isBig ? first << 8 | second : second << 8 | first)
    }
    if !isLast, let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
    kept.removeFirst(isLast ? kept.count : units.count * 2)
    if isAtStart, units.first == 0xFEFF { units.removeFirst() }
    isAtStart = false
    var utf8: [UInt8] = []
    utf8.reserveCapacity(units.count)
    _ = transcode(
      units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: false, into: { utf8.append($0) })
    return utf8
  }
}
