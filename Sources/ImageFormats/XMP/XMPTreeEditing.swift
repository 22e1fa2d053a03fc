/// Changes of values by their paths, as splices: the rest of the packet stays as it is.
extension XMPPacket {
  /// Returns the packet's bytes after changes of values by their paths; nil if nothing changes.
  /// - Throws: `unsupported` when a path leads to something else than a text, or to a namespace that isn't known;
  ///   `refused` when a structure or an item before it is missing.
  static func bytes(
    _ bytes: [UInt8], changing properties: [XMPPath: Change<String>]
  ) throws(FileError) -> [UInt8]? {
    var current = bytes
    // One by one, because each may move the others.
    for (path, change) in properties.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      let tree = try XMPTree(current)
      let splices: [Splice]
      switch change {
      case .keep: continue
      case .set(let text):
        guard tree.text(at: path) != text else { continue }
        splices = [try tree.setting(path, to: text, in: try XMPPacket(Bytes(current)))]
      case .remove:
        guard let node = tree.whole(at: path) else { continue }
        splices = [Splice(node.range, [])]
      }
      current = try XMPPacket(Bytes(current)).applying(splices)
    }
    return current == bytes ? nil : current
  }
}

extension XMPTree {
  /// Returns the splice that makes `text` the value at a path.
  fileprivate func setting(_ path: XMPPath, to text: String, in packet: XMPPacket) throws(FileError) -> Splice {
    if let node = node(at: path) {
      guard node.text != nil else {
        throw FileError(
          .xmpForm, "\(path) in XMP is \(node.array == nil ? "a structure" : "an array") and can't be set as a text",
          at: node.range.lowerBound)
      }
      return replacement(of: node, with: text)
    }
    let last = path.steps[path.steps.count - 1]
    let holder = XMPPath(path.steps.dropLast() + [XMPPath.Step(name: last.name, selector: nil)])
    if let selector = last.selector, let array = whole(at: holder)?.array {
      return try addition(of: text, selector, to: array, path)
    }
    if path.steps.count > 1 { return try member(path, text, in: packet) }
    guard node(at: holder) == nil else {
      throw FileError(.xmpForm, "\(path) is not in the XMP, where the property has another form", at: 0)
    }
    return try packet.description(holding: [element(last, text)], declaring: declarations(for: last.name))
  }

  func replacement(of node: Node, with text: String) -> Splice {
    let escaped = Array(XMPTree.escaped(text).utf8)
    guard node.form == .emptyElement else { return Splice(node.content, escaped) }
    return Splice(
      node.content,
      Array(">".utf8) + escaped + Array("</".utf8) + bytes[node.qualifiedName] + Array(">".utf8))
  }

  /// Returns the splice that adds a field to a structure, or the first field of a new one.
  private func member(_ path: XMPPath, _ text: String, in packet: XMPPacket) throws(FileError) -> Splice {
    let last = path.steps[path.steps.count - 1]
    let outer = XMPPath(Array(path.steps.dropLast()))
    if let field = whole(at: outer)?.fields.last {
      let declarations = try declarations(for: last.name).map { " xmlns:\($0.prefix)=\"\($0.uri)\"" }.joined()
      let end = field.range.upperBound
      guard field.form != .attribute else {
        guard last.selector == nil, XMPTree.form(of: last.name) == nil else {
          throw FileError(.xmpForm, "\(path) can't be added to a structure that is written as attributes", at: end)
        }
        return Splice(end..<end, Array("\(declarations) \(last.name)=\"\(XMPTree.escaped(text))\"".utf8))
      }
      let name = element(last, text).dropFirst(1 + last.name.utf8.count)
      return Splice(end..<end, Array("<\(last.name)\(declarations)\(name)".utf8))
    }
    guard path.steps.count == 2, outer.steps[0].selector == nil, whole(at: outer) == nil else {
      throw FileError(.xmpForm, "\(path) is not in the XMP, and neither is the structure that holds it", at: 0)
    }
    let structure = outer.steps[0].name
    let content = "<\(structure) rdf:parseType=\"Resource\">\(element(last, text))</\(structure)>"
    let own = try declarations(for: structure)
    let others = try declarations(for: last.name).filter { other in !own.contains { $0.prefix == other.prefix } }
    return packet.description(holding: [content], declaring: own + others)
  }

  private func addition(
    of text: String, _ selector: XMPPath.Selector, to array: Items, _ path: XMPPath
  ) throws(FileError) -> Splice {
    if case .item(let number) = selector, number != array.items.count + 1 {
      throw FileError(
        .xmpForm, "\(path) is not in the XMP: the array has \(array.items.count) items",
        at: array.qualifiedName.lowerBound)
    }
    let name = String(decoding: bytes[array.qualifiedName], as: UTF8.self)
    let prefix = name.contains(":") ? XMPPath.prefix(of: name) + ":" : ""
    let item = "<\(prefix)li\(XMPTree.language(selector))>\(XMPTree.escaped(text))</\(prefix)li>"
    guard array.isEmpty else { return Splice(array.end..<array.end, Array(item.utf8)) }
    return Splice(array.end..<array.end + 2, Array(">\(item)</\(name)>".utf8))
  }

