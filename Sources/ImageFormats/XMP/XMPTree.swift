/// All properties of an XMP packet, of every namespace, with their positions. `XMPPacket` reads only those whose meaning
/// is known, and faster.
package struct XMPTree {
  /// A property, an item of an array, or a field of a structure.
  struct Node {
    /// The name with the customary prefix of its namespace, or that of the packet.
    let name: String
    /// The range to remove with the node.
    var range: Range<Int>
    /// The range to replace with a new text; for an empty element, its end from the slash on.
    var content: Range<Int>
    /// The name as the packet writes it.
    let qualifiedName: Range<Int>
    var form: XMPProperty.Form
    /// The text; nil for an array or a structure.
    var text: String?
    var language: String?
    var array: Items?
    var fields: [Node] = []
  }

  /// The items of an array.
  struct Items {
    /// `rdf:Bag`, `rdf:Seq` or `rdf:Alt`, as the packet writes it.
    let qualifiedName: Range<Int>
    /// The offset where a new item is added.
    let end: Int
    let isEmpty: Bool
    var items: [Node] = []
  }

  let bytes: [UInt8]
  private(set) var properties: [Node] = []
  /// The namespaces that the packet declares, by prefix.
  private(set) var declared: [String: String] = [:]

  /// Reads a packet.
  /// - Throws: `malformed`, `truncated` or `refused` when it isn't well-formed.
  package init(_ bytes: [UInt8]) throws(FileError) {
    self.bytes = bytes
    var builder = Builder(bytes)
    let root = try builder.root()
    declared = builder.declared
    for description in root.descendant(named: "rdf:RDF")?.children ?? [] {
      properties += builder.nodes(in: description)
    }
  }

  /// The paths of all simple values, with their texts, in the order of the packet.
  package var values: [(path: XMPPath, text: String)] { properties.flatMap { XMPTree.values(of: $0, below: []) } }

  private static func values(of node: Node, below steps: [XMPPath.Step]) -> [(path: XMPPath, text: String)] {
    func step(_ selector: XMPPath.Selector?) -> [XMPPath.Step] {
      steps + [XMPPath.Step(name: node.name, selector: selector)]
    }
    if let array = node.array {
      return array.items.enumerated().flatMap { index, item in
        let steps = step(item.language.map { .language($0.lowercased()) } ?? .item(index + 1))
        if let text = item.text { return [(XMPPath(steps), text)] }
        return item.fields.flatMap { values(of: $0, below: steps) }
      }
    }
    if let text = node.text { return [(XMPPath(step(nil)), text)] }
    return node.fields.flatMap { values(of: $0, below: step(nil)) }
  }

  /// Returns the text at a path; nil if there is none. The path of a text in several languages is that of the default
  /// one.
  package func text(at path: XMPPath) -> String? { node(at: path)?.text }

  /// Returns the node at a path.
  func node(at path: XMPPath) -> Node? {
    var nodes = properties
    var found: Node?
    for step in path.steps {
      guard let node = nodes.first(where: { $0.name == step.name }) else { return nil }
      found = XMPTree.choice(step.selector, of: node)
      nodes = found?.fields ?? []
    }
    return found
  }

  /// Returns the node at a path, or the whole property or field if the path doesn't choose an item.
  func whole(at path: XMPPath) -> Node? {
    guard let last = path.steps.last, last.selector == nil else { return node(at: path) }
    let outer = XMPPath(path.steps.dropLast())
    let nodes = outer.steps.isEmpty ? properties : node(at: outer)?.fields ?? []
    return nodes.first { $0.name == last.name }
  }

  private static func choice(_ selector: XMPPath.Selector?, of node: Node) -> Node? {
    switch selector {
    case .item(let number): node.array.flatMap { $0.items.indices.contains(number - 1) ? $0.items[number - 1] : nil }
    case .language(let language): node.array?.items.first { $0.language?.lowercased() == language }
    case nil: node.array?.items.first { $0.language?.lowercased() == "x-default" } ?? node
    }
  }
}

extension XMPTree {
  /// Reads the elements of a packet, and makes properties of them.
  private struct Builder {
    private var scanner: XMLScanner
    /// The namespaces by prefix, innermost last, with the depth at which each was declared.
    private var bindings: [String: [(uri: String, depth: Int)]] = [:]
    private(set) var declared: [String: String] = [:]
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      scanner = XMLScanner(bytes)
    }

    /// Returns the root element with everything in it.
    mutating func root() throws(FileError) -> Element {
      var open: [Element] = []
      while try scanner.next() {
        switch scanner.kind {
        case .start:
          guard declared.count < 1_000 else { throw FileError(.valueTooLong, "it has too many namespaces", at: 0) }
          bind()
          open.append(try element())
        case .text, .cdata:
          guard !open.isEmpty else { continue }
          let text =
            scanner.kind == .text ? try scanner.unescaped(scanner.range) : String(scanner.text(scanner.range))
          open[open.count - 1].text += text
        case .end:
          guard var done = open.popLast() else { continue }
          done.range = done.range.lowerBound..<scanner.range.upperBound
          if !done.isEmpty { done.content = done.content.lowerBound..<scanner.range.lowerBound }
          for prefix in bindings.keys { bindings[prefix]?.removeAll { $0.depth > scanner.depth } }
          guard !open.isEmpty else { return done }
          open[open.count - 1].children.append(done)
        }
      }
      throw FileError(.malformed, "it has no root element", at: 0)
    }

