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

  /// Returns the properties that copy a tag that is not a field.
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
  /// - Parameter further: Namespaces of the properties that aren't in `XMPSchema`.
  package func description(
    holding elements: [String], declaring further: [(prefix: String, uri: String)] = []
  ) -> Splice {
    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let used = XMPSchema.allCases.filter { schema in
      schema != .other && elements.contains { $0.contains("<\(schema.rawValue):") }
    }
    let name = string(rdf.name)
    let isUsual = name == "rdf:RDF"
    let declarations = used.filter { $0 != .rdf || !isUsual } + (isUsual || used.contains(.rdf) ? [] : [.rdf])
    let others = further.filter { one in !declarations.contains { $0.rawValue == one.prefix } }
    let namespaces = (declarations.map { ($0.rawValue, "\($0.uri)") } + others)
      .map { "\n    xmlns:\($0)=\"\($1)\"" }.joined()
    let content = elements.map { "\n   " + $0 }.joined()
    let description =
      "<rdf:Description rdf:about=\"\(string(rdf.about))\"\(namespaces)>\(content)\n  </rdf:Description>\n "
    let end = rdf.end.upperBound
    // A file with Windows line ends must not get others.
    let hasReturns = endsLinesWithReturns
    func lines(_ text: String) -> [UInt8] {
      hasReturns ? text.utf8.flatMap { $0 == UInt8(ascii: "\n") ? Array("\r\n".utf8) : [$0] } : Array(text.utf8)
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

/// A change of fields and other tags in a packet: replaces and removes existing ones, and adds those that the Metadata
/// Working Group wants in every packet.
struct XMPFieldsChange {
  private let packet: XMPPacket
  private let adding: XMPPacket.Adding
  private var found: [Splice] = []
  private var added: [String] = []

  init(in packet: XMPPacket, adding: XMPPacket.Adding) {
    self.packet = packet
    self.adding = adding
  }

  /// Returns the splices that change the fields of `edit`.
  /// - Throws: `unsupported` when a value is written as a structure that can't be changed.
  mutating func splices(_ edit: MetadataEdit) throws(FileError) -> [Splice] {
    for field in PhotoField.allCases {
      guard let change = edit.fields[field] else { continue }
      let isChanged = try put(change, field)
      if field == .iso, isChanged { XMPFields.sensitivities.forEach { remove($0) } }
      if field == .aperture { try putAPEX("exif:ApertureValue", field, change) }
      if field == .shutter { try putAPEX("exif:ShutterSpeedValue", field, change) }
    }
    for (tag, change) in edit.tags.sorted(by: { $0.key.key < $1.key.key }) {
      for name in XMPFields.copies(of: tag) {
        if let value = change.value { try replace(name, value) } else { remove(name) }
      }
    }
    if !added.isEmpty { found.append(packet.description(holding: added)) }
    return found
  }

  /// Whether anything had to change.
  private mutating func put(_ change: Change<TagValue>, _ field: PhotoField) throws(FileError) -> Bool {
    let count = found.count + added.count
    var isThere = false
    for (name, form) in XMPFields.properties(of: field) {
      for index in packet.properties.indices where packet.properties[index].isOwn {
        let property = packet.properties[index]
        guard property.name == name else { continue }
        guard let value = change.value else {
          found.append(Splice(property.range, []))
          continue
        }
        isThere = true
        if packet.value(of: field, form, at: index) == value { continue }
        if form == .text, property.text != nil {
          found.append(try packet.replacement(of: property, with: value.xmpText))
        } else if form == .languages, let places = property.defaultPlaces {
          found += places.map { Splice($0, XMLScanner.escaped(value.xmpText)) }
        } else {
          found.append(Splice(property.range, []))
          let element = XMPFieldsChange.element(name, form, value)
          if !added.contains(element) { added.append(element) }
        }
      }
    }
    let isWanted = adding == .everything || adding == .customary && XMPFields.isWantedEverywhere(field)
    if let value = change.value, !isThere, isWanted, let (name, form) = XMPFields.properties(of: field).first {
      added.append(XMPFieldsChange.element(name, form, value))
    }
    return found.count + added.count > count
  }

  /// Changes existing copies of aperture and time in APEX.
  private mutating func putAPEX(_ name: String, _ field: PhotoField, _ change: Change<TagValue>) throws(FileError) {
    guard let apex = field.apex(of: change.value) else { return remove(name) }
    let old = packet.value(name).flatMap { Double(xmp: $0) }
    if let old, abs(old - apex.value) <= PhotoField.apexTolerance { return }
    try replace(name, .fractions([apex]))
  }

  private mutating func replace(_ name: String, _ value: TagValue) throws(FileError) {
    let text = value.xmpText
    for property in packet.properties where property.isOwn && property.name == name && property.text != text {
      if let places = property.defaultPlaces {
        guard property.items.first(where: \.isDefault)?.text != text else { continue }
        found += places.map { Splice($0, XMLScanner.escaped(text)) }
      } else if case .whole(let numbers) = value, !property.items.isEmpty {
        guard property.items.map(\.text) != numbers.map(String.init) else { continue }
        found.append(Splice(property.range, []))
        added.append(XMPFieldsChange.element(name, .list, value))
      } else {
        found.append(try packet.replacement(of: property, with: text))
      }
    }
  }

  private mutating func remove(_ name: String) {
    found += packet.properties.filter { $0.isOwn && $0.name == name }.map { Splice($0.range, []) }
  }

  private static func element(_ name: String, _ form: XMPFields.Form, _ value: TagValue) -> String {
    // A text's line ends are independent of the packet's, which may be Windows'.
    func escaped(_ text: String) -> String {
      String(decoding: XMLScanner.escaped(text), as: UTF8.self).replacing("\n", with: "&#xA;")
    }
    switch (form, value) {
    case (.text, _): return "<\(name)>\(escaped(value.xmpText))</\(name)>"
    case (.bag, .list(let texts)):
      let items = texts.map { "<rdf:li>\(escaped($0))</rdf:li>" }.joined()
      return "<\(name)><rdf:Bag>\(items)</rdf:Bag></\(name)>"
    case (.bag, _): return ""
    case (.list, .text(let text)):
      let items = text.split(separator: "; ").map { "<rdf:li>\(escaped(String($0)))</rdf:li>" }.joined()
      return "<\(name)><rdf:Seq>\(items)</rdf:Seq></\(name)>"
    case (.list, .whole(let numbers)):
      let items = numbers.map { "<rdf:li>\($0)</rdf:li>" }.joined()
      return "<\(name)><rdf:Seq>\(items)</rdf:Seq></\(name)>"
    case (.list, _): return "<\(name)><rdf:Seq><rdf:li>\(value.xmpText)</rdf:li></rdf:Seq></\(name)>"
    case (.languages, _):
      return "<\(name)><rdf:Alt><rdf:li xml:lang=\"x-default\">\(escaped(value.xmpText))</rdf:li></rdf:Alt></\(name)>"
    case (.flash, _):
      guard case .whole(let numbers) = value, let code = numbers.first else { return "" }
      func truth(_ bit: Int) -> String { code >> bit & 1 == 1 ? "True" : "False" }
      return "<\(name) rdf:parseType=\"Resource\"><exif:Fired>\(truth(0))</exif:Fired>"
        + "<exif:Return>\(code >> 1 & 3)</exif:Return><exif:Mode>\(code >> 3 & 3)</exif:Mode>"
        + "<exif:Function>\(truth(5))</exif:Function><exif:RedEyeMode>\(truth(6))</exif:RedEyeMode></\(name)>"
    }
  }
}

extension XMPPacket {
  /// Returns notes on what happens to a text's other languages when the text changes or is removed.
  package func notes(onTexts fields: [PhotoField: Change<TagValue>]) -> [Note] {
    var notes: [Note] = []
    for (field, change) in fields.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      for (name, form) in XMPFields.properties(of: field) where form == .languages {
        for index in properties.indices where properties[index].isOwn && properties[index].name == name {
          let property = properties[index]
          let kept = change.value == nil ? nil : property.defaultPlaces
          let count = property.items.count - (kept?.count ?? 1)
          guard count > 0, change.value == nil || value(of: field, form, at: index) != change.value else { continue }
          let languages = "\(count) other language\(count == 1 ? "" : "s")"
          notes.append(
            Note(
              .otherLanguages,
              "\(name) in \(languages) \(kept == nil ? "is removed with the old text" : "stays as it is")"))
        }
      }
    }
    return notes
  }
}

extension XMPProperty {
  /// The ranges of the default text among language alternatives, and of the same text in one language; nil if it can't
  /// be replaced alone. Texts in other languages stay, as in exiftool and Adobe's programs.
  fileprivate var defaultPlaces: [Range<Int>]? {
    guard let text = items.first(where: \.isDefault)?.text else { return nil }
    let same = items.filter { $0.isDefault || $0.text == text }
    let places = same.compactMap(\.content)
    return places.count == same.count ? places : nil
  }
}
