/// Finds the properties we know in the RDF of a packet (XMP part 1, 7), in one pass.
///
/// It needs no grammar of RDF: a property of the picture is an attribute of, or an element in, what stands directly
/// below `rdf:RDF`; whatever is deeper belongs to a structure.
struct XMPReader {
  private(set) var properties: [XMPProperty] = []
  /// Where the root element ends; padding, the packet's trailer or junk follow.
  private(set) var rootEnd = 0
  /// Where the closing tag of `rdf:RDF` begins; nil when it has none.
  private(set) var rdfEnd: Int?

  private var scanner: XMLScanner
  private var bindings: [Binding] = []
  private var open: [(index: Int, depth: Int)] = []
  private var rdfDepth: Int?
  private var hasRDF = false

  private struct Binding {
    let prefix: Range<Int>
    let schema: XMPSchema
    let depth: Int
  }

  init(_ bytes: [UInt8]) throws(PhotoError) {
    scanner = XMLScanner(bytes)
    while rootEnd == 0, try scanner.next() {
      switch scanner.kind {
      case .start: try start()
      case .text: if isInValue { append(try scanner.unescaped(scanner.range)) }
      case .cdata: if isInValue { append(String(scanner.text(scanner.range))) }
      case .end: end()
      }
    }
    guard hasRDF else { throw PhotoError(.malformed, "it has no rdf:RDF element", at: 0) }
  }

  private mutating func start() throws(PhotoError) {
    try bind()
    let (schema, local) = resolve(scanner.name, isAttribute: false)
    guard let rdfDepth else {
      if schema == .rdf, scanner.bytes[local].elementsEqual("RDF") {
        rdfDepth = scanner.depth
        hasRDF = true
      }
      return
    }
    if let outer = open.last { properties[outer.index].text = nil }
    let level = scanner.depth - rdfDepth
    let isKnown = level > 1 && isKnown(schema, local)
    if isKnown { open.append((properties.count, scanner.depth)) }
    let index = properties.count
    if isKnown {
      let form = scanner.isEmptyElement ? XMPProperty.Form.emptyElement : .element
      let content = scanner.isEmptyElement ? scanner.range.upperBound - 2 : scanner.range.upperBound
      properties.append(
        property(
          schema, local, form, isOwn: level == 2, range: scanner.range, qualifiedName: scanner.name,
          content: content..<scanner.range.upperBound, text: ""))
    }
    for attribute in scanner.attributes {
      let (schema, local) = resolve(attribute.name, isAttribute: true)
      guard schema != .rdf, !isXML(attribute.name) else { continue }
      if isKnown { properties[index].text = nil }
      guard self.isKnown(schema, local) else { continue }
      properties.append(
        property(
          schema, local, .attribute, isOwn: level == 1,
          range: attribute.name.lowerBound..<attribute.value.upperBound + 1,
          qualifiedName: attribute.name, content: attribute.value, text: try scanner.unescaped(attribute.value)))
    }
  }

  private mutating func end() {
    if let last = open.last, last.depth > scanner.depth {
      open.removeLast()
      let property = properties[last.index]
      properties[last.index].range = property.range.lowerBound..<scanner.range.upperBound
      if property.form == .element {
        properties[last.index].content = property.content.upperBound..<scanner.range.lowerBound
      }
      properties[last.index].text = property.text.map { String($0.trimmingBlanks) }
    }
    while let last = bindings.last, last.depth > scanner.depth { bindings.removeLast() }
    if let depth = rdfDepth, depth > scanner.depth {
      rdfDepth = nil
      if scanner.bytes[scanner.range].starts(with: "</".utf8) { rdfEnd = scanner.range.lowerBound }
    }
    if scanner.depth == 0 { rootEnd = scanner.range.upperBound }
  }

  /// Whether the characters met now are the value of a property, or part of it.
  private var isInValue: Bool { open.last?.depth == scanner.depth }

  private mutating func append(_ text: String) {
    if let last = open.last { properties[last.index].text?.append(text) }
  }

  private mutating func bind() throws(PhotoError) {
    for attribute in scanner.attributes {
      let name = attribute.name
      guard scanner.bytes[name].starts(with: "xmlns".utf8), name.count == 5 || name.count > 6 else { continue }
      // Real packets have some thirty; each name is looked up among them.
      guard bindings.count < 1_000 else {
        throw PhotoError(.refused, "it has more than a thousand namespaces", at: name.lowerBound)
      }
      bindings.append(
        Binding(
          prefix: min(name.lowerBound + 6, name.upperBound)..<name.upperBound,
          schema: XMPSchema(uri: scanner.bytes[attribute.value]), depth: scanner.depth))
    }
  }

  private func resolve(_ name: Range<Int>, isAttribute: Bool) -> (schema: XMPSchema, local: Range<Int>) {
    let colon = scanner.bytes[name].firstIndex(of: UInt8(ascii: ":"))
    let prefix = name.lowerBound..<(colon ?? name.lowerBound)
    let local = (colon.map { $0 + 1 } ?? name.lowerBound)..<name.upperBound
    // An attribute without prefix is in no namespace at all (Namespaces in XML, 6.2).
    if isAttribute, colon == nil { return (.other, local) }
    let binding = bindings.last { scanner.bytes[$0.prefix] == scanner.bytes[prefix] }
    return (binding?.schema ?? .other, local)
  }

  private func isKnown(_ schema: XMPSchema, _ local: Range<Int>) -> Bool {
    switch schema {
    case .rdf: false
    case .other: XMPProperty.isPosition(scanner.bytes[local])
    default: true
    }
  }

  private func isXML(_ name: Range<Int>) -> Bool { scanner.bytes[name].starts(with: "xml".utf8) }

  private func property(
    _ schema: XMPSchema, _ local: Range<Int>, _ form: XMPProperty.Form, isOwn: Bool, range: Range<Int>,
    qualifiedName: Range<Int>, content: Range<Int>, text: String
  ) -> XMPProperty {
    var start = range.lowerBound
    while start > 0, scanner.bytes[start - 1].isXMLBlank { start -= 1 }
    return XMPProperty(
      name: schema.rawValue + ":" + scanner.text(local), form: form, isOwn: isOwn, range: start..<range.upperBound,
      qualifiedName: qualifiedName, content: content,
      text: form == .attribute ? String(text.trimmingBlanks) : text)
  }
}

extension UInt8 {
  /// Whether XML takes it for white space.
  var isXMLBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}

extension StringProtocol {
  /// Without white space at either end.
  var trimmingBlanks: Substring {
    var rest = Substring(self).utf8
    while rest.first?.isXMLBlank == true { rest.removeFirst() }
    while rest.last?.isXMLBlank == true { rest.removeLast() }
    return Substring(rest)
  }
}
