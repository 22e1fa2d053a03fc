/// A pull scanner for XML 1.0 in UTF-8 that reports the position of every name, attribute and text, so that one value
/// can be spliced without serializing the rest again. It resolves no namespaces and expands only the built-in entities.
///
/// A document type declaration is refused, because metadata doesn't need one; optionally it is skipped if it has no
/// internal subset. Internal declarations are how XML bombs are made.
package struct XMLScanner {
  /// The kind of the token at `range`.
  package enum Kind: Sendable {
    /// `<name …>`. A self-closing tag yields a start and then an end with the same range.
    case start
    case end
    /// Characters, still escaped.
    case text
    /// The characters of a CDATA section, between its brackets.
    case cdata
  }

  package struct Attribute: Hashable, Sendable {
    package let name: Range<Int>
    /// The range between the quotes, still escaped.
    package let value: Range<Int>
  }

  package private(set) var bytes: [UInt8]
  /// The position of `bytes` in the document, if it arrives in pieces.
  package private(set) var base: Int
  package private(set) var kind = Kind.text
  /// The range of the whole token.
  package private(set) var range = 0..<0
  /// The qualified name of a start or an end.
  package private(set) var name = 0..<0
  /// The attributes of a start.
  package private(set) var attributes: [Attribute] = []
  /// Whether a start is self-closing: `<name/>`.
  package private(set) var isEmptyElement = false
  /// The number of open elements, including the one just started.
  package var depth: Int { open.count }

  /// The number of bytes that are not yet scanned.
  package var remaining: Int { bytes.count - at }
  /// The number of bytes from the start of the last token.
  var tokenCount: Int { bytes.count - tokenStart }

  private var at: Int
  private var tokenStart = 0
  private var open: [Range<Int>] = []
  private var closesNow = false
  private var hasRoot = false
  private let passesDoctype: Bool
  private static let deepest = 256

  /// Creates a scanner of a document, or of a part of it.
  /// - Parameters:
  ///   - passesDoctype: Whether a document type declaration before the root element is skipped.
  ///   - base: The position of `bytes` in the document.
  package init(_ bytes: [UInt8], passesDoctype: Bool = false, base: Int = 0) {
    self.bytes = bytes
    self.base = base
    self.passesDoctype = passesDoctype
    at = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Advances to the next token; returns false at the end of a well-formed document.
  package mutating func next() throws(FileError) -> Bool {
    if closesNow {
      closesNow = false
      kind = .end
      open.removeLast()
      return true
    }
    tokenStart = at
    while at < bytes.count {
      let start = at
      tokenStart = at
      guard bytes[at] == UInt8(ascii: "<") else {
        var end = at + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "<") { end += 1 }
        at = end
        kind = .text
        range = start..<at
        return true
      }
      switch at + 1 < bytes.count ? bytes[at + 1] : 0 {
      case UInt8(ascii: "/"):
        try scanEnd()
        return true
      case UInt8(ascii: "?"):
        at = try end(of: "?>", from: at + 2)
      case UInt8(ascii: "!"):
        if has("<!--") {
          at = try end(of: "-->", from: at + 4)
        } else if has("<![CDATA[") {
          at = try end(of: "]]>", from: at + 9)
          kind = .cdata
          range = start + 9..<at - 3
          return true
        } else if has("<!DOCTYPE"), passesDoctype, !hasRoot {
          at = try endOfDoctype()
        } else if has("<!D") {
          throw FileError(.documentTypeDeclaration, "XML with a document type declaration is not supported", at: at)
        } else {
          throw FileError(.malformed, "invalid XML: unknown declaration after '<!'", at: at)
        }
      default:
        try scanStart()
        return true
      }
    }
    guard open.isEmpty, hasRoot else {
      throw FileError(.truncated, "unexpected end of XML: the root element is not closed", at: bytes.count)
    }
    return false
  }

  /// Continues a document that arrives in pieces: optionally rewinds to the start of the last token, drops everything
  /// before the position except the names of the open elements, which move to the front, and appends `more`. All ranges
  /// returned so far become invalid. Call it only after an error, after a text, or between tokens.
  package mutating func slide(rewinding: Bool, appending more: [UInt8]) {
    if rewinding { at = tokenStart }
    var kept: [UInt8] = []
    kept.reserveCapacity(remaining + more.count + 4_096)
    for index in open.indices {
      let start = kept.count
      kept += bytes[open[index]]
      open[index] = start..<kept.count
    }
    let rest = kept.count
    base += at - rest
    kept += bytes[at...]
    kept += more
    bytes = kept
    (at, tokenStart, range, name) = (rest, rest, rest..<rest, rest..<rest)
    attributes.removeAll(keepingCapacity: true)
  }

  /// Shortens the current text by a reference such as `&amp;` that the end of the bytes may cut. The reference begins the
  /// next token.
  mutating func keepReferenceWhole() {
    let tail = bytes[max(range.lowerBound + 1, range.upperBound - 12)..<range.upperBound]
    guard let start = tail.lastIndex(of: UInt8(ascii: "&")), !tail[start...].contains(UInt8(ascii: ";")) else { return }
    at = start
    range = range.lowerBound..<start
  }

  private mutating func scanEnd() throws(FileError) {
    let start = at
    at += 2
    name = try scanName()
    skipSpace()
    try expect(UInt8(ascii: ">"))
    guard let begun = open.popLast(), areEqual(begun, name) else {
      throw FileError(.malformed, "invalid XML: end tag without a start tag", at: start)
    }
    kind = .end
    range = start..<at
  }

  private mutating func scanStart() throws(FileError) {
    let start = at
    guard !open.isEmpty || !hasRoot else { throw FileError(.malformed, "invalid XML: second root element", at: start) }
    guard open.count < XMLScanner.deepest else {
      throw FileError(.nestedTooDeep, "XML is nested too deeply", at: start)
    }
    at += 1
    name = try scanName()
    attributes.removeAll(keepingCapacity: true)
    while true {
      let end = at
      skipSpace()
      guard at < bytes.count else { throw FileError(.truncated, "unexpected end of XML inside a tag", at: start) }
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
      guard at > end else { throw FileError(.malformed, "invalid XML: no space before an attribute", at: at) }
      try scanAttribute()
    }
    open.append(name)
    hasRoot = true
    closesNow = isEmptyElement
    kind = .start
    range = start..<at
  }

  private mutating func scanAttribute() throws(FileError) {
    let attribute = try scanName()
    skipSpace()
    try expect(UInt8(ascii: "="))
    skipSpace()
    let start = at
    let quote = start < bytes.count ? bytes[start] : 0
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw FileError(.malformed, "invalid XML: attribute value without quotes", at: start)
    }
    at += 1
    while at < bytes.count, bytes[at] != quote {
      guard bytes[at] != UInt8(ascii: "<") else {
        throw FileError(.malformed, "invalid XML: '<' in an attribute value", at: at)
      }
      at += 1
    }
    guard at < bytes.count else { throw FileError(.truncated, "unexpected end of XML inside an attribute", at: start) }
    attributes.append(Attribute(name: attribute, value: start + 1..<at))
    at += 1
  }

  private mutating func scanName() throws(FileError) -> Range<Int> {
    let start = at
    var end = at
    while end < bytes.count, XMLScanner.isNameByte(bytes[end]) { end += 1 }
    at = end
    guard end > start else { throw FileError(.malformed, "invalid XML: expected a name", at: start) }
    return start..<end
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

  private mutating func expect(_ byte: UInt8) throws(FileError) {
    guard at < bytes.count, bytes[at] == byte else {
      throw FileError(.malformed, "invalid XML: expected '\(Unicode.Scalar(byte))'", at: at)
    }
    at += 1
  }

  private func areEqual(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
    guard a.count == b.count else { return false }
    for i in 0..<a.count where bytes[a.lowerBound + i] != bytes[b.lowerBound + i] { return false }
    return true
  }

  private func has(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    return at + count <= bytes.count && bytes[at..<at + count].elementsEqual(text)
  }

  /// Returns the end of the document type declaration that begins here.
  private func endOfDoctype() throws(FileError) -> Int {
    var quote: UInt8?
    for i in at + 9..<bytes.count {
      switch bytes[i] {
      case let byte where quote != nil: if byte == quote { quote = nil }
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = bytes[i]
      case UInt8(ascii: "["):
        throw FileError(.documentTypeDeclaration, "XML with an internal subset in <!DOCTYPE> is not supported", at: at)
      case UInt8(ascii: ">"): return i + 1
      default: break
      }
    }
    throw FileError(.truncated, "unexpected end of XML inside a document type declaration", at: at)
  }

  private func end(of text: StaticString, from start: Int) throws(FileError) -> Int {
    let count = text.utf8CodeUnitCount
    var i = start
    while i + count <= bytes.count {
      if bytes[i] == text.utf8Start[0], bytes[i..<i + count].elementsEqual(text) { return i + count }
      i += 1
    }
    throw FileError(
      .truncated, "unexpected end of XML inside a comment, processing instruction or CDATA section", at: start)
  }
}

