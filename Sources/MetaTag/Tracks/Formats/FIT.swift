/// Garmin's FIT (Flexible and Interoperable Data Transfer protocol): the `record` messages of all files that are
/// chained into one. A segment ends when the timer is stopped.
///
/// The checksum of each file is verified; a wrong one causes a warning only, since there are no better data. A file
/// that was never closed, whose header has no length yet, ends where its data end.
struct FIT: TrackFormat {
  let name = "FIT"

  func recognizes(_ head: [UInt8]) -> Bool {
    (head.first ?? 0) >= 12 && head.dropFirst(8).prefix(4).elementsEqual(".FIT")
  }

  func read(_ input: InputWindow, into builder: inout TrackBuilder) throws(FileError) {
    var file = FITInput(input)
    do throws(FileError) {
      while try file.hasMore() {
        var messages = FITMessages()
        let end = try file.readHeader()
        while file.position < end { try messages.readOne(from: &file, into: &builder) }
        if try !file.endsWithItsCheckSum() { builder.note(.damaged) }
      }
    } catch {
      guard !builder.isEmpty else { throw error }
      builder.noteEnd(at: file.position)
    }
  }
}

/// The bytes of a FIT file, with the checksum computed while they are read (section 3.3.2 of the protocol).
struct FITInput {
  private var input: InputWindow
  private var sum: UInt16 = 0

  init(_ input: InputWindow) { self.input = input }

  var position: Int { input.position }

  /// Returns whether another file follows the one that was read.
  mutating func hasMore() throws(FileError) -> Bool {
    try input.fill(14)
    guard input.position > 0 else { return true }
    // Zeros, or other data that an application appended, are no file.
    return input.remaining >= 12 && input.bytes[(input.at + 8)...].prefix(4).elementsEqual(".FIT")
  }

  mutating func take(_ count: Int) throws(FileError) -> ArraySlice<UInt8> {
    try input.fill(count)
    guard input.remaining >= count else { throw FileError.endsTooSoon(needing: count, at: input.position) }
    let bytes = input.bytes[input.at..<input.at + count]
    input.at += count
    for byte in bytes { sum = FITInput.next(sum, byte) }
    return bytes
  }

  mutating func byte() throws(FileError) -> UInt8 { try take(1).first ?? 0 }

  /// Reads the header of a file and returns the end of its messages; `.max` if the length was never filled in.
  mutating func readHeader() throws(FileError) -> Int {
    sum = 0
    let start = input.position
    let header = try take(12)
    let length = Int(header[header.startIndex])
    guard length >= 12, header.dropFirst(8).elementsEqual(".FIT") else {
      throw FileError(.malformed, "a FIT file begins with no header", at: start)
    }
    _ = try take(length - 12)
    let count = Int(UInt32(header.dropFirst(4).prefix(4), isBig: false))
    return count > 0 ? input.position + count : .max
  }

  /// Reads the checksum and returns whether it is right: the checksum over a file and its checksum is zero.
  mutating func endsWithItsCheckSum() throws(FileError) -> Bool {
    _ = try take(2)
    return sum == 0
  }

  private static func next(_ sum: UInt16, _ byte: UInt8) -> UInt16 {
    let first = sum >> 4 ^ table[Int(sum & 0xF)] ^ table[Int(byte & 0xF)]
    return first >> 4 ^ table[Int(first & 0xF)] ^ table[Int(byte >> 4)]
  }

  private static let table: [UInt16] = [
    0x0000, 0xCC01, 0xD801, 0x1400, 0xF001, 0x3C00, 0x2800, 0xE401, 0xA001, 0x6C00, 0x7800, 0xB401, 0x5000, 0x9C01,
    0x8801, 0x4400,
  ]
}

extension UInt32 {
  /// Reads an integer of up to four bytes.
  init(_ bytes: ArraySlice<UInt8>, isBig: Bool) {
    self =
      isBig
      ? bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
      : bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