    private mutating func bind() {
      for attribute in scanner.attributes {
        let name = String(scanner.text(attribute.name))
        guard name == "xmlns" || name.hasPrefix("xmlns:") else { continue }
        let (prefix, uri) = (String(name.dropFirst(6)), String(scanner.text(attribute.value)))
        bindings[prefix, default: []].append((uri, scanner.depth))
        declared[prefix] = uri
      }
    }

    /// Returns the name with the customary prefix of its namespace.
    private func name(_ range: Range<Int>, isAttribute: Bool) -> String {
      let parts = scanner.text(range).split(separator: ":", maxSplits: 1).map(String.init)
      guard parts.count == 2 || !isAttribute else { return parts[0] }
      let prefix = parts.count == 2 ? parts[0] : ""
      let uri = bindings[prefix]?.last?.uri ?? ""
      return (XMPNamespaces.prefixes[uri] ?? prefix) + ":" + (parts.last ?? "")
    }

    private func element() throws(FileError) -> Element {
      var attributes: [Element.Attribute] = []
      for attribute in scanner.attributes where !scanner.text(attribute.name).hasPrefix("xmlns") {
        attributes.append(
          Element.Attribute(
            name: name(attribute.name, isAttribute: true), qualifiedName: attribute.name, value: attribute.value,
            text: try scanner.unescaped(attribute.value)))
      }
      let end = scanner.range.upperBound
      return Element(
        name: name(scanner.name, isAttribute: false), qualifiedName: scanner.name, range: scanner.range,
        content: scanner.isEmptyElement ? end - 2..<end : end..<end, isEmpty: scanner.isEmptyElement,
        attributes: attributes)
    }

    /// Returns the properties in a description or a structure: its attributes, and its children.
    func nodes(in element: Element) -> [Node] {
      element.attributes.filter { !$0.name.hasPrefix("rdf:") && !$0.name.hasPrefix("xml:") && $0.name.contains(":") }
        .map { attribute in
          Node(
            name: attribute.name,
            range: blanks(before: attribute.qualifiedName.lowerBound)..<attribute.value.upperBound + 1,
            content: attribute.value, qualifiedName: attribute.qualifiedName, form: .attribute,
            text: String(attribute.text.trimmingBlanks))
        } + element.children.filter { $0.name != "rdf:value" }.map(node)
    }

    private func node(_ element: Element) -> Node {
      var node = Node(
        name: element.name, range: blanks(before: element.range.lowerBound)..<element.range.upperBound,
        content: element.content, qualifiedName: element.qualifiedName,
        form: element.isEmpty ? .emptyElement : .element,
        language: element.attributes.first { $0.name == "xml:lang" }?.text)
      if let resource = element.attributes.first(where: { $0.name == "rdf:resource" }) {
        (node.text, node.form, node.content) = (resource.text, .attribute, resource.value)
        return node
      }
      let inner = element.children.count == 1 ? element.children[0] : nil
      if let inner, ["rdf:Bag", "rdf:Seq", "rdf:Alt"].contains(inner.name) {
        let items = inner.children.filter { $0.name == "rdf:li" }.map(self.node)
        node.array = Items(
          qualifiedName: inner.qualifiedName,
          end: inner.isEmpty ? inner.content.lowerBound : inner.content.upperBound, isEmpty: inner.isEmpty,
          items: items)
        return node
      }
      let isResource = element.attributes.contains { $0.name == "rdf:parseType" && $0.text == "Resource" }
      let structure = inner?.name == "rdf:Description" ? inner : isResource ? element : nil
      if let structure {
        // A value with qualifiers.
        if let value = structure.children.first(where: { $0.name == "rdf:value" }), value.children.isEmpty {
          (node.text, node.content) = (String(value.text.trimmingBlanks), value.content)
          node.form = value.isEmpty ? .emptyElement : .element
        } else {
          node.fields = nodes(in: structure)
        }
        return node
      }
      let fields = nodes(in: element)
      if fields.isEmpty { node.text = String(element.text.trimmingBlanks) } else { node.fields = fields }
      return node
    }

    private func blanks(before offset: Int) -> Int {
      var start = offset
      while start > 0, bytes[start - 1].isXMLBlank { start -= 1 }
      return start
    }
  }

  /// An XML element.
  private struct Element {
    struct Attribute {
      let name: String
      let qualifiedName: Range<Int>
      let value: Range<Int>
      let text: String
    }

    let name: String
    let qualifiedName: Range<Int>
    var range: Range<Int>
    var content: Range<Int>
    let isEmpty: Bool
    let attributes: [Attribute]
    var children: [Element] = []
    var text = ""

    /// Returns this element or the first below it with a name.
    func descendant(named wanted: String) -> Element? {
      if name == wanted { return self }
      for child in children {
        if let found = child.descendant(named: wanted) { return found }
      }
      return nil
    }
  }
}
