/// A reader of JSON (RFC 8259) that works piece by piece: lists are visited element by element, so that only one
/// element is in memory.
package struct JSONReader {
  private var input: InputWindow
  private static let deepest = 256
  /// The largest size of a value or a string: no point, nor a line of points, is longer.
  private static let longestValue = 64 << 20

  package init(_ input: InputWindow) { self.input = input }

  package var position: Int { input.position }

  /// Returns the next byte that is not whitespace, without consuming it; nil at the end.
  package mutating func peek() throws(FileError) -> UInt8? {
    while true {
      while input.at < input.bytes.count {
        let byte = input.bytes[input.at]
        guard byte == 0x20 || (0x09...0x0D).contains(byte) else { return byte }
        input.at += 1
      }
      guard !input.isComplete else { return nil }
      try input.fill(1)
    }
  }

  /// Visits the members of the object that begins here: `body` reads each value.
  package mutating func members(
    _ body: ([UInt8], inout JSONReader) throws(FileError) -> Void
  ) throws(FileError) {
    try expect("{")
    if try skip("}") { return }
    repeat {
      let name = try string()
      try expect(":")
      try body(name, &self)
    } while try skip(",")
    try expect("}")
  }

  /// Visits the elements of the list that begins here: `body` reads each.
  package mutating func elements(_ body: (inout JSONReader) throws(FileError) -> Void) throws(FileError) {
    try expect("[")
    if try skip("]") { return }
    repeat { try body(&self) } while try skip(",")
    try expect("]")
  }

  /// Reads the whole value that begins here.
  package mutating func value() throws(FileError) -> JSONValue { try value(depth: 0, from: position) }

  private mutating func value(depth: Int, from start: Int) throws(FileError) -> JSONValue {
    guard depth < JSONReader.deepest else { throw FileError(.nestedTooDeep, "JSON is nested too deeply", at: position) }
    guard position - start < JSONReader.longestValue else {
      throw FileError(.valueTooLong, "a JSON value exceeds 64 MB", at: start)
    }
    switch try peek() {
    case UInt8(ascii: "{"):
      var members: [JSONValue.Member] = []
      try self.members { (name, json) throws(FileError) in
        members.append(.init(name: name, value: try json.value(depth: depth + 1, from: start)))
      }
      return .object(members)
    case UInt8(ascii: "["):
      var (values, numbers): ([JSONValue], [Double]) = ([], [])
      try elements { (json) throws(FileError) in
        let value = try json.value(depth: depth + 1, from: start)
        if value.isNumber, let number = value.number, values.isEmpty {
          numbers.append(number)
        } else {
          values += numbers.map { .number($0) }
          numbers = []
          values.append(value)
        }
      }
      return numbers.isEmpty ? .array(values) : .numbers(numbers)
    case UInt8(ascii: "\""): return .string(try string())
    case nil: throw ended()
    default: return try word()
    }
  }

  /// Reads a number, or `true`, `false` or `null`.
  private mutating func word() throws(FileError) -> JSONValue {
    var length = 0
    while true {
      try input.fill(length + 1)
      guard length < input.remaining else { throw ended() }
      let byte = input.bytes[input.at + length]
      guard !JSONReader.endsWord(byte), length <= 100 else { break }
      length += 1
    }
    let range = input.at..<input.at + length
    defer { input.at = range.upperBound }
    if let number = PlainText.number(input.bytes, range) {
      guard number.magnitude >= JSONReader.exactLimit, let integer = Int(JSONReader.text(input.bytes[range])) else {
        return .number(number)
      }
      return .integer(integer)
    }
    let text = JSONReader.text(input.bytes[range])
    if text == "true" || text == "false" { return .bool(text == "true") }
    // A number that is too large counts as no value.
    guard ["null", "NaN", "Infinity"].contains(text) || text.first.map({ "-0123456789".contains($0) }) ?? false else {
      throw FileError(.malformed, "invalid JSON: expected a value", at: position)
    }
    return .null
  }

  /// The magnitude from which a `Double` doesn't hold every whole number.
  private static let exactLimit = Double(1 << 53)

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  /// Returns the bytes of the value that begins here, without checking more than its brackets and strings, so that a value
  /// that is malformed costs only itself.
  ///
  /// - Throws: `.refused` if it is longer than 64 MiB or nested too deep.
  package mutating func rawValue() throws(FileError) -> [UInt8] {
    guard let first = try peek() else { throw ended() }
    guard !JSONReader.endsWord(first) else {
      throw FileError(.malformed, "invalid JSON: expected a value", at: position)
    }
    let start = position
    let isWord = first != UInt8(ascii: "{") && first != UInt8(ascii: "[") && first != UInt8(ascii: "\"")
    var depth = 0
    var isInString = false
    var isEscaped = false
    var count = 0
    while true {
      guard count < input.remaining else {
        guard count < JSONReader.longestValue else {
          throw FileError(.valueTooLong, "a JSON value exceeds 64 MB", at: start)
        }
        try input.fill(max(1 << 16, count * 2))
        guard count < input.remaining else {
          guard depth == 0, !isInString, count > 0 else { throw ended() }
          break
        }
        continue
      }
      let byte = input.bytes[input.at + count]
      if depth == 0, !isInString, count > 0, JSONReader.endsWord(byte) { break }
      count += 1
      if isInString {
        isInString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
      } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        depth += 1
        guard depth <= JSONReader.deepest else {
          throw FileError(.nestedTooDeep, "JSON is nested too deeply", at: start)
        }
      } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        depth -= 1
      }
      // A word ends before the byte that follows it.
      guard depth > 0 || isInString || isWord else { break }
    }
    defer { input.at += count }
    return Array(input.bytes[input.at..<input.at + count])
  }

  /// Consumes one byte.
  package mutating func skipByte() throws(FileError) {
    if try peek() != nil { input.at += 1 }
  }

  /// Reads the string that begins here, unescaped.
  package mutating func string() throws(FileError) -> [UInt8] {
    try expect("\"")
    var text: [UInt8] = []
    while true {
      try input.fill(1)
      let rest = input.bytes[input.at...]
      guard !rest.isEmpty else { throw ended() }
      let plain = rest.prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
      text += plain
      input.at += plain.count
      guard text.count < JSONReader.longestValue else {
        throw FileError(.valueTooLong, "a JSON string exceeds 64 MB", at: position)
      }
      guard plain.count < rest.count else { continue }
      if input.bytes[input.at] == UInt8(ascii: "\"") {
        input.at += 1
        return text
      }
      try appendEscaped(to: &text)
    }
  }

  private mutating func appendEscaped(to text: inout [UInt8]) throws(FileError) {
    try input.fill(12)
    let escape = input.bytes[input.at..<min(input.at + 12, input.bytes.count)]
    guard escape.count >= 2 else { throw ended() }
    let letter = escape[escape.startIndex + 1]
    if letter == UInt8(ascii: "u") {
      guard escape.count >= 6 else { throw ended() }
      guard let first = UInt16(hex: escape.dropFirst(2).prefix(4)) else {
        throw FileError(.malformed, "invalid JSON: invalid escape sequence", at: position)
      }
      input.at += 6
      var units = [first]
      if UTF16.isLeadSurrogate(first), escape.dropFirst(6).starts(with: Array("\\u".utf8)),
        let second = UInt16(hex: escape.dropFirst(8).prefix(4))
      {
        units.append(second)
        input.at += 6
      }
      text += String(decoding: units, as: UTF16.self).utf8
    } else {
      let plain: [UInt8: UInt8] = [
        UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
      ]
      text.append(plain[letter] ?? letter)
      input.at += 2
    }
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
  }

  /// Consumes the next byte that is not whitespace if it is `byte`; returns whether it did.
  package mutating func skip(_ byte: Unicode.Scalar) throws(FileError) -> Bool {
    guard try peek() == UInt8(ascii: byte) else { return false }
    input.at += 1
    return true
  }

  /// Consumes the next byte that is not whitespace.
  ///
  /// - Throws: An error if it isn't `byte`.
  package mutating func expect(_ byte: Unicode.Scalar) throws(FileError) {
    guard try !skip(byte) else { return }
    guard try peek() != nil else { throw ended() }
    throw FileError(.malformed, "invalid JSON: expected '\(byte)'", at: position)
  }

  private func ended() -> FileError { FileError(.truncated, "unexpected end of JSON", at: position) }
}

