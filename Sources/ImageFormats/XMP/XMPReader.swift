/// A reader that finds the properties we know in the RDF of a packet (XMP part 1, 7), in one pass.
///
/// It needs no grammar of RDF: a property of the picture is an attribute of, or an element in, an element directly
/// below `rdf:RDF`; anything deeper belongs to a structure.
struct XMPReader {
  private(set) var properties: [XMPProperty] = []
  /// The end of the root element; padding, the packet's trailer or junk follow.
  private(set) var rootEnd = 0
  /// The position for further descriptions; nil until it is found.
  private(set) var rdf: RDF?

  /// The element that holds the descriptions.
  struct RDF {
    let name: Range<Int>
    /// The end tag, or the whole of an empty element.
    var end: Range<Int>
    let isEmpty: Bool
    /// The first description's `about` value, still escaped: all must be equal.
    var about = 0..<0
  }

  private var scanner: XMLScanner
  /// The current meanings of prefixes, the innermost last, and the element depth at which each declaration ends.
  private var bindings: [ArraySlice<UInt8>: [XMPSchema]] = [:]
  private var declared: [(prefix: ArraySlice<UInt8>, depth: Int)] = []
  private var open: [(index: Int, depth: Int)] = []
  private var rdfDepth: Int?
  /// An element of an unknown namespace, while it holds only text: it may be a date.
  private var leaf: (property: XMPProperty, depth: Int)?
  /// The start of the text of an array's item, while the item holds nothing else.
  private var item: (start: Int, depth: Int)?
  /// The open elements, by their properties' names, that are neither known nor RDF's.
  private var foreign: [(name: String, depth: Int)] = []

  init(_ bytes: [UInt8]) throws(FileError) {
    scanner = XMLScanner(bytes)
    while rootEnd == 0, try scanner.next() {
      switch scanner.kind {
      case .start: try start()
      case .text:
        if isInValue || isInItem {
          append(try scanner.unescaped(scanner.range))
        } else if isInLeaf {
          leaf?.property.text?.append(try scanner.unescaped(scanner.range))
        }
      case .cdata:
        if isInValue || isInItem {
          append(String(scanner.text(scanner.range)))
        } else if isInLeaf {
          leaf?.property.text?.append(String(scanner.text(scanner.range)))
        }
      case .end: end()
      }
    }
  }

