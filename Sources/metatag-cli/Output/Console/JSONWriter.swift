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
  mutating func key(_ name: String) {
    separate()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
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

  mutating func value(_ text: String) {
    separate()
    quote(text)
    needsComma = true
  }

  mutating func value(_ number: some BinaryInteger) { literal(String(number)) }

  /// Writes the shortest decimal that reads back as the same number, in any locale, or `null` if it isn't finite.
  mutating func value(_ number: Double) { literal(number.isFinite ? number.description : "null") }

  mutating func value(_ truth: Bool) { literal(truth ? "true" : "false") }

  mutating func null() { literal("null") }

  // MARK: Members; nil values aren't written

  mutating func member(_ name: String, _ text: String?) {
    guard let text else { return }
    key(name)
    value(text)
  }

  mutating func member(_ name: String, _ number: Int?) {
    guard let number else { return }
    key(name)
    value(number)
  }

  mutating func member(_ name: String, _ number: Double?) {
    guard let number else { return }
    key(name)
    value(number)
  }

  mutating func member(_ name: String, _ truth: Bool?) {
    guard let truth else { return }
    key(name)
    value(truth)
  }

  /// Writes `"path"` and, for a name that isn't UTF-8, `"pathBytes"`: its bytes in base64, since the repaired `"path"`
  /// opens no file.
  mutating func member(path: FilePath, as name: String = "path") {
    let raw = path.rawBytes
    member(name, String(decoding: raw, as: UTF8.self))
    guard String(validating: raw, as: UTF8.self) == nil else { return }
    member(name + "Bytes", base64(raw))
  }

  // MARK: Bytes

  private mutating func literal(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    needsComma = true
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

  private mutating func quote(_ text: String) {
    bytes.append(0x22)
    for byte in text.utf8 {
      switch byte {
      case 0x22, 0x5C: bytes.append(contentsOf: [0x5C, byte])
      case 0x0A: bytes.append(contentsOf: "\\n".utf8)
      case 0x00..<0x20, 0x7F:
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(contentsOf: [hexadecimal(byte >> 4), hexadecimal(byte & 15)])
      default: bytes.append(byte)
      }
    }
    bytes.append(0x22)
  }

  private func hexadecimal(_ digit: UInt8) -> UInt8 { digit < 10 ? 0x30 + digit : 0x57 + digit }
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
