import Basics

/// A message in the wire format of Protocol Buffers. Numbers of any length and value are read without a trap.
struct ProtobufMessage {
  /// The value of a field.
  enum Value {
    case number(UInt64)
    /// The range in `bytes` of a text, a message or a packed list.
    case bytes(Range<Int>)
    /// A number of fixed size, which the format doesn't use.
    case fixed
  }

  let bytes: [UInt8]
  private var at: Int
  private let end: Int
  /// The position of the bytes in the file, for errors.
  private let base: Int

  init(_ bytes: [UInt8], _ range: Range<Int>? = nil, at base: Int) {
    self.bytes = bytes
    self.base = base
    (at, end) = (range?.lowerBound ?? 0, range?.upperBound ?? bytes.count)
  }

  /// Whether nothing follows.
  var isAtEnd: Bool { at >= end }

  /// Returns the next field; nil at the end.
  mutating func next() throws(FileError) -> (field: UInt64, value: Value)? {
    guard at < end else { return nil }
    let tag = try number()
    switch tag & 7 {
    case 0: return (tag >> 3, .number(try number()))
    case 1:
      try skip(8)
      return (tag >> 3, .fixed)
    case 2:
      let count = try number()
      guard count <= UInt64(end - at) else { throw broken("a field is longer than its message") }
      defer { at += Int(count) }
      return (tag >> 3, .bytes(at..<at + Int(count)))
    case 5:
      try skip(4)
      return (tag >> 3, .fixed)
    default: throw broken("a field has an unknown type")
    }
  }

  /// Reads a number of 1 to 10 bytes, without a sign.
  @inline(__always)
  mutating func number() throws(FileError) -> UInt64 {
    guard at < end else { throw broken("a number is cut off") }
    let first = bytes[at]
    at += 1
    guard first >= 0x80 else { return UInt64(first) }
    return try longNumber(first)
  }

  private mutating func longNumber(_ first: UInt8) throws(FileError) -> UInt64 {
    var (value, shift) = (UInt64(first & 0x7F), UInt64(7))
    while true {
      guard at < end else { throw broken("a number is cut off") }
      let byte = bytes[at]
      at += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
      guard shift < 70 else { throw broken("a number has more than ten bytes") }
    }
  }

  /// Reads a number with a sign, in the zigzag encoding.
  @inline(__always)
  mutating func signed() throws(FileError) -> Int64 { Self.signed(try number()) }

  static func signed(_ number: UInt64) -> Int64 { Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1) }

  private mutating func skip(_ count: Int) throws(FileError) {
    guard count <= end - at else { throw broken("a field is longer than its message") }
    at += count
  }

  func broken(_ what: String) -> FileError { FileError(.malformed, "the PBF data is corrupt: \(what)", at: base) }

  /// Returns the message in a field of this one.
  func message(_ range: Range<Int>) -> ProtobufMessage { ProtobufMessage(bytes, range, at: base) }
}
