/// A search for dates as EXIF and XMP write them (`2024:05:23 18:38:41`, `2024-05-23T18:38:41+09:00`), by their form
/// alone.
enum DateText {
  /// `2024:05:23`.
  static let shortest = 10
  private static let longest = 32
  private static let windowCount = 1 << 20

  /// Returns the dates in `range`, each including the time and the zone that follow it.
  static func ranges(in range: Range<Int>, of source: any ByteSource) throws(FileError) -> [Range<Int>] {
    var found: [Range<Int>] = []
    for start in stride(from: range.lowerBound, to: range.upperBound, by: windowCount) {
      let window = try source.bytes(start..<min(start + windowCount + longest, range.upperBound))
      for local in window.withUnsafeBytes({ ranges(in: $0) }) where local.lowerBound < windowCount {
        let end = found.last?.upperBound ?? 0
        if start + local.lowerBound >= end { found.append(start + local.lowerBound..<start + local.upperBound) }
      }
    }
    return found
  }

  private static func ranges(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
    var found: [Range<Int>] = []
    // Test the separator after the year first: few bytes are one.
    var at = 4
    while at + 6 <= bytes.count {
      let separator = bytes[at]
      guard separator == UInt8(ascii: ":") || separator == UInt8(ascii: "-"), bytes[at + 3] == separator,
        [-4, -3, -2, -1, 1, 2, 4, 5].allSatisfy({ isDigit(bytes[at + $0]) }),
        [0x31, 0x32].contains(bytes[at - 4])
      else {
        at += 1
        continue
      }
      let start = at - 4
      var end = start + shortest
      while end < bytes.count, end - start < longest, isRest(bytes[end]) { end += 1 }
      found.append(start..<end)
      at = end + 4
    }
    return found
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Whether the byte may belong to a time and a zone.
  private static func isRest(_ byte: UInt8) -> Bool { isDigit(byte) || " T:.+-Z".utf8.contains(byte) }
}
