/// A pull scanner for XML 1.0 in UTF-8 that holds one token at a time. It resolves no namespaces (names are returned
/// without their prefixes), and only the built-in entities and character references.
///
/// A document type declaration is skipped. One with an internal subset is refused: files of places don't need it, and
/// it is how XML bombs are made.
struct XMLStream {
  enum Token {
    case start(name: String, attributes: [String: String])
    case end(name: String)
    /// Characters, in pieces of at most 64 KiB; a piece may end in the middle of a character.
    case text([UInt8])
  }

  private var open: [String] = []
  private var closesNow = false
  private var hasRoot = false
  /// Whether the `<` that ended a text was consumed.
  private var isAtTag = false
  private var isInCDATA = false
  /// Bytes that may begin the end of a CDATA section; they are kept for the next piece.
  private var held: [UInt8] = []

  private static let deepest = 256
  private static let piece = 1 << 16

  /// The number of open elements, including the one just started.
  var depth: Int { open.count }

  /// Returns the next token; nil at the end of a well-formed document.
  mutating func next(_ bytes: inout ByteStream) throws(GeoIndexError) -> Token? {
    while true {
      if closesNow {
        closesNow = false
        return .end(name: open.removeLast())
      }
      if isInCDATA { return .text(try cdata(&bytes)) }
      if !isAtTag {
        let text = try self.text(&bytes)
        if !text.isEmpty, depth > 0 { return .text(text) }
        guard isAtTag else {
          guard depth == 0, hasRoot else { throw Self.broken("it breaks off", bytes) }
          return nil
        }
      }
      isAtTag = false
      if let token = try tag(&bytes) { return token }
    }
  }

  private mutating func text(_ bytes: inout ByteStream) throws(GeoIndexError) -> [UInt8] {
    var text: [UInt8] = []
    while text.count < Self.piece, let byte = try bytes.next() {
      if byte == UInt8(ascii: "<") {
        isAtTag = true
        break
      }
      if byte == UInt8(ascii: "&") { text += try reference(&bytes) } else { text.append(byte) }
    }
    return text
  }

  private func reference(_ bytes: inout ByteStream) throws(GeoIndexError) -> [UInt8] {
    var name: [UInt8] = []
    while let byte = try bytes.next(), byte != UInt8(ascii: ";") {
      name.append(byte)
      if name.count > 10 { break }
    }
    guard let text = Self.text(ofEntity: name) else { throw Self.broken("it has an unknown entity", bytes) }
    return Array(text.utf8)
  }

