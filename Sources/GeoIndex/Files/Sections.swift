import CSys

/// Reads the compressed sections of a gazetteer file one after the other.
struct Sections {
  var rest: ArraySlice<UInt8>

  /// An upper limit for a section's size, so that a damaged length doesn't allocate memory.
  private static let longest = 1 << 28

  mutating func nextText() throws(GeoIndexError) -> TextColumn { TextColumn(bytes: try next()) }

  mutating func remainingTexts() throws(GeoIndexError) -> [TextColumn] {
    var texts: [TextColumn] = []
    while !rest.isEmpty { texts.append(try nextText()) }
    return texts
  }

  /// Reads numbers that are stored as differences to the previous one.
  mutating func nextSteps(_ count: Int, in range: Range<Int>) throws(GeoIndexError) -> [Int] {
    try numbers(count, in: range, stepping: true)
  }

  mutating func nextNumbers(_ count: Int, in range: Range<Int>) throws(GeoIndexError) -> [Int] {
    try numbers(count, in: range, stepping: false)
  }

  /// Reads numbers in zigzag LEB128.
  private mutating func numbers(_ count: Int, in range: Range<Int>, stepping: Bool) throws(GeoIndexError) -> [Int] {
    var numbers: [Int] = []
    numbers.reserveCapacity(count)
    var (value, shift, before) = (UInt64(0), UInt64(0), 0)
    for byte in try next() {
      guard shift < 56 else { throw GazetteerFile.damaged }
      value |= UInt64(byte & 0x7F) << shift
      shift += 7
      guard byte < 0x80 else { continue }
      // At most 56 bits, so the sum can't overflow.
      let number = Int(value >> 1) ^ -Int(value & 1)
      before = stepping ? before + number : number
      guard range.contains(before) else { throw GazetteerFile.damaged }
      numbers.append(before)
      (value, shift) = (0, 0)
    }
    guard numbers.count == count, shift == 0 else { throw GazetteerFile.damaged }
    return numbers
  }

  private mutating func next() throws(GeoIndexError) -> [UInt8] {
    let (packed, length) = (try length(), try length())
    guard packed <= rest.count, length <= Self.longest else { throw GazetteerFile.damaged }
    let stream = rest.prefix(packed)
    rest = rest.dropFirst(packed)
    var got = uLong(length)
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
      let status = stream.withUnsafeBufferPointer {
        uncompress(buffer.baseAddress, &got, $0.baseAddress, uLong(packed))
      }
      filled = status == Z_OK ? Int(got) : 0
    }
    // zlib has verified its own checksum.
    guard bytes.count == length else { throw GazetteerFile.damaged }
    return bytes
  }

  private mutating func length() throws(GeoIndexError) -> Int {
    guard rest.count >= 4 else { throw GazetteerFile.damaged }
    defer { rest = rest.dropFirst(4) }
    return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

/// Lines of UTF-8, each with names separated by tabs.
struct TextColumn {
  let bytes: [UInt8]

  /// Returns the whole column, with one array of names for each line.
  func records() -> [[String]] {
    bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
      .map { $0.split(separator: 0x09).map { String(decoding: $0, as: UTF8.self) } }
  }

  /// Returns the offset at which each line begins, and the end.
  func lineStarts() -> [Int] {
    var starts = [0]
    bytes.withUnsafeBufferPointer { bytes in
      for position in bytes.indices where bytes[position] == 0x0A { starts.append(position + 1) }
    }
    return starts
  }
}
