extension XMPPacket {
  /// The packet's bytes after `edit`, or nil when it says so already. Dates and positions are changed where there are
  /// some; none is added. Padding keeps the length where it can.
  ///
  /// - Throws: `unsupported` when a value that must change is written as a structure; `refused` when a date would leave
  ///   the years 0…9999.
  func edited(by edit: MetadataEdit) throws(PhotoError) -> [UInt8]? {
    var splices = try dateSplices(edit.dates)
    switch edit.location {
    case .keep: break
    case .set(let location):
      var change = XMPLocationChange(to: location, in: self, keepsCompanions: edit.keepsCompanions)
      splices += try change.splices()
    case .remove: splices += placeSplices()
    }
    return splices.isEmpty ? nil : try applying(splices)
  }

  /// The packet's bytes after these splices, with as much padding more or less.
  func applying(_ splices: [Splice]) throws(PhotoError) -> [UInt8] {
    let growth = splices.reduce(0) { $0 + $1.growth }
    // What is inserted at the place where something is cut out comes first.
    let sorted = (splices + fitting(growth)).sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    return try Patch(sorted, to: bytes.count, imageData: []).applied(to: Bytes(bytes))
  }

  /// The splice that makes `text` the value of `property`.
  func replacement(of property: XMPProperty, with text: String) throws(PhotoError) -> Splice {
    guard property.text != nil else {
      throw PhotoError(
        .unsupported, "\(property.name) in XMP is written as a structure, which is not changed",
        at: property.range.lowerBound)
    }
    let escaped = XMLScanner.escaped(text)
    guard property.form == .emptyElement else { return Splice(property.content, escaped) }
    return Splice(
      property.content, Array(">".utf8) + escaped + Array("</".utf8) + bytes[property.qualifiedName] + Array(">".utf8))
  }

  /// The splice that adds a property of EXIF's schema right behind `anchor`, of the same schema, and written as that is.
  func insertion(of name: String, _ text: String, behind anchor: XMPProperty) -> Splice {
    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let isAttribute = anchor.form == .attribute
    let begin = isAttribute ? anchor.qualifiedName.lowerBound : anchor.qualifiedName.lowerBound - 1
    let blanks = string(anchor.range.lowerBound..<begin)
    let prefix = string(anchor.qualifiedName).prefix { $0 != ":" }
    let hasPrefix = prefix.utf8.count < anchor.qualifiedName.count
    let newName = (hasPrefix ? "\(prefix):" : "") + name.dropFirst("exif:".count)
    let value = String(decoding: XMLScanner.escaped(text), as: UTF8.self)
    let end = anchor.range.upperBound
    guard !isAttribute else { return Splice(end..<end, Array("\(blanks)\(newName)=\"\(value)\"".utf8)) }
    // An anchor that declares its namespace declares it for itself alone; so must the new one.
    let isDeclared = !string(begin..<anchor.content.lowerBound).contains("xmlns")
    let declaration = isDeclared ? "" : " xmlns\(hasPrefix ? ":\(prefix)" : "")=\"\(XMPSchema.exif.uri)\""
    return Splice(end..<end, Array("\(blanks)<\(newName)\(declaration)>\(value)</\(newName)>".utf8))
  }

  private func dateSplices(_ change: DateChange) throws(PhotoError) -> [Splice] {
    let names = XMPPacket.captureDates + XMPPacket.digitizedDates
    var splices: [Splice] = []
    for property in properties where property.isOwn && names.contains(property.name) {
      guard change != .keep, let new = try XMPDate(property.text ?? "").text(after: change) else { continue }
      splices.append(try replacement(of: property, with: new))
    }
    return splices
  }

  /// Cuts out everything that tells the place, wherever in the packet it stands.
  private func placeSplices() -> [Splice] {
    var end = 0
    var splices: [Splice] = []
    for property in properties.filter(\.tellsPlace).sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where property.range.lowerBound >= end {
      splices.append(Splice(property.range, []))
      end = property.range.upperBound
    }
    return splices
  }
}
