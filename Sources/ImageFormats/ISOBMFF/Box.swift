/// A four-byte code that names a kind of box, a brand, or a handler.
package struct FourCC: Hashable, Sendable, ExpressibleByStringLiteral {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Creates a code from four Latin-1 characters: QuickTime's `©` is one byte.
  package init(stringLiteral text: StaticString) {
    self.init(latin1: "\(text)")
  }

  /// Creates a code from the first four characters of Latin-1 text.
  init(latin1 text: String) {
    rawValue = text.unicodeScalars.prefix(4).reduce(0) { $0 << 8 | ($1.value & 0xFF) }
  }

  var bytes: [UInt8] { rawValue.bytes(.big) }
}

extension FourCC: CustomStringConvertible {
  /// The four characters, with dots for those that aren't printable.
  package var description: String {
    String(bytes.map { $0 < 0x20 || $0 == 0x7F ? "." : Character(Unicode.Scalar($0)) })
  }
}

/// The position of a box of the ISO base media file format (ISO/IEC 14496-12, 4.2), or an atom of QuickTime.
package struct Box: Hashable, Sendable {
  package let type: FourCC
  /// The range of header and payload.
  package let range: Range<Int>
  /// The length of the header: 8, or 16 with a 64-bit size.
  let headerCount: Int
  /// Whether its size is stored as 0: it reaches to the end of its container.
  package let isOpen: Bool

  package init(type: FourCC, range: Range<Int>, headerCount: Int, isOpen: Bool) {
    self.type = type
    self.range = range
    self.headerCount = headerCount
    self.isOpen = isOpen
  }

  package var payload: Range<Int> { range.lowerBound + headerCount..<range.upperBound }
  /// The range of the type.
  var typeRange: Range<Int> { range.lowerBound + 4..<range.lowerBound + 8 }

  /// Returns a whole box with this payload.
  package static func bytes(_ type: FourCC, _ payload: [UInt8]) -> [UInt8] {
    UInt32(clamping: payload.count + 8).bytes(.big) + type.bytes + payload
  }

  /// Returns the splice that makes this box `growth` bytes longer in its header; nil when its size isn't stored.
  package func resized(by growth: Int) throws(FileError) -> Splice? {
    if isOpen { return nil }
    let start = range.lowerBound
    if headerCount == 16 { return Splice(start + 8..<start + 16, UInt64(range.count + growth).bytes(.big)) }
    guard let count = UInt32(exactly: range.count + growth) else {
      throw FileError(.tooLarge, "the \(type) box would exceed 4 GiB, the limit of its 32-bit size", at: start)
    }
    return Splice(start..<start + 4, count.bytes(.big))
  }
}

extension ByteSource {
  /// The limit of sibling boxes. Only a file made to exhaust its readers has more.
  private static var mostBoxes: Int { 65_536 }

  /// Returns the box that begins at `offset` and must end by `end`.
  /// - Throws: `.malformed` or `.truncated` when no box can be there.
  package func box(at offset: Int, before end: Int) throws(FileError) -> Box {
    guard offset >= 0, end <= count, offset <= end - 8 else {
      throw FileError(.truncated, "a box header is truncated", at: max(0, offset))
    }
    let head = try prefix(at: offset, count: min(16, end - offset))
    let type = FourCC(rawValue: try head.u32(4, .big))
    var size = Int(try head.u32(0, .big))
    var headerCount = 8
    if size == 1 {
      size = Int(clamping: try head.u64(8, .big))
      headerCount = 16
    }
    let isOpen = size == 0
    if isOpen { size = end - offset }
    guard size >= headerCount else {
      throw FileError(.malformed, "a \(type) box is smaller than its header", at: offset)
    }
    guard size <= end - offset else {
      throw FileError(.truncated, "a \(type) box extends beyond the end of its parent", at: offset)
    }
    return Box(type: type, range: offset..<offset + size, headerCount: headerCount, isOpen: isOpen)
  }

  /// Returns the sibling boxes in `range`. Fewer than 8 bytes after the last are ignored (QuickTime ends user data with
  /// four zeros).
  package func boxes(in range: Range<Int>) throws(FileError) -> [Box] {
    var boxes: [Box] = []
    var at = range.lowerBound
    while at <= range.upperBound - 8 {
      let box = try box(at: at, before: range.upperBound)
      guard boxes.count < Self.mostBoxes else {
        throw FileError(.malformed, "has more than \(Self.mostBoxes) boxes at one level", at: at)
      }
      boxes.append(box)
      at = box.range.upperBound
    }
    return boxes
  }
}
