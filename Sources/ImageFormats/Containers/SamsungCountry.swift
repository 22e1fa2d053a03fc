/// The country code in the blocks that Samsung's phones append to JPEG and HEIC: a mobile country code (ITU-T E.212) in
/// digits.
enum SamsungCountry {
  private static let name = Array("MCC_Data".utf8)
  /// A country code has three digits, a network code at most three more.
  private static let longest = 6

  /// Returns splices that put zeros over every such number in `range`.
  static func erasures(in range: Range<Int>, of source: any ByteSource) throws(FileError) -> [Splice] {
    var erasures: [Splice] = []
    try source.search(name, in: range) { found throws(FileError) in
      let start = found + name.count
      let digits = try source.prefix(at: start, count: min(longest, range.upperBound - start)).array
        .prefix { (0x30...0x39).contains($0) }
      if digits.count >= 3 { erasures.append(.erasing(start..<start + digits.count)) }
    }
    return erasures
  }
}
