/// Positions in the namespaces of drone makers.
extension XMPPacket {
  /// Returns the properties to remove when the picture is put at `coordinate` and they record another place, because it
  /// would be unclear which one is right. Their altitudes are removed too.
  func makerPlaces(otherThan coordinate: Coordinate) -> [XMPProperty] {
    let own = additionalPlaces.filter { $0.tag.hasPrefix(":") && $0.tag.lowercased().hasSuffix("latitude") }
    guard own.contains(where: { $0.place?.isSame(as: coordinate) != true }) else { return [] }
    return properties.filter { $0.isOwn && $0.name.hasPrefix(":") && $0.holdsLocation }
  }

  /// Returns the notes on these positions.
  package func notes(onPlace edit: MetadataEdit) -> [Note] {
    guard case .set(let location) = edit.location, !edit.erasesOldPlace else { return [] }
    var notes: [Note] = []
    let names = makerPlaces(otherThan: location.coordinate).map { $0.name.dropFirst() }
    if !names.isEmpty {
      notes.append(.removed(names.map { "\($0) in XMP" }))
    }
    if edit.wantedNames == nil, !createdPlaces(otherThan: location.coordinate).isEmpty {
      notes.append(.removed(["the position in LocationCreated"]))
    }
    return notes
  }
}

/// Positions in IPTC's structure of the place where a picture was taken.
extension XMPPacket {
  /// Returns the splices that remove a position so far from `coordinate` that names would belong to another place.
  /// Names stay, because a separate command changes them.
  func createdPlaces(otherThan coordinate: Coordinate) -> [Splice] {
    var splices: [Splice] = []
    for (index, property) in properties.enumerated() where property.isOwn && property.name == XMPNames.created {
      let fields = fields(of: index)
      let stale = fields.filter { field in
        guard field.name.hasPrefix("exif:GPS") else { return false }
        let item = fields.filter { $0.outer?.item == field.outer?.item }
        let recorded = XMPNames.position(in: item) ?? location?.coordinate
        return recorded.map { $0.distance(to: coordinate) > XMPNamesChange.samePlace } ?? true
      }
      let isWhole = stale.count == fields.count && !stale.isEmpty && !property.holdsOthers
      splices += (isWhole ? [property] : stale).map { Splice($0.range, []) }
    }
    return splices
  }
}
