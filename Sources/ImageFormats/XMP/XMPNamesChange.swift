/// A change of place names in a packet: replaces and removes existing ones, and adds missing ones in a description of
/// their own.
struct XMPNamesChange {
  private let packet: XMPPacket
  private let names: PlaceNames
  /// Whether missing names are added.
  private let isAdding: Bool
  private var found: [Splice] = []
  private var added: [String] = []
  /// The details about the old place that are removed with its names.
  private(set) var lost: [String] = []
  /// The new position of the picture.
  private let position: Coordinate?

  /// - Parameter position: The new position; nil if it stays.
  init(to names: PlaceNames, at position: Coordinate? = nil, in packet: XMPPacket, isAdding: Bool) {
    self.packet = packet
    self.position = position
    self.names = names
    self.isAdding = isAdding
  }

  /// - Parameter isShown: Whether the picture shows that place too; otherwise only names shown that equal the old ones
  ///   follow.
  /// - Throws: `unsupported` when names are in a structure that can't be changed without loss.
  mutating func splices(isShown: Bool) throws(FileError) -> [Splice] {
    for (name, text) in XMPNames.plain(names) { try put(name, text) }
    // Not in the standard, but some programs have written it.
    if packet.own("Iptc4xmpCore:CountryName") != nil { try put("Iptc4xmpCore:CountryName", names.country) }
    if let old = packet.own(XMPNames.photoMechanicCode)?.text {
      let code = old.count == 3 ? names.countryCode.flatMap(CountryLetters.three) : names.countryCode
      try put(XMPNames.photoMechanicCode, code)
    }
    for name in XMPNames.programs { dropUnlessNew(name) }
    try putStructure(XMPNames.created)
    if isShown || packet.showsWhereItWasMade { try putStructure(XMPNames.shown) }
    if !added.isEmpty { found.append(packet.description(holding: added)) }
    return found
  }

  /// Removes a single program's place name together with the old names, unless it is one of the new ones.
  private mutating func dropUnlessNew(_ name: String) {
    let new = XMPNames.plain(names).compactMap(\.text)
    for copy in packet.properties where copy.isOwn && copy.name == name && !new.contains(copy.value ?? "") {
      found.append(Splice(copy.range, []))
      lost.append(name)
    }
  }

  private mutating func put(_ name: String, _ text: String?) throws(FileError) {
    var isThere = false
    let copies = packet.properties.filter { $0.isOwn && $0.name == name }
    for copy in copies {
      guard let text, copy.text != nil else {
        // A value in several languages is replaced by a plain one.
        found.append(Splice(copy.range, []))
        continue
      }
      isThere = true
      if copy.text != text { found.append(try packet.replacement(of: copy, with: text)) }
    }
    if let text, !isThere, isAdding || !copies.isEmpty { added.append(XMPNamesChange.element(name, text)) }
  }

  private mutating func putStructure(_ name: String) throws(FileError) {
    guard let index = packet.properties.firstIndex(where: { $0.isOwn && $0.name == name }) else {
      if isAdding, !names.isEmpty { added.append(structure(name)) }
      return
    }
    let property = packet.properties[index]
    let fields = packet.fields(of: index)
    guard names.isEmpty || Set(fields.compactMap(\.outer?.item)).count <= 1 else {
      throw XMPNamesChange.unsupported(property)
    }
    let others = fields.filter { !XMPNames.isDetail.contains($0.name) }
    let isAlone = !property.holdsOthers && others.isEmpty
    if isAlone ? names.isEmpty || fields.isEmpty : !isStillThere(fields, isCreated: name == XMPNames.created) {
      lost += others.map { "\(name) \($0.name.drop { $0 != ":" }.dropFirst())" }
      if property.holdsOthers { lost.append("\(name) fields of other programs") }
      found.append(Splice(property.range, []))
      if !names.isEmpty { added.append(structure(name)) }
      return
    }
    guard let anchor = fields.first else { throw XMPNamesChange.unsupported(property) }
    for (detail, text) in XMPNames.details(names) {
      let copies = fields.filter { $0.name == detail }
      for copy in copies { try change(copy, to: text) }
      if copies.isEmpty, let text { found.append(try packet.insertion(of: detail, text, behind: anchor, in: property)) }
    }
  }

  /// Whether a structure describes the same place as the new names, so that its other fields (a sight's name, its
  /// number in a register, a position) may still be right.
  private func isStillThere(_ fields: [XMPProperty], isCreated: Bool) -> Bool {
    guard !names.isEmpty, XMPNames.names(in: fields).isPart(of: names) else { return false }
    guard isCreated else { return true }
    guard XMPNames.names(XMPNames.plain(names).map { packet.own($0.name)?.textOrDefault }).isPart(of: names) else {
      return false
    }
    guard let position, let recorded = XMPNames.position(in: fields) else { return true }
    return recorded.distance(to: position) <= XMPNamesChange.samePlace
  }

  /// The metres up to which two positions are the same place.
  static let samePlace = 100.0

  private static func unsupported(_ property: XMPProperty) -> FileError {
    FileError(
      .unsupported, "\(property.name) in XMP names several places, or none that can be changed",
      at: property.range.lowerBound)
  }

  private mutating func change(_ field: XMPProperty, to text: String?) throws(FileError) {
    if let text {
      if field.text == nil, !field.items.isEmpty {
        found.append(Splice(field.content, XMLScanner.escaped(text)))
      } else if field.text != text {
        found.append(try packet.replacement(of: field, with: text))
      }
    } else {
      found.append(Splice(field.range, []))
    }
  }

  private static func element(_ name: String, _ text: String) -> String {
    "<\(name)>\(String(decoding: XMLScanner.escaped(text), as: UTF8.self))</\(name)>"
  }

  /// Returns a bag of one structure.
  private func structure(_ name: String) -> String {
    let fields = XMPNames.details(names).compactMap { name, text in text.map { XMPNamesChange.element(name, $0) } }
    let item = (["<rdf:li rdf:parseType=\"Resource\">"] + fields).joined(separator: "\n      ") + "\n     </rdf:li>"
    return "<\(name)>\n    <rdf:Bag>\n     \(item)\n    </rdf:Bag>\n   </\(name)>"
  }
}

extension XMPPacket {
  /// Returns the splice that adds a field after `anchor` in the structure that `property` holds, in the same form, in
  /// the namespace of `property`.
  fileprivate func insertion(
    of name: String, _ text: String, behind anchor: XMPProperty, in property: XMPProperty
  ) throws(FileError) -> Splice {
    let prefix = bytes[property.qualifiedName].prefix { $0 != UInt8(ascii: ":") }
    guard prefix.count < property.qualifiedName.count else {
      throw FileError(
        .unsupported, "\(property.name) in XMP has no prefix, and is not changed", at: property.range.lowerBound)
    }
    let local = name.drop { $0 != ":" }
    return insertion(written: String(decoding: prefix, as: UTF8.self) + local, "", text, behind: anchor)
  }
}
