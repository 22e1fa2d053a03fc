/// Edits of an XMP packet as splices; the rest of the packet stays as it is.
extension XMPPacket {
  /// The properties to add if the packet lacks them.
  package enum Adding {
    /// Adds none: for a further packet of a picture.
    case nothing
    /// Adds names, author, copyright and description, which the Metadata Working Group wants in every packet.
    case customary
    /// Adds everything, because no other block can hold it.
    case everything
  }

  /// Returns the packet's bytes after `edit`, or nil when nothing changes. Existing dates and positions are changed and
  /// none is added; other properties are added according to `adding`. Padding keeps the length if possible.
  ///
  /// - Parameter sparing: The position's own properties that stay when places are erased, because they are overwritten
  ///   later.
  /// - Parameter captured: The capture time of the whole photo; called only when needed.
  /// - Throws: `unsupported` when a value that must change is a structure; `refused` when a date would leave the years
  ///   0…9999.
  package func edited(
    by edit: MetadataEdit, adding: Adding = .customary, sparing: Set<String> = [],
    captured: () -> CaptureTime? = { nil }
  ) throws(FileError) -> [UInt8]? {
    var recorded = Metadata()
    if !edit.addedKeywords.isEmpty { readFields(into: &recorded) }
    let edit = edit.addingKeywords(to: recorded)
    var splices = try dateSplices(edit) + additionalSplices(edit.dates, captured)
    if !edit.fields.isEmpty || !edit.tags.isEmpty {
      var change = XMPFieldsChange(in: self, adding: adding)
      splices += try change.splices(edit)
    }
    if let names = edit.wantedNames {
      var change = XMPNamesChange(
        to: names, at: edit.location.value?.coordinate, in: self, isAdding: adding != .nothing)
      splices += try change.splices(isShown: edit.namesPlaceShown)
    }
    switch edit.location {
    case .keep: break
    case .set where edit.erasesOldPlace: break
    case .set(let location):
      var change = XMPLocationChange(
        to: location, in: self, keepsCompanions: edit.keepsCompanions, addsAll: adding == .everything)
      splices += try change.splices()
      if edit.wantedNames == nil { splices += createdPlaces(otherThan: location.coordinate) }
    case .remove: break
    }
    splices += removals { property in
      let isSpared = property.isOwn && sparing.contains(property.name)
      return edit.erasesPlaces && property.holdsLocation && !isSpared || edit.erasesDates && property.holdsDate
    }
    let changed = splices.isEmpty ? nil : try applying(splices)
    guard !edit.properties.isEmpty, adding != .nothing else { return changed }
    return try XMPPacket.bytes(changed ?? bytes, changing: edit.properties) ?? changed
  }

  /// Returns the packet's bytes after these splices, with the padding adapted.
  package func applying(_ splices: [Splice]) throws(FileError) -> [UInt8] {
    let growth = splices.reduce(0) { $0 + $1.growth }
    // An insertion at the start of a removed range comes first.
    let sorted = (splices + fitting(growth)).sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    return try Patch(sorted, to: bytes.count, imageData: []).applied(to: Bytes(bytes))
  }

  /// Returns the splice that makes `text` the value of `property`.
  func replacement(of property: XMPProperty, with text: String) throws(FileError) -> Splice {
    guard property.text != nil else {
      throw FileError(
        .xmpForm, "\(property.name) in XMP is a structure and can't be changed",
        at: property.range.lowerBound)
    }
    let escaped = XMLScanner.escaped(text)
    guard property.form == .emptyElement else { return Splice(property.content, escaped) }
    return Splice(
      property.content, Array(">".utf8) + escaped + Array("</".utf8) + bytes[property.qualifiedName] + Array(">".utf8))
  }