extension Sequence<UInt8> {
  @inlinable package func elementsEqual(_ text: StaticString) -> Bool {
    elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}

extension XMLScanner {
  /// Returns the name at `range` as text.
  package func text(_ range: Range<Int>) -> Substring { Substring(decoding: bytes[range], as: UTF8.self) }

  /// Returns the characters at `range`, with the five built-in entities and character references resolved.
  ///
  /// - Throws: `.malformed` if there is another entity.
  package func unescaped(_ range: Range<Int>) throws(FileError) -> String {
    String(decoding: try unescapedBytes(range), as: UTF8.self)
  }

  /// Returns the result of `unescaped` in UTF-8, as far as the document is.
  package func unescapedBytes(_ range: Range<Int>) throws(FileError) -> ArraySlice<UInt8> {
    guard bytes[range].contains(UInt8(ascii: "&")) else { return bytes[range] }
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
      else { throw FileError(.malformed, "invalid XML: unknown entity", at: i) }
      result += Array(String(Character(scalar)).utf8)
      i = semicolon + 1
    }
    return result[...]
  }

  /// Returns `text` escaped for use in an attribute or between tags.
  package static func escaped(_ text: String) -> [UInt8] {
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
      let isHexadecimal = name.hasPrefix("#x")
      let digits = name.dropFirst(isHexadecimal ? 2 : 1)
      guard digits.first != "+", let value = UInt32(digits, radix: isHexadecimal ? 16 : 10), value != 0 else {
        return nil
      }
      return Unicode.Scalar(value)
    }
  }
}
