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
