/// Names of places in XMP: plain properties of Photoshop's and IPTC Core's schemas, and structures of IPTC Extension
/// (IPTC Photo Metadata Standard 2022, 8.5 and 10.24).
enum XMPNames {
  static let created = "Iptc4xmpExt:LocationCreated"
  static let shown = "Iptc4xmpExt:LocationShown"

  /// The plain properties and their values.
  static func plain(_ names: PlaceNames) -> [(name: String, text: String?)] {
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

  fileprivate static func names(_ values: [String?]) -> PlaceNames {
    var names = PlaceNames()
    (names.sublocation, names.city, names.state, names.country, names.countryCode) = (
      values[0], values[1], values[2], values[3], values[4]
    )
    return names
  }
}

extension XMPProperty {
  /// Its text; of one that is written in several languages, the default's.
  var textOrDefault: String? { value ?? items.first.flatMap { $0.isEmpty ? nil : $0 } }
}

extension XMPPacket {
  /// Adds the names that the packet has to `metadata`, the plain ones first.
  func readNames(into metadata: inout Metadata) {
    let names = XMPNames.names(XMPNames.plain(PlaceNames()).map { own($0.name)?.textOrDefault })
    if !names.isEmpty { metadata.placeNames.append(Sourced(names, .xmp, tag: "photoshop:City")) }
    metadata.placeNames += structures(XMPNames.created).map { Sourced($0, .xmp, tag: XMPNames.created) }
    metadata.namesShown += structures(XMPNames.shown).map { Sourced($0, .xmp, tag: XMPNames.shown) }
  }

  /// The places in the structures of this name that have names.
  private func structures(_ name: String) -> [PlaceNames] {
    properties.indices.filter { properties[$0].isOwn && properties[$0].name == name }.flatMap { index in
      let fields = fields(of: index)
      return Set(fields.compactMap(\.outer?.item)).sorted().map { item in
        let own = fields.filter { $0.outer?.item == item }
        return XMPNames.names(
          XMPNames.details(PlaceNames()).map { detail in own.first { $0.name == detail.name }?.textOrDefault })
      }
      .filter { !$0.isEmpty }
    }
  }

  /// The properties in the structure, or structures, of the property at `index`.
  func fields(of index: Int) -> [XMPProperty] {
    // They stand behind it, before its end.
    properties[(index + 1)...].prefix { $0.range.upperBound <= properties[index].range.upperBound }
      .filter { $0.outer?.index == index }
  }
}
