/// The metadata of a JPEG that a `jbrd` box rebuilds (ISO/IEC 18181-2, annex A).
struct JXLReconstruction: Sendable {
  /// Whether it takes EXIF from the file's `Exif` box.
  let needsExif: Bool
  /// Whether it takes XMP from the file's `xml ` box.
  let needsXMP: Bool
  /// Whether it contains segments, comments, or bytes between or after segments, which may hold any metadata: IPTC,
  /// notes.
  let holdsOthers: Bool

  /// The limit of the first part. It describes the coding and takes some kilobytes; the data of the segments, which may
  /// be long, is not read.
  private static let longestHead = 1 << 20

  /// Reads the beginning of the reconstruction data.
  /// - Throws: An error when the box can't be read.
  init(_ box: Box, of source: any ByteSource) throws(FileError) {
    let count = min(box.payload.count, JXLReconstruction.longestHead)
    try self.init(source.prefix(at: box.payload.lowerBound, count: count))
  }

  /// Reads the first bytes of the box.
  init(_ payload: Bytes) throws(FileError) {
    var bits = BitReader(payload)
    // The flag for greyscale.
    _ = try bits.next(1)
    var markers: [Int] = []
    repeat {
      markers.append(0xC0 + (try bits.next(6)))
      guard markers.count <= 16_384 else {
        throw FileError(.malformed, "the jbrd box has too many markers", at: payload.base)
      }
    } while markers.last != 0xD9
    var kinds: Set<Int> = []
    var hasUnknown = markers.contains(0xFE)
    for marker in markers where marker & 0xF0 == 0xE0 {
      let kind = try bits.number((0, 0), (0, 1), (1, 2), (2, 4))
      let length = try bits.next(16)
      kinds.insert(kind)
      // The plain segments of JFIF and Adobe, recognized by their lengths.
      let isPlain = marker == 0xE0 && length == 16 || marker == 0xEE && length == 14
      if kind == 0, !isPlain { hasUnknown = true }
    }
    needsExif = kinds.contains(2)
    needsXMP = kinds.contains(3)
    // Unreadable data may contain anything.
    holdsOthers = hasUnknown || (try? JXLReconstruction.hasLooseBytes(markers, &bits)) ?? true
  }

  /// Whether there are bytes between segments or after the picture. Their lengths follow the description of the coding.
  private static func hasLooseBytes(_ markers: [Int], _ bits: inout BitReader) throws(FileError) -> Bool {
    for _ in 0..<(try bits.number((0, 1), (0, 2), (0, 3), (0, 4))) { try bits.skip(4) }
    var components = 3
    switch try bits.next(2) {
    case 0: components = 1
    case 3:
      components = try bits.next(2) + 1
      try bits.skip(8 * components)
    default: break
    }
    try bits.skip(2 * components)
    for _ in 0..<(try bits.number((0, 4), (3, 2), (4, 10), (6, 26))) {
      try bits.skip(4)
      var symbols = 0
      for _ in 0...16 { symbols += try bits.number((0, 0), (0, 1), (3, 2), (8, 0)) }
      for _ in 0..<symbols { _ = try bits.number((2, 0), (2, 4), (4, 8), (8, 1)) }
    }
    let scans = markers.count { $0 == 0xDA }
    for _ in 0..<scans {
      let parts = try bits.next(2) + 1
      try bits.skip(20 + 6 * parts)
      _ = try bits.number((0, 0), (0, 1), (0, 2), (3, 3))
    }
    if markers.contains(0xDD) { try bits.skip(16) }
    for _ in 0..<scans {
      for hasCount in [false, true] {
        for _ in 0..<(try bits.number((0, 0), (2, 1), (4, 4), (16, 20))) {
          if hasCount { _ = try bits.number((0, 1), (2, 2), (4, 5), (8, 20)) }
          _ = try bits.number((0, 0), (3, 1), (5, 9), (28, 41))
        }
      }
    }
    var isLoose = false
    for marker in markers where marker == 0xFF { if try bits.next(16) > 0 { isLoose = true } }
    return try bits.number((0, 0), (8, 1), (16, 257), (22, 65_793)) > 0 || isLoose
  }
}

/// A reader of numbers of any width, the lowest bit first.
private struct BitReader {
  private let bytes: Bytes
  private var at = 0

  init(_ bytes: Bytes) { self.bytes = bytes }

  mutating func next(_ count: Int) throws(FileError) -> Int {
    var number = 0
    for index in 0..<count {
      number |= Int(try bytes.u8(at / 8) >> (at % 8) & 1) << index
      at += 1
    }
    return number
  }

  mutating func skip(_ count: Int) throws(FileError) {
    for _ in 0..<count { _ = try next(1) }
  }

  /// Reads a number whose first two bits select one of four ranges: the count of further bits, and the amount to add.
  mutating func number(
    _ a: (Int, Int), _ b: (Int, Int), _ c: (Int, Int), _ d: (Int, Int)
  ) throws(FileError) -> Int {
    let (count, base) = [a, b, c, d][try next(2)]
    return base + (try next(count))
  }
}
