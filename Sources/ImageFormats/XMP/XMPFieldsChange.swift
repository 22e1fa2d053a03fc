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
