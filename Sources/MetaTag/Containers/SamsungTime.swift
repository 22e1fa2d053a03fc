/// When a picture was taken, in the blocks that Samsung's phones append to JPEG and HEIC: milliseconds since 1970, in thirteen digits.
enum SamsungTime {
  private static let windowCount = 1 << 20
  private static let name = Array("Image_UTC_Data".utf8)
  private static let digitCount = 13

  /// Zeros over every such number in `range`.
  static func erasures(in range: Range<Int>, of source: any ByteSource) throws(PhotoError) -> [Splice] {
    var erasures: [Splice] = []
    var at = range.lowerBound
    while at < range.upperBound {
      let end = min(at + windowCount, range.upperBound)
      let window = try source.bytes(at..<end)
      var from = 0
      while let found = window.firstIndex(of: name, from: from) {
        from = found + name.count
        let digits = at + from..<at + from + digitCount
        guard digits.upperBound <= range.upperBound,
          try source.bytes(digits).array.allSatisfy({ (0x30...0x39).contains($0) })
        else { continue }
        erasures.append(.erasing(digits))
      }
      // A name may lie across the border of two windows.
      at = end == range.upperBound ? end : end - name.count + 1
    }
    return erasures
  }
}
