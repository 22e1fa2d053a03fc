import SystemPackage

/// Writes JSON (RFC 8259) into a buffer. It handles commas, escapes and indentation; the caller decides order and
/// content.
struct JSONWriter {
  enum Style: Sendable {
    /// Without line breaks, as in JSON Lines.
    case oneLine
    /// Indented by two spaces, one member per line.
    case pretty
  }

  /// The bytes written since the last `take()`.
  private(set) var bytes: [UInt8] = []
  private let style: Style
  private var depth = 0
  private var needsComma = false
  private var followsKey = false

  init(_ style: Style = .oneLine) { self.style = style }

  /// Returns the bytes written since the last call. The structure stays open, so that a long array can be written in
  /// pieces.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Passes the bytes on to `console` if there are at least `count`.
  mutating func flush(to console: Console, ifAtLeast count: Int = 1) {
    guard bytes.count >= count else { return }
    console.write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes the line break after a document or a line.
  mutating func endLine() {
    bytes.append(0x0A)
    needsComma = false
  }

  // MARK: Structure

  mutating func object<E: Error>(_ members: (inout JSONWriter) throws(E) -> Void) throws(E) {
    open("{")
    try members(&self)
    close("}")
  }

  mutating func array<E: Error>(_ elements: (inout JSONWriter) throws(E) -> Void) throws(E) {
    open("[")
    try elements(&self)
    close("]")
  }

  /// Writes a member's name; its value must follow.
  mutating func key(_ name: JSONKey) {
    switch name.form {
    case .literal(let letters):
      let needsComma = begin()
      let isShort = letters.withUTF8Buffer {
        appendShort($0, isKey: true, isPlain: true, afterComma: needsComma)
      }
      precondition(isShort, "a key is too long")
    case .text(let text): appendText(text, isKey: true)
    }
    if style == .pretty { bytes.append(0x20) }
    followsKey = true
  }

  mutating func open(_ bracket: Unicode.Scalar) {
    separate()
    bytes.append(UInt8(ascii: bracket))
    depth += 1
    needsComma = false
  }

  mutating func close(_ bracket: Unicode.Scalar) {
    depth -= 1
    if needsComma { breakLine() }
    bytes.append(UInt8(ascii: bracket))
    needsComma = true
  }

  // MARK: Values

  mutating func value(_ text: String) { appendText(text, isKey: false) }

  mutating func value(_ number: some BinaryInteger) {
    guard let number = Int(exactly: number) else { return literal(String(number)) }
    let needsComma = begin()
    PlainDecimal(number).append(to: &bytes, afterComma: needsComma)
  }

  /// Writes the shortest decimal that reads back as the same number, in any locale, or `null` if it isn't finite.
  mutating func value(_ number: Double) {
    guard let decimal = PlainDecimal(shortest: number) else {
      return literal(number.isFinite ? number.description : "null")
    }
    let needsComma = begin()
    decimal.append(to: &bytes, afterComma: needsComma)
  }

  mutating func value(_ truth: Bool) { literal(truth ? "true" : "false") }

  mutating func null() { literal("null") }

  // MARK: Members; nil values aren't written

  mutating func member(_ name: JSONKey, _ text: String?) {
    guard let text else { return }
    key(name)
    value(text)
  }

  mutating func member(_ name: JSONKey, _ number: Int?) {
    guard let number else { return }
    key(name)
    value(number)
  }

  mutating func member(_ name: JSONKey, _ number: Double?) {
    guard let number else { return }
    key(name)
    value(number)
  }

  mutating func member(_ name: JSONKey, _ truth: Bool?) {
    guard let truth else { return }
    key(name)
    value(truth)
  }

  /// Writes `"path"` and, for a name that isn't UTF-8, `"pathBytes"`: its bytes in base64, since the repaired `"path"`
  /// opens no file.
  mutating func member(path: FilePath, as name: String = "path") {
    let raw = path.rawBytes
    member(JSONKey(name), String(decoding: raw, as: UTF8.self))
    guard String(validating: raw, as: UTF8.self) == nil else { return }
    member(JSONKey(name + "Bytes"), base64(raw))
  }

  // MARK: Bytes

  private mutating func literal(_ text: String) {
    separate()
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
    needsComma = true
  }

  /// Begins a value or a key. Returns whether the comma before it is still to be written: in one line, a value and what
  /// is around it are appended at once, which takes half the time.
  @inline(__always)
  private mutating func begin() -> Bool {
    let needsComma = style == .oneLine && needsComma && !followsKey
    if style == .oneLine { followsKey = false } else { separate() }
    self.needsComma = true
    return needsComma
  }

  private mutating func separate() {
    if followsKey {
      followsKey = false
      return
    }
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
    if depth > 0 { breakLine() }
  }

  private mutating func breakLine() {
    guard style == .pretty else { return }
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * depth))
  }

  /// Writes a text in quotation marks, for a key also the colon.
  private mutating func appendText(_ text: String, isKey: Bool) {
    let needsComma = begin()
    var text = text
    text.withUTF8 { letters in
      guard !appendShort(letters, isKey: isKey, isPlain: false, afterComma: needsComma) else { return }
      if needsComma { bytes.append(UInt8(ascii: ",")) }
      bytes.append(0x22)
      for byte in letters { append(escaping: byte) }
      bytes.append(0x22)
      if isKey { bytes.append(UInt8(ascii: ":")) }
    }
  }

  /// Writes a text if it is short and has nothing to escape, as most have; returns whether it did.
  /// - Parameter isPlain: Whether it is known that there is nothing to escape.
  @inline(__always)
  private mutating func appendShort(
    _ letters: UnsafeBufferPointer<UInt8>, isKey: Bool, isPlain: Bool, afterComma: Bool
  ) -> Bool {
    let (count, longest, word) = (letters.count, 48, MemoryLayout<UInt64>.size)
    guard count <= longest else { return false }
    return withUnsafeTemporaryAllocation(byteCount: longest + 2 * word, alignment: word) { token in
      token[0] = UInt8(ascii: ",")
      token[1] = 0x22
      let text = UnsafeMutableRawBufferPointer(rebasing: token[2...])
      // Blanks fill the last word.
      text.storeBytes(of: EightBytes.all(0x20), toByteOffset: count / word * word, as: UInt64.self)
      text.copyMemory(from: UnsafeRawBufferPointer(letters))
      if !isPlain {
        for at in stride(from: 0, to: count, by: word) {
          if EightBytes.hasEscaped(text.loadUnaligned(fromByteOffset: at, as: UInt64.self)) { return false }
        }
      }
      text[count] = 0x22
      text[count + 1] = UInt8(ascii: ":")
      bytes.append(
        contentsOf: UnsafeRawBufferPointer(rebasing: token[(afterComma ? 0 : 1)..<(isKey ? count + 4 : count + 3)]))
      return true
    }
  }

  private mutating func append(escaping byte: UInt8) {
    switch byte {
    case 0x22, 0x5C: bytes.append(contentsOf: [0x5C, byte])
    case 0x0A: bytes.append(contentsOf: "\\n".utf8)
    case 0x00..<0x20, 0x7F:
      bytes.append(contentsOf: "\\u00".utf8)
      bytes.append(contentsOf: [hexadecimal(byte >> 4), hexadecimal(byte & 15)])
    default: bytes.append(byte)
    }
  }

  private func hexadecimal(_ digit: UInt8) -> UInt8 { digit < 10 ? 0x30 + digit : 0x57 + digit }
}