extension UInt16 {
  fileprivate init?(hex: ArraySlice<UInt8>) {
    guard hex.count == 4, let value = UInt16(String(decoding: hex, as: UTF8.self), radix: 16) else { return nil }
    self = value
  }
}

/// A JSON value (RFC 8259) that was read as a whole. Strings are unescaped bytes in UTF-8.
package enum JSONValue: Hashable, Sendable {
  case object([Member])
  case array([JSONValue])
  /// An array that contains only numbers, such as coordinates: there may be millions.
  case numbers([Double])
  case string([UInt8])
  case number(Double)
  /// A whole number that a `Double` may not hold exactly.
  case integer(Int)
  case bool(Bool)
  /// `null`, a number that is too large, or `NaN` or `Infinity`, which Python writes though JSON has none.
  case null

  package struct Member: Hashable, Sendable {
    package let name: [UInt8]
    package let value: JSONValue

    package init(name: [UInt8], value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The member of this name, if this is an object that has one.
  package subscript(name: StaticString) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.elementsEqual(name) }?.value
  }

  package var elements: [JSONValue] {
    switch self {
    case .array(let elements): elements
    case .numbers(let numbers): numbers.map { .number($0) }
    default: []
    }
  }

  /// The value as a number, also if it is a string that contains one.
  package var number: Double? {
    switch self {
    case .number(let number): number
    case .integer(let number): Double(number)
    case .string(let text): PlainText.number(text, 0..<text.count)
    default: nil
    }
  }

  var isNumber: Bool {
    switch self {
    case .number, .integer: true
    default: false
    }
  }

  package var numbers: [Double]? {
    switch self {
    case .numbers(let numbers): numbers
    case .array(let elements) where elements.isEmpty: []
    default: nil
    }
  }

  package var text: [UInt8]? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The text of a string as a `String`; nil for other values, and if it isn't UTF-8.
  package var string: String? { text.flatMap { String(validating: $0, as: UTF8.self) } }

  /// The members of an object; nil for other values.
  package var members: [Member]? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  package func isText(_ text: StaticString) -> Bool { self.text?.elementsEqual(text) ?? false }
}
