/// Fields in XMP (ISO 16684-1; EXIF and TIFF schemas of CIPA DC-010; Metadata Working Group 2.0 for `dc`).
package enum XMPFields {
  /// The form of a value.
  package enum Form {
    case text
    /// An ordered array.
    case list
    /// An array without order.
    case bag
    /// Language alternatives; the default one is written.
    case languages
    /// The structure `exif:Flash`.
    case flash
  }

  /// Returns the properties that hold a field. If a packet has none of them and every packet needs the field, the first
  /// is added.
  static func properties(of field: PhotoField) -> [(name: String, form: Form)] {
    switch field {
    case .title: [("dc:title", .languages)]
    case .keywords: [("dc:subject", .bag)]
    case .description: [("dc:description", .languages), ("tiff:ImageDescription", .languages)]
    case .artist: [("dc:creator", .list), ("tiff:Artist", .text)]
    case .copyright: [("dc:rights", .languages), ("tiff:Copyright", .languages)]
    case .rating: [("xmp:Rating", .text)]
    case .make: [("tiff:Make", .text)]
    case .model: [("tiff:Model", .text)]
    case .lensMake: [("exifEX:LensMake", .text)]
    case .lensModel: [("exifEX:LensModel", .text), ("aux:Lens", .text)]
    case .aperture: [("exif:FNumber", .text)]
    case .shutter: [("exif:ExposureTime", .text)]
    case .iso: [("exif:ISOSpeedRatings", .list), ("exifEX:PhotographicSensitivity", .text)]
    case .focalLength: [("exif:FocalLength", .text)]
    case .exposureBias: [("exif:ExposureBiasValue", .text)]
    case .focalLength35mm: [("exif:FocalLengthIn35mmFilm", .text)]
    case .program: [("exif:ExposureProgram", .text)]
    case .metering: [("exif:MeteringMode", .text)]
    case .whiteBalance: [("exif:WhiteBalance", .text)]
    case .flash: [("exif:Flash", .flash)]
    }
  }

  /// Whether a packet that lacks the field gets it.
  static func isWantedEverywhere(_ field: PhotoField) -> Bool {
    [.title, .keywords, .description, .artist, .copyright, .rating].contains(field)
  }

  /// Returns the properties that copy a tag that is no field.
  static func copies(of tag: EXIFTag) -> [String] {
    let others = [
      "BodySerialNumber": "aux:SerialNumber", "LensSerialNumber": "aux:LensSerialNumber",
      "CameraOwnerName": "aux:OwnerName", "Software": "xmp:CreatorTool",
      "LensSpecification": "aux:LensInfo",
    ]
    return ["tiff:", "exif:", "exifEX:"].map { $0 + tag.name } + (others[tag.name].map { [$0] } ?? [])
  }

  /// The properties other than the field itself that record the sensitivity.
  static let sensitivities = EXIFTag.sensitivities.map { "exifEX:" + $0.name }
}

extension TagValue {
  /// The value as XMP writes it.
  var xmpText: String {
    switch self {
    case .text(let text): text
    case .list(let texts): texts.joined(separator: ", ")
    case .whole(let numbers): numbers.map { "\($0)" }.joined(separator: " ")
    case .fractions(let fractions): fractions.map { "\($0)" }.joined(separator: " ")
    }
  }

  /// Reads an XMP value of this field; returns nil for anything else.
  package init?(xmp text: String, like field: PhotoField) {
    // A decimal: -1 is rejected, 0 unrated (XMP part 1, 8.4).
    if field == .rating {
      guard let stars = Double(text).flatMap({ Int(exactly: $0) }), (-1...5).contains(stars) else { return nil }
      self = .whole([stars])
      return
    }
    switch field.tag?.kind {
    case .ascii, .comment, nil: self = .text(text)
    case .short, .long, .code:
      guard let number = Int(text), number >= 0 else { return nil }
      self = .whole([number])
    case .rational, .signedRational:
      let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Fraction(decimal: $0) }
      guard (1...2).contains(parts.count), let top = parts[0] else { return nil }
      guard let fraction = parts.count == 1 ? top : parts[1].flatMap(top.divided) else { return nil }
      self = .fractions([fraction])
    }
  }
}

extension XMPPacket {
  /// Adds the packet's fields to `metadata`.
  func readFields(into metadata: inout Metadata) {
    for field in PhotoField.allCases {
      for (name, form) in XMPFields.properties(of: field) {
        for index in properties.indices where properties[index].isOwn && properties[index].name == name {
          guard let value = value(of: field, form, at: index) else { continue }
          metadata.fields.append(Sourced(RecordedField(field, value), .xmp, tag: name))
        }
      }
    }
  }

