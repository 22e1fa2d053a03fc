/// Place names in XMP: plain properties of Photoshop's and IPTC Core's schemas, and structures of IPTC Extension (IPTC
/// Photo Metadata Standard).
package enum XMPNames {
  package static let created = "Iptc4xmpExt:LocationCreated"
  package static let shown = "Iptc4xmpExt:LocationShown"

  /// Photo Mechanic's copy of the code, in two letters or three.
  static let photoMechanicCode = "photomechanic:CountryCode"
  /// The properties in which single programs name a place: Media Pro, and Premiere for a clip.
  package static let programs = ["mediapro:Location", "xmpDM:shotLocation"]

  /// The plain properties and their values.
  package static func plain(_ names: PlaceNames) -> [(name: String, text: String?)] {
    [
      ("Iptc4xmpCore:Location", names.sublocation), ("photoshop:City", names.city), ("photoshop:State", names.state),
      ("photoshop:Country", names.country), ("Iptc4xmpCore:CountryCode", names.countryCode),
    ]
  }

  /// The fields of a structure and their values.
  static func details(_ names: PlaceNames) -> [(name: String, text: String?)] {
    [
      ("Iptc4xmpExt:Sublocation", names.sublocation), ("Iptc4xmpExt:City", names.city),
      ("Iptc4xmpExt:ProvinceState", names.state), ("Iptc4xmpExt:CountryName", names.country),
      ("Iptc4xmpExt:CountryCode", names.countryCode),
    ]
  }

  static let isDetail = Set(details(PlaceNames()).map(\.name))

  /// The names in a structure.
  package static func names(in fields: [XMPProperty]) -> PlaceNames {
    names(details(PlaceNames()).map { detail in fields.first { $0.name == detail.name }?.textOrDefault })
  }

  /// The position in a structure.
  package static func position(in fields: [XMPProperty]) -> Coordinate? {
    func angle(_ name: String, _ positive: Character, _ negative: Character) -> Double? {
      fields.first { $0.name == name }?.value
        .flatMap { Double(xmpAngle: $0, positive: positive, negative: negative, reference: nil) }
    }
    guard let north = angle("exif:GPSLatitude", "N", "S"), let east = angle("exif:GPSLongitude", "E", "W") else {
      return nil
    }
    return Coordinate(latitude: north, longitude: east)
  }

  /// Creates names from the texts of properties or fields, in the order of `plain` and `details`.
  package static func names(_ values: [String?]) -> PlaceNames {
    var names = PlaceNames()
    (names.sublocation, names.city, names.state, names.country, names.countryCode) = (
      values[0], values[1], values[2], values[3], values[4]
    )
    return names
  }
}

extension XMPProperty {
  /// The text; the default one among several languages.
  var textOrDefault: String? { value ?? items.first.flatMap { $0.text.isEmpty ? nil : $0.text } }
}

extension XMPPacket {
  /// Adds the packet's names to `metadata`, the plain ones first.
  func readNames(into metadata: inout Metadata) {
    let names = plainNames
    if !names.isEmpty { metadata.placeNames.append(Sourced(names, .xmp, tag: "photoshop:City")) }
    metadata.placeNames += structures(XMPNames.created).map { Sourced($0, .xmp, tag: XMPNames.created) }
    metadata.namesShown += structures(XMPNames.shown).map { Sourced($0, .xmp, tag: XMPNames.shown) }
  }

  private var plainNames: PlaceNames {
    XMPNames.names(XMPNames.plain(PlaceNames()).map { own($0.name)?.textOrDefault })
  }

  /// Whether the place that the picture shows is recorded only with the names of the place where it was made. It is
  /// then no separate place, and changes together with the other.
  var showsWhereItWasMade: Bool {
    guard let index = properties.firstIndex(where: { $0.isOwn && $0.name == XMPNames.shown }) else { return false }
    let fields = fields(of: index)
    guard Set(fields.compactMap(\.outer?.item)).count == 1, !properties[index].holdsOthers,
      fields.allSatisfy({ XMPNames.isDetail.contains($0.name) })
    else { return false }
    return ([plainNames] + structures(XMPNames.created)).contains(XMPNames.names(in: fields))
  }

  /// The places in the structures of this name that have names.
  private func structures(_ name: String) -> [PlaceNames] {
    properties.indices.filter { properties[$0].isOwn && properties[$0].name == name }.flatMap { index in
      let fields = fields(of: index)
      return Set(fields.compactMap(\.outer?.item)).sorted().map { item in
        XMPNames.names(in: fields.filter { $0.outer?.item == item })
      }
      .filter { !$0.isEmpty }
    }
  }

  /// Returns the properties in the structure, or structures, of the property at `index`.
  package func fields(of index: Int) -> [XMPProperty] {
    // They follow it, before its end.
    properties[(index + 1)...].prefix { $0.range.upperBound <= properties[index].range.upperBound }
      .filter { $0.outer?.index == index }
  }

  /// Returns notes on data that these names can't hold.
  package func notes(onNames edit: MetadataEdit) throws(FileError) -> [Note] {
    guard let names = edit.wantedNames, !edit.erasesOldPlace else { return [] }
    var change = XMPNamesChange(to: names, at: edit.location.value?.coordinate, in: self, isAdding: true)
    _ = try change.splices(isShown: edit.namesPlaceShown)
    guard !change.lost.isEmpty else { return [] }
    return [.removed(Array(Set(change.lost)).sorted())]
  }
}

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

  /// Prepares a change of the place names.
  /// - Parameter position: The new position; nil if it stays.
  init(to names: PlaceNames, at position: Coordinate? = nil, in packet: XMPPacket, isAdding: Bool) {
    self.packet = packet
    self.position = position
    self.names = names
    self.isAdding = isAdding
  }

  /// Returns the splices that change the place names.
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
      .xmpForm, "\(property.name) in XMP has several places, or none that can be changed",
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
        .xmpForm, "\(property.name) in XMP has no namespace prefix and can't be changed",
        at: property.range.lowerBound)
    }
    let local = name.drop { $0 != ":" }
    return insertion(written: String(decoding: prefix, as: UTF8.self) + local, "", text, behind: anchor)
  }
}
