/// Which country a phone of Samsung's was in, in the blocks that it appends to JPEG and HEIC: a mobile network's code
/// of it (ITU-T E.212), in digits.
enum SamsungCountry {
  private static let name = Array("MCC_Data".utf8)
  /// A country has three digits, a network of it three more at most.
  private static let longest = 6

  /// Zeros over every such number in `range`.
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
