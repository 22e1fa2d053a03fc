/// The namespaces whose properties we know, each with its customary prefix.
enum XMPSchema: String, CaseIterable {
  case rdf
  case exif
  case exifEX
  case photoshop
  case xmp
  case tiff
  case aux
  case dc
  case xmpMM
  case resourceEvent = "stEvt"
  case iptcCore = "Iptc4xmpCore"
  case lightroom = "lr"
  case iptcExtension = "Iptc4xmpExt"
  case photoMechanic = "photomechanic"
  case gimp = "GIMP"
  case acdsee
  case dynamicMedia = "xmpDM"
  case panorama = "GPano"
  case pose = "Pose"
  case darwinCore = "dwc"
  case keywords = "mwg-kw"
  case mediaPro = "mediapro"
  case expressionMedia = "expressionmedia"
  case geoRSS = "georss"
  case mobileCell = "cell"
  /// Any other namespace: its properties matter only if they hold a position or a date.
  case other = ""

  init(uri: ArraySlice<UInt8>) {
    // Darwin Core has several namespaces.
    self =
      uri.starts(with: "http://rs.tdwg.org/dwc/".utf8)
      ? .darwinCore : XMPSchema.allCases.first { $0 != .other && uri.elementsEqual($0.uri) } ?? .other
  }

  /// The name of the namespace in XML.
  var uri: StaticString {
    switch self {
    case .rdf: "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    case .exif: "http://ns.adobe.com/exif/1.0/"
    case .exifEX: "http://cipa.jp/exif/1.0/"
    case .photoshop: "http://ns.adobe.com/photoshop/1.0/"
    case .xmp: "http://ns.adobe.com/xap/1.0/"
    case .tiff: "http://ns.adobe.com/tiff/1.0/"
    case .aux: "http://ns.adobe.com/exif/1.0/aux/"
    case .xmpMM: "http://ns.adobe.com/xap/1.0/mm/"
    case .resourceEvent: "http://ns.adobe.com/xap/1.0/sType/ResourceEvent#"
    case .dc: "http://purl.org/dc/elements/1.1/"
    case .lightroom: "http://ns.adobe.com/lightroom/1.0/"
    case .iptcCore: "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
    case .iptcExtension: "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
    case .photoMechanic: "http://ns.camerabits.com/photomechanic/1.0/"
    case .gimp: "http://www.gimp.org/xmp/"
    case .acdsee: "http://ns.acdsee.com/iptc/1.0/"
    case .dynamicMedia: "http://ns.adobe.com/xmp/1.0/DynamicMedia/"
    case .panorama: "http://ns.google.com/photos/1.0/panorama/"
    case .pose: "http://ns.google.com/photos/dd/1.0/pose/"
    case .darwinCore: "http://rs.tdwg.org/dwc/index.htm"
    case .keywords: "http://www.metadataworkinggroup.com/schemas/keywords/"
    case .mediaPro: "http://ns.iview-multimedia.com/mediapro/1.0/"
    case .expressionMedia: "http://ns.microsoft.com/expressionmedia/1.0/"
    case .geoRSS: "http://www.georss.org/georss"
    case .mobileCell: "http://developer.sonyericsson.com/cell/1.0/"
    case .other: ""
    }
  }
}

