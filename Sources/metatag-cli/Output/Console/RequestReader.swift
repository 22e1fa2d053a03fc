import MetaTag

/// Reads a request in the form in which most programs write it: an object whose members are numbers, texts without
/// escapes, truth values, and lists of these.
///
/// It takes a tenth of the time of a JSON decoder, which reads every other form. A line that it reads means the same to
/// the decoder.
struct RequestReader {
  private let bytes: [UInt8]
  private let end: Int
  private var at: Int

  private init(_ bytes: [UInt8], _ line: Range<Int>) {
    (self.bytes, at, end) = (bytes, line.lowerBound, line.upperBound)
  }

  /// Reads the members of the object in a line.
  /// - Parameters:
  ///   - keys: The names of the members.
  ///   - read: Reads the value of a member, and returns whether it could.
  /// - Returns: Whether the line is an object with these members, none twice, and all were read.
  static func readMembers<Key: CodingKey & CaseIterable>(
    of line: Range<Int>, in bytes: [UInt8], _ keys: Key.Type, _ read: (Key, inout RequestReader) -> Bool
  ) -> Bool {
    var reader = RequestReader(bytes, line)
    guard reader.skip("{") else { return false }
    var seen = 0
    repeat {
      guard let (number, key) = reader.key(keys), seen & 1 << number == 0, reader.skip(":"), read(key, &reader) else {
        return false
      }
      seen |= 1 << number
    } while reader.skip(",")
    guard reader.skip("}") else { return false }
    reader.skipBlanks()
    return reader.at == line.upperBound
  }

  // MARK: Values; each returns whether it was read

  mutating func read(_ number: inout Double?) -> Bool {
    guard let (text, _) = decimal() else { return false }
    number = PlainText.number(bytes, text)
    return number != nil
  }

  mutating func read(_ number: inout WholeNumber?) -> Bool {
    // More digits may not fit, and the decoder decides what -0 is.
    guard let (text, isWhole) = decimal(), isWhole, text.count < 18, bytes[text.lowerBound] != UInt8(ascii: "-") else {
      return false
    }
    number = WholeNumber(bytes[text].reduce(0) { $0 * 10 + Int($1 - 0x30) })
    return true
  }

  mutating func read(_ text: inout String?) -> Bool {
    guard skip("\"") else { return false }
    let start = at
    while byte != UInt8(ascii: "\"") {
      guard byte >= 0x20, byte != UInt8(ascii: "\\") else { return false }
      at += 1
    }
    text = String(validating: bytes[start..<at], as: UTF8.self)
    at += 1
    return text != nil
  }

  mutating func read(_ truth: inout Bool?) -> Bool {
    skipBlanks()
    truth = [true, false].first { bytes[at..<end].starts(with: "\($0)".utf8) }
    at += truth == true ? 4 : 5
    return truth != nil
  }

  mutating func read(_ numbers: inout [Double]?) -> Bool { read(&numbers) { $0.read(&$1) } }

  mutating func read(_ texts: inout [String]?) -> Bool { read(&texts) { $0.read(&$1) } }

  private mutating func read<Value>(
    _ values: inout [Value]?, _ read: (inout RequestReader, inout Value?) -> Bool
  ) -> Bool {
    guard skip("[") else { return false }
    var found: [Value] = []
    defer { values = found }
    if skip("]") { return true }
    repeat {
      var value: Value?
      guard read(&self, &value), let value else { return false }
      found.append(value)
    } while skip(",")
    return skip("]")
  }

  // MARK: Bytes

  /// The next byte; 0, which occurs in no request, at the end.
  private var byte: UInt8 { at < end ? bytes[at] : 0 }

  private mutating func skipBlanks() {
    while byte == 0x20 || byte == 0x09 || byte == 0x0D { at += 1 }
  }

  /// Skips a byte and the blanks before it; returns whether it was there.
  private mutating func skip(_ wanted: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard byte == UInt8(ascii: wanted) else { return false }
    at += 1
    return true
  }

  /// Reads the name of a member; returns it with its number.
  private mutating func key<Key: CodingKey & CaseIterable>(_ keys: Key.Type) -> (number: Int, key: Key)? {
    guard skip("\"") else { return nil }
    let start = at
    while byte >= 0x20, byte != UInt8(ascii: "\"") { at += 1 }
    let name = start..<at
    guard byte == UInt8(ascii: "\"") else { return nil }
    at += 1
    return Key.allCases.enumerated().first { isEqual(name, $1.stringValue) }.map { ($0, $1) }
  }

  private func isEqual(_ range: Range<Int>, _ text: String) -> Bool {
    text.utf8.count == range.count && zip(text.utf8, range).allSatisfy { $0 == bytes[$1] }
  }

  /// Reads a number without an exponent; returns where it is, and whether it has no fraction.
  private mutating func decimal() -> (text: Range<Int>, isWhole: Bool)? {
    skipBlanks()
    let start = at
    if byte == UInt8(ascii: "-") { at += 1 }
    let first = byte
    let count = skipDigits()
    guard count > 0, count == 1 || first != UInt8(ascii: "0") else { return nil }
    guard byte == UInt8(ascii: ".") else { return (start..<at, true) }
    at += 1
    return skipDigits() > 0 ? (start..<at, false) : nil
  }

  private mutating func skipDigits() -> Int {
    let start = at
    while byte >= 0x30, byte <= 0x39 { at += 1 }
    return at - start
  }
}
