/// A keyword and its text in a PNG file (ISO/IEC 15948, 11.3.3): `tEXt`, `zTXt`, `iTXt`.
struct PNGText: Sendable {
  /// The limit in bytes of a text, unpacked.
  static let longest = 1 << 24

  let chunk: PNGChunk
  let keyword: String
  let isCompressed: Bool
  /// The keyword and everything else before the text.
  let prefix: Range<Int>
  /// The range of the text as stored in the file.
  let content: Range<Int>

  /// Reads a chunk; returns nil if it is not text or has no keyword.
  init?(_ chunk: PNGChunk, in source: any ByteSource) throws(FileError) {
    guard ["tEXt", "zTXt", "iTXt"].contains(chunk.type) else { return nil }
    let start = chunk.data.lowerBound
    // A keyword has 79 bytes at most; a language and a translated keyword have no limit.
    let head = try source.prefix(at: start, count: min(chunk.data.count, 1_024))
    guard let end = head.firstIndex(of: [0]), end > 0 else { return nil }
    keyword = head.withUnsafeBytes { String(decoding: $0.prefix(end), as: UTF8.self) }
    var at = end + 1
    switch chunk.type {
    case "zTXt":
      guard head.count > at, try head.u8(at) == 0 else { return nil }
      isCompressed = true
      at += 1
    case "iTXt":
      guard head.count > at + 1, try head.u8(at + 1) == 0,
        let language = head.firstIndex(of: [0], from: at + 2), let title = head.firstIndex(of: [0], from: language + 1)
      else { return nil }
      isCompressed = try head.u8(at) != 0
      at = title + 1
    default: isCompressed = false
    }
    self.chunk = chunk
    prefix = start..<start + at
    content = start + at..<chunk.data.upperBound
  }

  /// Returns the text.
  /// - Throws: `.malformed` and `.tooLarge` when it can't be unpacked.
  func text(in source: any ByteSource) throws(FileError) -> [UInt8] {
    guard content.count <= PNGText.longest else {
      throw FileError(.tooLarge, "its metadata exceeds 16 MB", at: content.lowerBound)
    }
    let bytes = try source.bytes(content)
    return isCompressed ? try Zlib.unpacked(bytes, limit: PNGText.longest) : bytes.array
  }

  /// Returns the whole chunk with another text, in the same form.
  func bytes(holding text: [UInt8], in source: any ByteSource) throws(FileError) -> [UInt8] {
    try PNGChunk.bytes(
      chunk.type, try source.bytes(prefix).array + (isCompressed ? try Zlib.packed(text) : text))
  }
}

/// A metadata block that ImageMagick and others encode in hexadecimal in a text `Raw profile type …`: a line with its
/// name, a line with its length, and 36 bytes per line.
struct RawProfile: Sendable {
  static let prefix = "Raw profile type "

  let name: String
  let bytes: [UInt8]

  init(_ text: [UInt8], at offset: Int) throws(FileError) {
    let parts = text.split(maxSplits: 2, omittingEmptySubsequences: true) { $0 == 0x0A }
    guard parts.count == 3,
      let count = Int(String(decoding: parts[1], as: UTF8.self).filter { $0 != " " }),
      count >= 0, count <= parts[2].count / 2
    else { throw FileError(.malformed, "a raw profile has no name or length", at: offset) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var high: UInt8?
    for letter in parts[2] where bytes.count < count {
      guard let digit = RawProfile.digit(letter) else {
        guard letter.isXMLBlank else {
          throw FileError(.malformed, "a raw profile is not hexadecimal", at: offset)
        }
        continue
      }
      if let first = high { bytes.append(first << 4 | digit) }
      high = high == nil ? digit : nil
    }
    guard bytes.count == count else { throw FileError(.truncated, "a raw profile is truncated", at: offset) }
    name = String(decoding: parts[0], as: UTF8.self)
    self.bytes = bytes
  }

  /// Returns `bytes` in this encoding.
  static func text(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    let count = String(bytes.count)
    var text = Array("\n\(name)\n\(String(repeating: " ", count: max(0, 8 - count.count)))\(count)".utf8)
    for (index, byte) in bytes.enumerated() {
      if index % 36 == 0 { text.append(0x0A) }
      text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return text + [0x0A]
  }

  private static func digit(_ letter: UInt8) -> UInt8? {
    switch letter {
    case 0x30...0x39: letter - 0x30
    case 0x41...0x46: letter - 0x37
    case 0x61...0x66: letter - 0x57
    default: nil
    }
  }
}

extension [UInt8] {
  /// Whether the text seems to contain a day: `2024:05:23`, `23/05/2024`, `23 May 2024` and similar.
  var holdsDay: Bool {
    let text = map { byte in
      switch byte {
      case 0x30...0x39: UInt8(ascii: "0")
      case 0x41...0x5A, 0x61...0x7A: UInt8(ascii: "a")
      case UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "."): UInt8(ascii: "-")
      default: byte
      }
    }
    // Months have three to nine letters.
    let shapes =
      ["0000-00-00", "00-00-0000", "a 0, 0000", "a 00, 0000"]
      + (3...9).map { "0 \(String(repeating: "a", count: $0)) 0000" }
    return shapes.contains { Bytes(text).firstIndex(of: Array($0.utf8)) != nil }
  }
}
