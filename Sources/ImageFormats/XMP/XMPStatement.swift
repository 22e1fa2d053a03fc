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
  package func stating(
    _ edit: MetadataEdit, captured: () -> CaptureTime? = { nil }
  ) throws(FileError) -> [UInt8]? {
    if case .set = edit.location, edit.erasesOldPlace {
      var (erasing, setting) = (edit, MetadataEdit())
      (erasing.location, setting.location) = (.remove, edit.location)
      let isPlain = properties.allSatisfy { !XMPPacket.position.contains($0.name) || $0.text != nil }
      let bare = try edited(
        by: erasing, adding: .everything, sparing: isPlain ? XMPPacket.position : [], captured: captured)
      return try XMPPacket(Bytes(bare ?? bytes)).stating(setting) ?? bare
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
