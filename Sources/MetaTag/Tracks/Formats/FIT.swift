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
      throw FileError(.malformed, "not a FIT file: no valid header", at: start)
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

/// The messages of one FIT file. Definition messages describe the layout of the data messages after them.
struct FITMessages {
  private struct Definition {
    let message: UInt32
    let isBig: Bool
    let count: Int
    /// The byte ranges of the fields, by their numbers in the profile.
    var fields: [UInt8: Range<Int>] = [:]
  }

  /// The message numbers of the profile that are used.
  private enum Message {
    static let record: UInt32 = 20
    static let event: UInt32 = 21
  }

  private var definitions = [Definition?](repeating: nil, count: 16)
  private var lastTime: UInt32?
  /// 1989-12-31T00:00:00Z, in seconds since 1970.
  private static let epoch: Int64 = 631_065_600
  /// The least absolute time. A smaller one counts from when the device was switched on.
  private static let leastTime: UInt32 = 0x1000_0000

  init() {}

  mutating func readOne(from file: inout FITInput, into builder: inout TrackBuilder) throws(FileError) {
    let start = file.position
    let header = try file.byte()
    if header & 0xC0 == 0x40 { return try readDefinition(header, from: &file) }
    let isCompressed = header & 0x80 != 0
    guard let definition = definitions[Int(isCompressed ? header >> 5 & 3 : header & 0xF)] else {
      throw FileError(.malformed, "a FIT data message has no definition message", at: start)
    }
    let message = try file.take(definition.count)
    let value = { (field: UInt8, size: Int) -> UInt32? in
      guard let range = definition.fields[field], range.count == size else { return nil }
      let value = UInt32(message.dropFirst(range.lowerBound).prefix(size), isBig: definition.isBig)
      // All ones means no value; for signed numbers, all ones but the sign, which is out of range as a position.
      return value == UInt32.max >> (32 - 8 * UInt32(size)) ? nil : value
    }
    if let time = value(253, 4) {
      lastTime = time
    } else if isCompressed, let last = lastTime {
      // The header has the lowest five bits of the seconds. If they are smaller than the last ones, they have wrapped
      // around.
      lastTime = last &+ ((UInt32(header & 0x1F) &- last) & 0x1F)
    }
    switch definition.message {
    case Message.record:
      let hasTime = isCompressed || definition.fields[253] != nil
      FITMessages.draft(value, time: hasTime ? lastTime : nil).finish(into: &builder)
    case Message.event:
      // The event is that the timer (0) is stopped (1), or that all are (4).
      if value(0, 1) == 0, [1, 4].contains(value(1, 1)) { builder.endSegment() }
    default: break
    }
  }

  private static func draft(_ value: (UInt8, Int) -> UInt32?, time: UInt32?) -> PointDraft {
    var draft = PointDraft()
    // 2³¹ semicircles are 180°.
    func degrees(_ semicircles: UInt32?) -> Double? {
      guard let semicircles, semicircles != UInt32(Int32.max) else { return nil }
      return Double(Int32(bitPattern: semicircles)) * 180 / 2_147_483_648
    }
    (draft.latitude, draft.longitude) = (degrees(value(0, 4)), degrees(value(1, 4)))
    draft.altitude = (value(78, 4) ?? value(2, 2)).map { Double($0) / 5 - 500 }
    draft.speed = (value(73, 4) ?? value(6, 2)).map { Double($0) / 1_000 }
    draft.accuracy = value(31, 1).map(Double.init)
    if let time, time >= leastTime {
      draft.instant = Instant(seconds: epoch + Int64(time))
    } else if time != nil {
      draft.rejection = .malformedTime
    }
    return draft
  }

  private mutating func readDefinition(_ header: UInt8, from file: inout FITInput) throws(FileError) {
    let start = file.position
    let fixed = Array(try file.take(5))
    guard fixed[1] <= 1 else {
      throw FileError(.malformed, "a FIT definition message has an unknown byte order", at: start)
    }
    let isBig = fixed[1] == 1
    var at = 0
    var fields: [UInt8: Range<Int>] = [:]
    for _ in 0..<fixed[4] {
      let field = Array(try file.take(3))
      if fields[field[0]] == nil { fields[field[0]] = at..<at + Int(field[1]) }
      at += Int(field[1])
    }
    if header & 0x20 != 0 {
      // Developer fields have numbers of their own and are skipped.
      for _ in 0..<(try file.byte()) { at += Int(Array(try file.take(3))[1]) }
    }
    let message = UInt32(fixed[2...3], isBig: isBig)
    definitions[Int(header & 0xF)] = Definition(message: message, isBig: isBig, count: at, fields: fields)
  }
}