  private static func text(ofEntity name: [UInt8]) -> String? {
    let name = String(decoding: name, as: UTF8.self)
    if let text = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"][name] { return text }
    guard name.hasPrefix("#") else { return nil }
    let isHex = name.hasPrefix("#x")
    let number = UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10)
    return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
  }

  /// Reads a tag, comment or instruction after its `<`.
  private mutating func tag(_ bytes: inout ByteStream) throws(GeoIndexError) -> Token? {
    var (tag, quote) = ([UInt8](), UInt8(0))
    while let byte = try bytes.next() {
      if tag.elementsEqual("!--".utf8) {
        try skip(&bytes, to: "-->", after: [byte])
        return nil
      }
      if tag.elementsEqual("![CDATA[".utf8) { throw Self.broken("it has a CDATA section in the wrong place", bytes) }
      let isDeclaration = tag.starts(with: "!DOCTYPE".utf8)
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if isDeclaration, byte == UInt8(ascii: "[") {
        throw Self.broken("it has declarations of its own in <!DOCTYPE>, which are not read", bytes)
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), tag.first != UInt8(ascii: "?") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return try token(tag, bytes)
      }
      tag.append(byte)
      if tag.elementsEqual("![CDATA[".utf8), depth > 0 {
        isInCDATA = true
        return nil
      }
      guard tag.count <= Self.piece else { throw Self.broken("it has a tag longer than 64 KiB", bytes) }
    }
    throw Self.broken("it breaks off inside a tag", bytes)
  }

  private mutating func cdata(_ bytes: inout ByteStream) throws(GeoIndexError) -> [UInt8] {
    var text = held
    held = []
    while let byte = try bytes.next() {
      text.append(byte)
      if byte == UInt8(ascii: ">"), text.suffix(3).elementsEqual("]]>".utf8) {
        isInCDATA = false
        return text.dropLast(3)
      }
      if text.count >= Self.piece {
        held = Array(text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "]") })
        return text.dropLast(held.count)
      }
    }
    throw Self.broken("it breaks off", bytes)
  }

  private func skip(_ bytes: inout ByteStream, to end: String, after first: [UInt8]) throws(GeoIndexError) {
    var last = first
    while !last.elementsEqual(end.utf8) {
      guard let byte = try bytes.next() else { throw Self.broken("it breaks off inside a comment", bytes) }
      last.append(byte)
      if last.count > end.utf8.count { last.removeFirst() }
    }
  }

  private mutating func token(_ tag: [UInt8], _ bytes: borrowing ByteStream) throws(GeoIndexError) -> Token? {
    guard let first = tag.first, first != UInt8(ascii: "?") else { return nil }
    if tag.starts(with: "!DOCTYPE".utf8) {
      guard hasRoot else { return nil }
      throw Self.broken("it has a document type declaration in the wrong place", bytes)
    }
    if first == UInt8(ascii: "/") {
      let name = Self.local(tag.dropFirst().prefix { !Self.isBlank($0) })
      guard open.last == name else { throw Self.broken("</\(name)> closes what is not open", bytes) }
      return .end(name: open.removeLast())
    }
    let isEmpty = tag.last == UInt8(ascii: "/")
    let body = isEmpty ? tag.dropLast() : tag[...]
    let name = Self.local(body.prefix { !Self.isBlank($0) })
    guard !name.isEmpty, depth > 0 || !hasRoot else {
      throw Self.broken("it has more than one outermost element", bytes)
    }
    guard depth < Self.deepest else { throw Self.broken("it is nested more than \(Self.deepest) levels deep", bytes) }
    open.append(name)
    (hasRoot, closesNow) = (true, isEmpty)
    return .start(name: name, attributes: try attributes(body.drop { !Self.isBlank($0) }, bytes))
  }

  private func attributes(
    _ body: ArraySlice<UInt8>, _ bytes: borrowing ByteStream
  ) throws(GeoIndexError) -> [String: String] {
    var (attributes, rest) = ([String: String](), body.drop(while: Self.isBlank))
    while !rest.isEmpty {
      let name = rest.prefix { $0 != UInt8(ascii: "=") && !Self.isBlank($0) }
      rest = rest.dropFirst(name.count).drop(while: Self.isBlank)
      guard rest.popFirst() == UInt8(ascii: "=") else { throw Self.broken("it has an attribute without value", bytes) }
      rest = rest.drop(while: Self.isBlank)
      guard let quote = rest.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let end = rest.firstIndex(of: quote)
      else { throw Self.broken("it has an attribute without quotation marks", bytes) }
      attributes[Self.local(name)] = Self.unescaped(rest[..<end])
      rest = rest[(end + 1)...].drop(while: Self.isBlank)
    }
    return attributes
  }

  private static func unescaped(_ value: ArraySlice<UInt8>) -> String {
    var (text, rest) = ([UInt8](), value)
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "&"), let end = rest.prefix(11).firstIndex(of: UInt8(ascii: ";")),
        let entity = Self.text(ofEntity: Array(rest[..<end]))
      {
        text += entity.utf8
        rest = rest[(end + 1)...]
      } else {
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func local(_ name: ArraySlice<UInt8>) -> String {
    String(decoding: name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name, as: UTF8.self)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private static func broken(_ why: String, _ bytes: borrowing ByteStream) -> GeoIndexError {
    GeoIndexError(.badFile, "the file breaks the rules of XML: \(why) (before offset \(bytes.count))")
  }

  /// Returns the name of the outermost element. Whatever precedes it is matched without backtracking; otherwise
  /// comments without a following element would take forever.
  static func root(of head: ArraySlice<UInt8>) -> Substring? {
    let text = String(decoding: head, as: UTF8.self)
    let first =
      #/
        ^ (?> (?: \s | <\?[^>]*> | <!--.*?-->
          | <!DOCTYPE (?: "[^"]*" | '[^']*' | [^\["'>] )* (?: \[ (?: "[^"]*" | '[^']*' | [^\]"'] )* \]\s* )? > )* )
        < (?:[\w.-]+:)? ([\w.-]+)
      /#
    return text.firstMatch(of: first.dotMatchesNewlines())?.1
  }
}