  /// Returns the splice that adds a property of EXIF's schema right after `anchor`, in the same schema and form.
  func insertion(of name: String, _ text: String, behind anchor: XMPProperty) -> Splice {
    let prefix = String(decoding: bytes[anchor.qualifiedName].prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
    let hasPrefix = prefix.utf8.count < anchor.qualifiedName.count
    let written = (hasPrefix ? prefix + ":" : "") + name.dropFirst("exif:".count)
    // A namespace declared in the anchor applies to it alone, so the new property must declare it too.
    let isDeclared =
      anchor.form == .attribute
      || Bytes(bytes).firstIndex(of: Array("xmlns".utf8), from: anchor.qualifiedName.lowerBound)
        .map { $0 >= anchor.content.lowerBound } ?? true
    let declaration = isDeclared ? "" : " xmlns\(hasPrefix ? ":" + prefix : "")=\"\(XMPSchema.exif.uri)\""
    return insertion(written: written, declaration, text, behind: anchor)
  }

  /// Returns an insertion of a property with this written name, after the same blanks as the anchor's.
  func insertion(written name: String, _ declaration: String, _ text: String, behind anchor: XMPProperty) -> Splice {
    let isAttribute = anchor.form == .attribute
    let begin = isAttribute ? anchor.qualifiedName.lowerBound : anchor.qualifiedName.lowerBound - 1
    let blanks = String(decoding: bytes[anchor.range.lowerBound..<begin], as: UTF8.self)
    let value = String(decoding: XMLScanner.escaped(text), as: UTF8.self)
    let end = anchor.range.upperBound
    let new = isAttribute ? "\(name)=\"\(value)\"" : "<\(name)\(declaration)>\(value)</\(name)>"
    return Splice(end..<end, Array((blanks + new).utf8))
  }

  private func dateSplices(_ edit: MetadataEdit) throws(FileError) -> [Splice] {
    let change = edit.dates
    let names = XMPPacket.captureDates + (change.isPartial ? [] : XMPPacket.digitizedDates)
    var splices: [Splice] = []
    for property in properties where property.isOwn && names.contains(property.name) {
      // Its date would stay behind that of the others.
      if property.text == nil, change != .keep { splices.append(try replacement(of: property, with: "")) }
      let old = property.text ?? ""
      let own = XMPPacket.digitizedDates.contains(property.name) ? edit.movedBy ?? change : change
      guard !edit.leaves(XMPDate(old)) || own != change, let new = try XMPDate.text(instead: old, after: own) else {
        continue
      }
      splices.append(try replacement(of: property, with: new))
    }
    return try splices + fractionAndOffsetSplices("Original", change)
      + fractionAndOffsetSplices("Digitized", edit.movedBy ?? change)
  }

  /// Returns the splices for tags that EXIF has in addition to its dates. Some programs copy them to XMP, though dates
  /// in XMP hold fraction and offset themselves.
  private func fractionAndOffsetSplices(_ date: String, _ change: DateChange) throws(FileError) -> [Splice] {
    var splices: [Splice] = []
    if let fraction = own("exif:SubSecTime" + date), let new = try self.fraction(of: "exif:DateTime" + date, change) {
      splices += try self.change(fraction, by: new)
    }
    for schema in ["exif:", "exifEX:"] {
      guard let offset = own(schema + "OffsetTime" + date) else { continue }
      switch change {
      case .setPartial: if date == "Original" { splices += try self.change(offset, by: .remove) }
      case .set(let time, _):
        if let new = time.offset {
          splices += try self.change(offset, by: .set("\(new)"))
        } else if case .time(let old, _) = XMPDate(value("exif:DateTime" + date) ?? ""),
          change.replacesOffset(of: old)
        {
          splices += try self.change(offset, by: .remove)
        }
      case .adjust(_, .set(let new)): splices += try self.change(offset, by: .set("\(new)"))
      case .adjust(_, .remove): splices += try self.change(offset, by: .remove)
      case .keep, .adjust(_, .keep): break
      }
    }
    return splices
  }

  /// Returns the change of the fraction that belongs to a date; nil if it stays.
  private func fraction(of date: String, _ change: DateChange) throws(FileError) -> Change<String>? {
    let new: CaptureTime?
    switch change {
    case .keep: return nil
    case .setPartial: return date == "exif:DateTimeOriginal" ? .remove : nil
    case .set(let time, _): new = time
    case .adjust(let shift, _):
      guard shift.span.nanoseconds != 0 else { return nil }
      guard case .time(let old, _) = XMPDate(value(date) ?? "") else { return .remove }
      new = old.applying(change)
    }
    return new?.fraction.map { .set($0.digits) } ?? .remove
  }

  private func change(_ property: XMPProperty, by change: Change<String>) throws(FileError) -> [Splice] {
    switch change {
    case .keep: []
    case .set(let text): property.text == text ? [] : [try replacement(of: property, with: text)]
    case .remove: [Splice(property.range, [])]
    }
  }

  /// Removes all matching properties, anywhere in the packet.
  private func removals(_ goes: (XMPProperty) -> Bool) -> [Splice] {
    var end = 0
    var splices: [Splice] = []
    for property in properties.filter(goes).sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where property.range.lowerBound >= end {
      splices.append(Splice(property.range, []))
      end = property.range.upperBound
    }
    return splices
  }
}

extension MetadataEdit {
  /// Whether a sidecar's date differs from the one that was moved, and so stays: an invalid date, or another day.
  package func leaves(_ date: XMPDate) -> Bool {
    guard let movedFrom else { return false }
    switch date {
    case .malformed: return true
    case .partial(let date): return date.day != nil && !date.contains(movedFrom)
    case .blank, .time: return false
    }
  }
}

/// A packet that records place and time by itself, for a photo that can't hold them: a sidecar.
extension XMPPacket {
  /// An empty sidecar file.
  package static let sidecar = Array(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
     <rdf:RDF xmlns:rdf="\(XMPSchema.rdf.uri)">
     </rdf:RDF>
    </x:xmpmeta>

    """.utf8)

  /// An empty packet with two kilobytes of padding, as Adobe recommends.
  package static let roomy = Array(blank.dropLast(19)) + [UInt8](repeating: 0x20, count: 2_048) + blank.suffix(19)

  /// Returns the packet's bytes after `edit`, or nil when nothing changes. Values that the packet lacks are added.
  package func recording(
    _ edit: MetadataEdit, captured: () -> CaptureTime? = { nil }
  ) throws(FileError) -> [UInt8]? {
    if case .set = edit.location, edit.erasesOldPlace {
      var (erasing, setting) = (edit, MetadataEdit())
      (erasing.location, setting.location) = (.remove, edit.location)
      let isPlain = properties.allSatisfy { !XMPPacket.position.contains($0.name) || $0.text != nil }
      let bare = try edited(
        by: erasing, adding: .everything, sparing: isPlain ? XMPPacket.position : [], captured: captured)
      return try XMPPacket(Bytes(bare ?? bytes)).recording(setting) ?? bare
    }
    let missing = missing(for: edit)
    guard !missing.isEmpty else { return try edited(by: edit, adding: .everything, captured: captured) }
    let bytes = adding(missing)
    return try XMPPacket(Bytes(bytes)).edited(by: edit, adding: .everything, captured: captured) ?? bytes
  }

  /// The properties of a position that is made coarse. They overwrite the precise one, so that no empty description is
  /// left.
  private static let position: Set = ["exif:GPSLatitude", "exif:GPSLongitude", "exif:GPSHPositioningError"]

  private struct Statement {
    let schema: XMPSchema
    let name: String
    let text: String
  }

  private func missing(for edit: MetadataEdit) -> [Statement] {
    var missing: [Statement] = []
    if case .set(let location) = edit.location, own("exif:GPSLatitude") == nil, own("exif:GPSLongitude") == nil {
      let coordinate = location.coordinate
      missing.append(
        Statement(
          schema: .exif, name: "GPSLatitude", text: coordinate.latitude.xmpAngle(positive: "N", negative: "S")))
      missing.append(
        Statement(
          schema: .exif, name: "GPSLongitude", text: coordinate.longitude.xmpAngle(positive: "E", negative: "W")))
    }
    // A day only in `photoshop:DateCreated` is a less detailed copy.
    let isStated =
      if case .setPartial(let date) = edit.dates, date.day != nil {
        own("exif:DateTimeOriginal") != nil
      } else {
        isDated || partialDates.contains(where: \.knowsNoTime)
      }
    guard !isStated, let time = XMPPacket.text(setting: edit.dates)
    else { return missing }
    // The property that EXIF readers use, and the one that Adobe's use (XMP part 2, 8.6; MWG 2.0, 5.6).
    if own("exif:DateTimeOriginal") == nil {
      missing.append(Statement(schema: .exif, name: "DateTimeOriginal", text: time))
    }
    if own("photoshop:DateCreated") == nil {
      missing.append(Statement(schema: .photoshop, name: "DateCreated", text: time))
    }
    return missing
  }

  private static func text(setting change: DateChange) -> String? {
    switch change {
    case .keep, .adjust: nil
    case .set(let time, _): "\(time)"
    case .setPartial(let date): "\(date)"
    }
  }

  /// Returns the packet with one more description of the same picture at its end.
  private func adding(_ statements: [Statement]) -> [UInt8] {
    let splice = description(
      holding: statements.map { statement in
        let name = "\(statement.schema.rawValue):\(statement.name)"
        return "<\(name)>\(String(decoding: XMLScanner.escaped(statement.text), as: UTF8.self))</\(name)>"
      })
    var new = bytes
    new.replaceSubrange(splice.range, with: splice.bytes)
    return new
  }
}
