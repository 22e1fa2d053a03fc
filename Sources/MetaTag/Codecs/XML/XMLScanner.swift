/// A pull scanner over XML 1.0 in UTF-8 that says where every name, attribute and text stands, so that one value can be
/// spliced without serialising the rest again. It resolves no namespaces and expands no entities but the built-in ones.
///
/// A document type declaration is refused: nothing we read has a use for one, and it is how XML bombs are made.
struct XMLScanner {
  /// What stands at `range`.
  enum Kind: Sendable {
    /// `<name …>`; a self-closing tag gives a start and then an end of the same range.
    case start
    case end
    /// Characters, still escaped.
    case text
    /// Characters of a CDATA section, between its brackets.
    case cdata
  }

  struct Attribute: Hashable, Sendable {
    let name: Range<Int>
    /// Between the quotes, still escaped.
    let value: Range<Int>
  }

  let bytes: [UInt8]
  private(set) var kind = Kind.text
  /// The whole token.
  private(set) var range = 0..<0
  /// Of a start or end, the qualified name.
  private(set) var name = 0..<0
  /// Of a start.
  private(set) var attributes: [Attribute] = []
  /// Of a start, whether it is `<name/>`.
  private(set) var isEmptyElement = false
  /// How many elements are open, the one just started included.
  var depth: Int { open.count }

  private var at: Int
  private var open: [Range<Int>] = []
  private var closesNow = false
  private static let deepest = 256

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    at = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Goes to the next token; false at the end of a well-formed document.
  mutating func next() throws(PhotoError) -> Bool {
    if closesNow {
      closesNow = false
      kind = .end
      open.removeLast()
      return true
    }
    while at < bytes.count {
      let start = at
      guard bytes[at] == UInt8(ascii: "<") else {
        while at < bytes.count, bytes[at] != UInt8(ascii: "<") { at += 1 }
        kind = .text
        range = start..<at
        return true
      }
      if has("<!--") {
        at = try end(of: "-->", from: at + 4)
      } else if has("<?") {
        at = try end(of: "?>", from: at + 2)
      } else if has("<![CDATA[") {
        let last = try end(of: "]]>", from: at + 9)
        kind = .cdata
        range = at + 9..<last - 3
        at = last
        return true
      } else if has("<!") {
        throw PhotoError(.refused, "XML with a document type declaration is not read", at: at)
      } else if has("</") {
        at += 2
        name = try scanName()
        skipSpace()
        try expect(UInt8(ascii: ">"))
        guard let begun = open.popLast(), bytes[begun] == bytes[name] else {
          throw PhotoError(.malformed, "XML element closed that was not open", at: start)
        }
        kind = .end
        range = start..<at
        return true
      } else {
        try scanStart()
        return true
      }
    }
    guard open.isEmpty else { throw PhotoError(.truncated, "XML ends inside an element", at: bytes.count) }
    return false
  }

  /// Whether the current name is this, prefix included.
  func isNamed(_ text: StaticString) -> Bool { bytes[name].elementsEqual(text) }

  /// The name at `range`, as text.
  func text(_ range: Range<Int>) -> Substring { Substring(decoding: bytes[range], as: UTF8.self) }

  /// The characters at `range` with the five built-in entities and character references resolved.
  func unescaped(_ range: Range<Int>) throws(PhotoError) -> String {
    guard bytes[range].contains(UInt8(ascii: "&")) else { return String(decoding: bytes[range], as: UTF8.self) }
    var result: [UInt8] = []
    var i = range.lowerBound
    while i < range.upperBound {
      guard bytes[i] == UInt8(ascii: "&") else {
        result.append(bytes[i])
        i += 1
        continue
      }
      guard let semicolon = bytes[i..<min(range.upperBound, i + 12)].firstIndex(of: UInt8(ascii: ";")),
        let scalar = XMLScanner.entity(String(decoding: bytes[i + 1..<semicolon], as: UTF8.self))
      else { throw PhotoError(.malformed, "XML with an unknown entity", at: i) }
      result += Array(String(Character(scalar)).utf8)
      i = semicolon + 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// `text` as it may stand in an attribute or between tags.
  static func escaped(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): result += Array("&amp;".utf8)
      case UInt8(ascii: "<"): result += Array("&lt;".utf8)
      case UInt8(ascii: ">"): result += Array("&gt;".utf8)
      case UInt8(ascii: "\""): result += Array("&quot;".utf8)
      case UInt8(ascii: "'"): result += Array("&apos;".utf8)
      default: result.append(byte)
      }
    }
    return result
  }

  private static func entity(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let digits = name.dropFirst()
      let value = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      return value.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
    }
  }

  private mutating func scanStart() throws(PhotoError) {
    let start = at
    at += 1
    name = try scanName()
    attributes.removeAll(keepingCapacity: true)
    while true {
      skipSpace()
      guard at < bytes.count else { throw PhotoError(.truncated, "XML ends inside a tag", at: start) }
      if bytes[at] == UInt8(ascii: ">") {
        at += 1
        isEmptyElement = false
        break
      }
      if bytes[at] == UInt8(ascii: "/") {
        at += 1
        try expect(UInt8(ascii: ">"))
        isEmptyElement = true
        break
      }
      let attribute = try scanName()
      skipSpace()
      try expect(UInt8(ascii: "="))
      skipSpace()
      guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'"),
        let close = bytes[(at + 1)...].firstIndex(of: bytes[at])
      else { throw PhotoError(.malformed, "XML attribute without quotes", at: at) }
      attributes.append(Attribute(name: attribute, value: at + 1..<close))
      at = close + 1
    }
    guard open.count < XMLScanner.deepest else { throw PhotoError(.refused, "XML nested too deep", at: start) }
    open.append(name)
    closesNow = isEmptyElement
    kind = .start
    range = start..<at
  }

  private mutating func scanName() throws(PhotoError) -> Range<Int> {
    let start = at
    while at < bytes.count, XMLScanner.isNameByte(bytes[at]) { at += 1 }
    guard at > start else { throw PhotoError(.malformed, "XML without a name where one must stand", at: start) }
    return start..<at
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: ":"), 0x80...0xFF:
      true
    default: false
    }
  }

  private mutating func skipSpace() {
    while at < bytes.count, bytes[at] == 0x20 || (0x09...0x0D).contains(bytes[at]) { at += 1 }
  }

  private mutating func expect(_ byte: UInt8) throws(PhotoError) {
    guard at < bytes.count, bytes[at] == byte else {
      throw PhotoError(.malformed, "XML without '\(Unicode.Scalar(byte))' where one must stand", at: at)
    }
    at += 1
  }

  private func has(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    return at + count <= bytes.count && bytes[at..<at + count].elementsEqual(text)
  }

  private func end(of text: StaticString, from start: Int) throws(PhotoError) -> Int {
    let count = text.utf8CodeUnitCount
    var i = start
    while i + count <= bytes.count {
      if bytes[i] == text.utf8Start[0], bytes[i..<i + count].elementsEqual(text) { return i + count }
      i += 1
    }
    throw PhotoError(.truncated, "XML ends inside a comment, instruction or CDATA section", at: start)
  }
}

extension Sequence<UInt8> {
  func elementsEqual(_ text: StaticString) -> Bool {
    elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