  private mutating func start() throws(FileError) {
    try bind()
    let (schema, local) = resolve(scanner.name, isAttribute: false)
    guard let rdfDepth else {
      if schema == .rdf, scanner.bytes[local].elementsEqual("RDF") {
        rdfDepth = scanner.depth
        rdf = RDF(name: scanner.name, end: scanner.range, isEmpty: scanner.isEmptyElement)
      }
      return
    }
    let level = scanner.depth - rdfDepth
    let isKnown = level > 1 && isKnown(schema, local)
    (leaf, item) = (nil, nil)
    if level > 1, !isKnown, !scanner.isEmptyElement, !isItem(schema, local) {
      let start = scanner.range.upperBound
      var element = property(
        schema, local, .element, isOwn: level == 2, range: scanner.range, qualifiedName: scanner.name,
        content: start..<start, text: "")
      if schema == .rdf { element.holder = holder } else { foreign.append((element.name, scanner.depth)) }
      leaf = (element, scanner.depth)
    }
    if let outer = open.last {
      properties[outer.index].text = nil
      if schema == .rdf, outer.depth == scanner.depth - 2, scanner.bytes[local].elementsEqual("li") {
        let isDefault = scanner.attributes.contains {
          scanner.bytes[$0.name].elementsEqual("xml:lang".utf8) && scanner.text($0.value) == "x-default"
        }
        properties[outer.index].items.append(XMPProperty.Item(isDefault: isDefault))
        if !scanner.isEmptyElement { item = (scanner.range.upperBound, scanner.depth) }
      }
      if schema != .rdf, !isKnown { properties[outer.index].holdsOthers = true }
    }
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
      // Adobe's old toolkits omitted the prefix, as in RDF's first form.
      let isRDF = schema == .rdf || local == attribute.name
      if isRDF, level == 1, rdf?.about.isEmpty == true, scanner.bytes[local].elementsEqual("about") {
        rdf?.about = attribute.value
      }
      guard schema != .rdf, !isXML(attribute.name) else { continue }
      if isKnown { properties[index].text = nil }
      let isDate = schema == .other && attribute.value.count <= XMPDate.longest
      guard isDate || self.isKnown(schema, local) else { continue }
      let found = property(
        schema, local, .attribute, isOwn: level == 1,
        range: attribute.name.lowerBound..<attribute.value.upperBound + 1,
        qualifiedName: attribute.name, content: attribute.value, text: try scanner.unescaped(attribute.value))
      if self.isKnown(schema, local) || found.isWholeDate { properties.append(found) }
    }
  }

  private mutating func end() {
    if let found = leaf, found.depth > scanner.depth {
      var property = found.property
      leaf = nil
      property.content = property.content.lowerBound..<scanner.range.lowerBound
      property.range = property.range.lowerBound..<scanner.range.upperBound
      property.text = property.text.map { String($0.trimmingBlanks) }
      if property.isWholeDate { properties.append(property) }
    }
    if let begun = item, begun.depth > scanner.depth, let array = open.last {
      item = nil
      let content = begun.start..<scanner.range.lowerBound
      properties[array.index].items[properties[array.index].items.count - 1].content = content
    }
    if let last = open.last, last.depth > scanner.depth {
      open.removeLast()
      let property = properties[last.index]
      properties[last.index].range = property.range.lowerBound..<scanner.range.upperBound
      if property.form == .element {
        properties[last.index].content = property.content.upperBound..<scanner.range.lowerBound
      }
      properties[last.index].text = property.text.map { String($0.trimmingBlanks) }
      for index in property.items.indices {
        properties[last.index].items[index].text = String(property.items[index].text.trimmingBlanks)
      }
    }
    while let last = foreign.last, last.depth > scanner.depth { foreign.removeLast() }
    while let last = declared.last, last.depth > scanner.depth {
      declared.removeLast()
      bindings[last.prefix]?.removeLast()
    }
    if let depth = rdfDepth, depth > scanner.depth {
      rdfDepth = nil
      rdf?.end = scanner.range
    }
    if scanner.depth == 0 { rootEnd = scanner.range.upperBound }
  }

  /// Whether the current characters are the value of a property, or part of it.
  private var isInValue: Bool { open.last?.depth == scanner.depth }

  /// Whether the current characters are an array item of the value, or part of one.
  private var isInItem: Bool {
    guard let last = open.last else { return false }
    return last.depth == scanner.depth - 2 && !properties[last.index].items.isEmpty
  }

  /// Whether the current characters may be a date in an unknown element.
  private var isInLeaf: Bool { leaf?.depth == scanner.depth && scanner.range.count <= XMPDate.longest }

  /// Whether an element that starts is an item of an array that is a known property.
  private func isItem(_ schema: XMPSchema, _ local: Range<Int>) -> Bool {
    schema == .rdf && open.last?.depth == scanner.depth - 2 && scanner.bytes[local].elementsEqual("li")
  }

  /// The innermost property that contains the current RDF element.
  private var holder: String? {
    guard let outer = open.last, foreign.last?.depth ?? 0 < outer.depth else { return foreign.last?.name }
    return properties[outer.index].name
  }

  private mutating func append(_ text: String) {
    guard let last = open.last else { return }
    if last.depth == scanner.depth {
      properties[last.index].text?.append(text)
    } else if let item = properties[last.index].items.indices.last {
      properties[last.index].items[item].text.append(text)
    }
  }

  private mutating func bind() throws(FileError) {
    for attribute in scanner.attributes {
      let name = attribute.name
      guard scanner.bytes[name].starts(with: "xmlns".utf8), name.count == 5 || name.count > 6 else { continue }
      // Real packets have about thirty.
      guard declared.count < 1_000 else {
        throw FileError(.valueTooLong, "it has more than 1000 namespace declarations", at: name.lowerBound)
      }
      let prefix = scanner.bytes[min(name.lowerBound + 6, name.upperBound)..<name.upperBound]
      bindings[prefix, default: []].append(XMPSchema(uri: scanner.bytes[attribute.value]))
      declared.append((prefix, scanner.depth))
    }
  }

  private func resolve(_ name: Range<Int>, isAttribute: Bool) -> (schema: XMPSchema, local: Range<Int>) {
    let colon = scanner.bytes[name].firstIndex(of: UInt8(ascii: ":"))
    let prefix = name.lowerBound..<(colon ?? name.lowerBound)
    let local = (colon.map { $0 + 1 } ?? name.lowerBound)..<name.upperBound
    // An attribute without prefix is in no namespace at all (Namespaces in XML, 6.2).
    if isAttribute, colon == nil { return (.other, local) }
    return (bindings[scanner.bytes[prefix]]?.last ?? .other, local)
  }

  private func isKnown(_ schema: XMPSchema, _ local: Range<Int>) -> Bool {
    switch schema {
    case .rdf: false
    case .other: XMPProperty.holdsLocation(named: ":" + scanner.text(local))
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
    let index = properties.count
    // The property just opened is not its own outer one.
    let outer = open.last { $0.index != index }?.index
    return XMPProperty(
      name: schema.rawValue + ":" + scanner.text(local), form: form, isOwn: isOwn,
      outer: outer.map { XMPProperty.Outer(index: $0, item: properties[$0].items.count) },
      range: start..<range.upperBound, qualifiedName: qualifiedName, content: content,
      text: form == .attribute ? String(text.trimmingBlanks) : text)
  }
}

extension UInt8 {
  /// Whether the byte is white space in XML.
  var isXMLBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}

extension StringProtocol {
  /// The text without white space at either end.
  var trimmingBlanks: Substring {
    var rest = Substring(self).utf8
    while rest.first?.isXMLBlank == true { rest.removeFirst() }
    while rest.last?.isXMLBlank == true { rest.removeLast() }
    return Substring(rest)
  }
}