  /// Returns a new property as the packet's RDF has it.
  private func element(_ step: XMPPath.Step, _ text: String) -> String {
    let value = XMPTree.escaped(text)
    let form = XMPTree.form(of: step.name)
    switch step.selector {
    case nil where form == "Alt":
      return "<\(step.name)><rdf:Alt><rdf:li xml:lang=\"x-default\">\(value)</rdf:li></rdf:Alt></\(step.name)>"
    case nil where form == nil: return "<\(step.name)>\(value)</\(step.name)>"
    case nil: return "<\(step.name)><rdf:\(form ?? "")><rdf:li>\(value)</rdf:li></rdf:\(form ?? "")></\(step.name)>"
    case .language?:
      let language = XMPTree.language(step.selector)
      return "<\(step.name)><rdf:Alt><rdf:li\(language)>\(value)</rdf:li></rdf:Alt></\(step.name)>"
    case .item?:
      let form = form ?? "Bag"
      return "<\(step.name)><rdf:\(form)><rdf:li>\(value)</rdf:li></rdf:\(form)></\(step.name)>"
    }
  }

  private static func language(_ selector: XMPPath.Selector?) -> String {
    if case .language(let language)? = selector { " xml:lang=\"\(language)\"" } else { "" }
  }

  private static func escaped(_ text: String) -> String {
    // In an attribute, XML reads each of these as a blank.
    String(decoding: XMLScanner.escaped(text), as: UTF8.self)
      .replacing("\n", with: "&#xA;").replacing("\r", with: "&#xD;").replacing("\t", with: "&#x9;")
  }

  /// The arrays among well-known properties (ISO 16684-1, 8; IPTC Core): a new one must have their form.
  private static func form(of name: String) -> String? {
    switch name {
    case "dc:title", "dc:description", "dc:rights", "xmpRights:UsageTerms", "exif:UserComment", "tiff:Copyright",
      "tiff:ImageDescription", "Iptc4xmpCore:AltTextAccessibility", "Iptc4xmpCore:ExtDescrAccessibility":
      "Alt"
    case "dc:creator", "dc:date", "tiff:BitsPerSample", "exif:ISOSpeedRatings": "Seq"
    case "dc:subject", "dc:contributor", "dc:language", "dc:publisher", "dc:relation", "dc:type", "xmpRights:Owner",
      "xmp:Identifier", "Iptc4xmpCore:SubjectCode", "Iptc4xmpCore:Scene", "Iptc4xmpExt:PersonInImage",
      "Iptc4xmpExt:Event", "Iptc4xmpExt:OrganisationInImageName", "lr:hierarchicalSubject",
      "photoshop:SupplementalCategories":
      "Bag"
    default: nil
    }
  }

  /// Returns the namespaces that a new property must declare, by prefix.
  private func declarations(for name: String) throws(FileError) -> [(prefix: String, uri: String)] {
    let prefix = String(XMPPath.prefix(of: name))
    guard let uri = XMPNamespaces.known[prefix] ?? declared[prefix] else {
      throw FileError(.xmpForm, "the namespace of \(name) is not known, and the XMP doesn't declare it", at: 0)
    }
    return [(prefix, uri)]
  }
}

extension XMPPath {
  /// Checks that the value may be changed by its path.
  /// - Throws: `ParseError` for places and dates, which have several copies that must agree, and for parts of RDF.
  package func requireEditable() throws(ParseError) {
    for step in steps {
      if XMPPath.placeNames.contains(step.name) {
        throw ParseError("'\(self)' is a name of a place, which has other copies", remedy: .setPlaceNames)
      }
      if XMPProperty.holdsLocation(named: step.name) {
        throw ParseError("'\(self)' is about a location", remedy: .giveOrClearLocation)
      }
      if XMPProperty.isDate(named: step.name) { throw ParseError("'\(self)' is a date", remedy: .changeDates) }
      if ["rdf", "xml", "xmlns", "x", "xmpNote"].contains(XMPPath.prefix(of: step.name)) {
        throw ParseError("'\(self)' is a part of the packet's structure")
      }
    }
    if field == nil, ["tiff", "exif", "exifEX", "aux"].contains(XMPPath.prefix(of: steps.first?.name ?? "")) {
      throw ParseError("'\(self)' is a copy of an EXIF tag, and follows it")
    }
    guard let field, let first = steps.first else { return }
    if case .language(let language)? = first.selector, language != "x-default" { return }
    throw ParseError(
      "'\(self)' is the field '\(field.rawValue)', which has other copies", remedy: .setField(field.rawValue))
  }

  private static let placeNames: Set<String> = [
    "photoshop:City", "photoshop:State", "photoshop:Country", "Iptc4xmpCore:Location", "Iptc4xmpCore:CountryCode",
  ]

  /// The field whose values the path's property holds; nil if it holds none.
  package var field: PhotoField? {
    PhotoField.allCases.first { field in XMPFields.properties(of: field).contains { $0.name == steps.first?.name } }
  }
}
