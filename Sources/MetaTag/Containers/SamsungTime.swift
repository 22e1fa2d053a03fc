/// When a picture was taken, in the blocks that Samsung's phones append to JPEG and HEIC: milliseconds since 1970, in thirteen digits.
enum SamsungTime {
  private static let name = Array("Image_UTC_Data".utf8)
  private static let digitCount = 13

  /// Zeros over every such number in `range`.
  static func erasures(in range: Range<Int>, of source: any ByteSource) throws(PhotoError) -> [Splice] {
    var erasures: [Splice] = []
    try source.search(name, in: range) { found throws(PhotoError) in
      let digits = found + name.count..<found + name.count + digitCount
      guard digits.upperBound <= range.upperBound,
        try source.bytes(digits).array.allSatisfy({ (0x30...0x39).contains($0) })
      else { return }
      erasures.append(.erasing(digits))
    }
    return erasures
  }
}