  /// Returns a field's value from the property at `index`; nil when it is empty or unreadable.
  package func value(of field: PhotoField, _ form: XMPFields.Form, at index: Int) -> TagValue? {
    let property = properties[index]
    if form == .bag {
      let texts = (property.value.map { [$0] } ?? property.items.map(\.text)).filter { !$0.isEmpty }
      return texts.isEmpty ? nil : .list(texts)
    }
    if form == .flash { return flash(at: index).map { .whole([$0]) } }
    let text: String?
    if let value = property.value {
      text = value
    } else if form == .list, field == .artist {
      text = property.items.isEmpty ? nil : property.items.map(\.text).joined(separator: "; ")
    } else {
      text = (property.items.first { $0.isDefault } ?? property.items.first)?.text
    }
    guard let text, !text.isEmpty else { return nil }
    return TagValue(xmp: text, like: field)
  }

  /// Returns EXIF's flash structure as the bits of the tag (EXIF 3.0, 4.6.5, Flash).
  private func flash(at index: Int) -> Int? {
    let fields = Dictionary(
      fields(of: index).compactMap { field in field.value.map { (field.name, $0) } },
      uniquingKeysWith: { first, _ in first }
    )
    guard !fields.isEmpty else { return nil }
    func bit(_ name: String) -> Int { fields["exif:" + name]?.lowercased() == "true" ? 1 : 0 }
    func bits(_ name: String) -> Int { fields["exif:" + name].flatMap { Int($0) }.map { $0 & 3 } ?? 0 }
    return bit("Fired") | bits("Return") << 1 | bits("Mode") << 3 | bit("Function") << 5 | bit("RedEyeMode") << 6
  }
}

extension XMPPacket {
  /// Returns a note on Lightroom's tree of keywords (`lr:hierarchicalSubject`), which stays as it is when keywords
  /// change.
  package func notes(onKeywords change: Change<TagValue>?) -> [Note] {
    guard let change, let tree = own("lr:hierarchicalSubject") else { return [] }
    var keywords: [String] = []
    if case .list(let texts)? = change.value { keywords = texts }
    let left = tree.items.map(\.text).filter { branch in
      branch.split(separator: "|").last.map { !keywords.contains(String($0)) } ?? false
    }
    guard let first = left.first else { return [] }
    let others = left.count == 1 ? "" : " and \(left.count - 1) more"
    return [Note(.textKept, "lr:hierarchicalSubject keeps '\(first)'\(others), which the keywords don't have")]
  }
}

/// The addition of properties to a packet.
extension XMPPacket {
  /// An empty packet.
  package static let blank = Array(
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
     <rdf:RDF xmlns:rdf="\(XMPSchema.rdf.uri)">
     </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="w"?>
    """.utf8)

  /// Returns the splice that adds properties at the end of the packet's RDF. Their own description declares their
  /// prefixes, and has the same `about` as the others (ISO 16684-1, 7.4).
  package func description(holding elements: [String]) -> Splice {
    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let used = XMPSchema.allCases.filter { schema in
      schema != .other && elements.contains { $0.contains("<\(schema.rawValue):") }
    }
    let name = string(rdf.name)
    let isUsual = name == "rdf:RDF"
    let declarations = used.filter { $0 != .rdf || !isUsual } + (isUsual || used.contains(.rdf) ? [] : [.rdf])
    let namespaces = declarations.map { "\n    xmlns:\($0.rawValue)=\"\($0.uri)\"" }.joined()
    let content = elements.map { "\n   " + $0 }.joined()
    let description =
      "<rdf:Description rdf:about=\"\(string(rdf.about))\"\(namespaces)>\(content)\n  </rdf:Description>\n "
    let end = rdf.end.upperBound
    // A file with Windows line ends must not get others.
    func lines(_ text: String) -> [UInt8] {
      text.utf8.flatMap { endsLinesWithReturns && $0 == UInt8(ascii: "\n") ? Array("\r\n".utf8) : [$0] }
    }
    guard rdf.isEmpty else {
      return Splice(rdf.end.lowerBound..<rdf.end.lowerBound, lines(" \(description)"))
    }
    return Splice(end - 2..<end, lines(">\n  \(description)</\(name)>"))
  }

  private var endsLinesWithReturns: Bool {
    bytes.firstIndex(of: UInt8(ascii: "\n")).map { $0 > 0 && bytes[$0 - 1] == UInt8(ascii: "\r") } ?? false
  }
}