/// The name of a member. A literal has at most 48 bytes and nothing to escape, so it isn't examined.
struct JSONKey: ExpressibleByStringLiteral {
  fileprivate enum Form {
    case literal(StaticString)
    case text(String)
  }

  fileprivate let form: Form

  init(stringLiteral: StaticString) { form = .literal(stringLiteral) }

  /// Creates a name that isn't a literal.
  init(_ text: String) { form = .text(text) }
}

/// Eight bytes of a text, compared at once.
private enum EightBytes {
  static func all(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

  /// Whether one of the bytes is escaped in JSON.
  static func hasEscaped(_ word: UInt64) -> Bool {
    // A byte below a limit sets its highest bit when the limit is subtracted, unless that bit was set before. What it
    // borrows from the next byte changes nothing: then there is one anyway.
    let isControl = (word &- all(0x20)) & ~word
    return (isControl | isZero(word ^ all(0x22)) | isZero(word ^ all(0x5C)) | isZero(word ^ all(0x7F))) & all(0x80) != 0
  }

  private static func isZero(_ word: UInt64) -> UInt64 { (word &- all(1)) & ~word }
}

/// A whole number, or a decimal of at most 15 digits of which at most five follow the point: coordinates of a gazetteer,
/// and rounded numbers. It is known without the search for the shortest decimal that `Double.description` makes.
private struct PlainDecimal {
  private let isNegative: Bool
  /// The number times ten to the power of `decimals`.
  private let digits: UInt64
  private let decimals: Int

  init(_ number: Int) { (isNegative, digits, decimals) = (number < 0, UInt64(number.magnitude), 0) }

  /// Returns nil if the number's shortest decimal is longer, or has an exponent.
  init?(shortest number: Double) {
    let magnitude = number.magnitude
    isNegative = number.sign == .minus
    if magnitude < 1e15, magnitude == magnitude.rounded(.towardZero) {
      (digits, decimals) = (UInt64(magnitude) * 10, 1)
      return
    }
    // Two decimals of at most 15 digits are never the same double. If one of them reads back as the number, it is
    // therefore the shortest, once the zeros at its end are gone.
    guard magnitude >= 1e-3, magnitude < 1e9 else { return nil }
    let scaled = (magnitude * 1e5).rounded()
    guard scaled / 1e5 == magnitude else { return nil }
    var (digits, decimals) = (UInt64(scaled), 5)
    while decimals > 1, digits % 10 == 0 {
      digits /= 10
      decimals -= 1
    }
    (self.digits, self.decimals) = (digits, decimals)
  }

  func append(to bytes: inout [UInt8], afterComma: Bool) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { text in
      var (rest, place) = (digits, text.count)
      func put(_ byte: UInt8) {
        place -= 1
        text[place] = byte
      }
      for _ in 0..<decimals {
        put(0x30 + UInt8(rest % 10))
        rest /= 10
      }
      if decimals > 0 { put(UInt8(ascii: ".")) }
      repeat {
        put(0x30 + UInt8(rest % 10))
        rest /= 10
      } while rest > 0
      if isNegative { put(UInt8(ascii: "-")) }
      if afterComma { put(UInt8(ascii: ",")) }
      bytes.append(contentsOf: UnsafeMutableBufferPointer(rebasing: text[place...]))
    }
  }
}

/// RFC 4648, section 4.
private func base64(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var text: [UInt8] = []
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
    for place in 0..<4 {
      text.append(place <= group.count ? alphabet[word >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
    }
  }
  return String(decoding: text, as: UTF8.self)
}