/// A property in an XMP packet, and its position.
package struct XMPProperty {
  /// The two ways of RDF to write a property, and XML's second way to write an empty element.
  package enum Form {
    case attribute
    case element
    case emptyElement
  }

  /// The name with its schema's customary prefix, whatever prefix the packet uses: `exif:GPSLatitude`.
  package let name: String
  package let form: Form
  /// Whether the property belongs to the picture itself, not to a structure in the packet (an ingredient, a place
  /// shown).
  package let isOwn: Bool
  /// The property whose structure contains this one, by its index, and the item of its array.
  package let outer: Outer?
  /// The range to remove with the property, including the blanks before it.
  package var range: Range<Int>
  /// The name as the packet writes it.
  let qualifiedName: Range<Int>
  /// The range to replace with a new value.
  package var content: Range<Int>
  /// The trimmed value; nil when it is a structure or an array.
  package var text: String?
  /// The items, if it is an array.
  package var items: [Item] = []
  /// The name of the property that contains this one as an array item or as a qualified value, if this one isn't known
  /// itself.
  package var holder: String?
  /// Whether it holds properties of namespaces that we don't know.
  package var holdsOthers = false

  /// One value of an array.
  package struct Item {
    /// The trimmed text; empty for a structure.
    package var text = ""
    /// The range of the text with surrounding blanks, which others read as its part; nil when there is more than text.
    package var content: Range<Int>?
    /// Whether the text is the default (`x-default`) among language alternatives.
    var isDefault = false

    package init(text: String = "", content: Range<Int>? = nil, isDefault: Bool = false) {
      self.text = text
      self.content = content
      self.isDefault = isDefault
    }
  }

  /// The position of a structure's property.
  package struct Outer: Hashable {
    let index: Int
    let item: Int
  }

  /// The value; nil if it is empty or missing.
  package var value: String? { text.flatMap { $0.isEmpty ? nil : $0 } }

  /// Whether the property records where the picture was taken or what place it shows. Drone makers use `GpsLatitude` in
  /// their own namespaces: every name with such a beginning counts, and every name that ends in `Altitude`.
  package var holdsLocation: Bool { XMPProperty.holdsLocation(named: name) }

  /// Whether a property of this name records a place.
  package static func holdsLocation(named name: String) -> Bool {
    let local = name.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst()
    return isPosition(local) || placeNames.contains(name) || places.contains { name.hasPrefix($0) }
      || name.hasPrefix(":") && usualNames.contains(local.map { $0 | 0x20 })
  }

  /// Whether the value is only a date, with at least a day.
  var isWholeDate: Bool {
    guard let text, text.utf8.count <= XMPDate.longest else { return false }
    switch XMPDate(text) {
    case .time: return true
    case .partial(let date): return date.day != nil
    case .blank, .malformed: return false
    }
  }

  /// Whether the value is a whole date with a time of day.
  var isWholeTime: Bool {
    guard isWholeDate, let text, case .time = XMPDate(text) else { return false }
    return true
  }

  /// Whether the property records a date of the picture or of an edit (`stEvt:when`), by its name, in any namespace
  /// that isn't for the owner's words. Arrays in unknown namespaces are mostly keywords, which may be days: a day alone
  /// counts only if the array is named after dates.
  package var holdsDate: Bool {
    let name = holder ?? name
    let local = name.drop { $0 != ":" }.dropFirst()
    // A history is a list of structures; the content of a plain text is unknown.
    return XMPProperty.dates.contains(name)
      || name == "photoshop:History" && Array((text ?? "").utf8).holdsDay
      || name == "xmpMM:History" && (value != nil || items.contains { !$0.text.isEmpty })
      || name.hasPrefix("exif")
        && ["DateTime", "SubSecTime", "OffsetTime", "GPSTimeStamp", "GPSDateStamp"].contains { local.hasPrefix($0) }
      || !XMPProperty.wordy.contains(String(name.prefix { $0 != ":" })) && isWholeDate
        && (holder == nil || isWholeTime || ["date", "time"].contains { local.lowercased().contains($0) })
  }

  /// Namespaces in which a date may be a title or a keyword.
  private static let wordy: Set<String> = [
    "dc", "photoshop", "Iptc4xmpCore", "lr", "tiff", "acdsee", "mwg-kw", "mediapro", "expressionmedia",
  ]

  /// Whether a property of this name is about a date, whatever its value.
  package static func isDate(named name: String) -> Bool {
    dates.contains(name)
      || name.hasPrefix("exif") && ["DateTime", "SubSecTime", "OffsetTime", "GPS"].contains { name.contains(":" + $0) }
  }

  private static let dates: Set<String> = [
    "photoshop:DateCreated", "xmp:CreateDate", "xmp:ModifyDate", "xmp:MetadataDate", "tiff:DateTime", "dc:date",
    "stEvt:when", "GIMP:TimeStamp", "acdsee:datetime", "xmpDM:shotDate", "GPano:FirstPhotoDate",
    "GPano:LastPhotoDate", "dwc:eventDate", "dwc:verbatimEventDate", "Iptc4xmpExt:AODateCreated",
    "Iptc4xmpExt:AOCircaDateCreated", "Pose:Timestamp",
  ]

  /// Whether XMP that can't be parsed, in any encoding, seems to have such a property.
  package static func mayContainPlace(in bytes: Bytes) -> Bool {
    // UTF-16 and UTF-32 are ASCII between NULs.
    let text = Bytes(bytes.array.filter { $0 != 0 })
    let positions = [
      ":GPS", ":Gps", "Latitude", "Longitude", ":latitude", ":longitude", ":LRFTargetL", ":GeotatePOI",
    ]
    return (positions + placeNames + places).contains { text.firstIndex(of: Array($0.utf8)) != nil }
  }

  static func isPosition(_ local: some Sequence<UInt8>) -> Bool {
    let name = local.map { $0 | 0x20 }
    return beginnings.contains { name.starts(with: $0) } || name.suffix(altitude.count) == altitude
      || angles.contains { Bytes(name).firstIndex(of: $0) != nil }
  }

  /// Beginnings of drone makers' names: DJI's `GpsLatitude`, `Latitude`, and the place at which its range finder
  /// pointed.
  private static let beginnings = ["gps", "lrftargetl", "lrftargeta", "geotatepoi"].map { Array($0.utf8) }
  /// Parts of names, in the middle too: Darwin Core's `decimalLatitude`.
  private static let angles = ["latitude", "longitude"].map { Array($0.utf8) }
  /// Names that mean a place in any unknown namespace: PRISM's `location`, the W3C's `lat` and `long`, and IPTC's names
  /// in misspelled namespaces.
  private static let usualNames = Set(
    [
      "city", "country", "countrycode", "countryname", "location", "sublocation", "provincestate", "lat", "long",
      "lat_long",
    ].map { $0.utf8.map { $0 | 0x20 } })
  /// Namespaces that hold only places: GeoRSS, and Sony Ericsson's of mobile networks.
  private static let places = ["georss:", "cell:"]
  /// A height is part of a place: `AbsoluteAltitude`, `MAVRelativeAltitude`.
  private static let altitude = Array("altitude".utf8)[...]

  private static let placeNames: Set<String> = [
    "photoshop:City", "photoshop:State", "photoshop:Country", "Iptc4xmpCore:Location", "Iptc4xmpCore:CountryCode",
    "Iptc4xmpCore:CountryName", "Iptc4xmpExt:LocationCreated", "Iptc4xmpExt:LocationShown", "photomechanic:CountryCode",
    "mediapro:Location", "xmpDM:shotLocation", "dc:coverage", "dwc:Location", "dwc:locationID", "dwc:locality",
    "dwc:verbatimLocality", "dwc:verbatimCoordinates", "dwc:footprintWKT", "dwc:higherGeography", "dwc:continent",
    "dwc:country", "dwc:countryCode", "dwc:stateProvince", "dwc:county", "dwc:municipality", "dwc:island",
    "dwc:islandGroup", "dwc:waterBody",
  ]
}
