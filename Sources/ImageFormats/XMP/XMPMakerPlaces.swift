/// What drones' makers say of the position in namespaces of their own.
extension XMPPacket {
  /// What goes when the picture is put at `coordinate`, and they say another place: nobody could tell which of the two
  /// is meant. Their altitudes go too.
  func makerPlaces(otherThan coordinate: Coordinate) -> [XMPProperty] {
    let own = additionalPlaces.filter { $0.tag.hasPrefix(":") && $0.tag.lowercased().hasSuffix("latitude") }
    guard own.contains(where: { $0.place?.isSame(as: coordinate) != true }) else { return [] }
    return properties.filter { $0.isOwn && $0.name.hasPrefix(":") && $0.holdsLocation }
  }

  /// What to tell of them.
  package func notes(onPlace edit: MetadataEdit) -> [String] {
    guard case .set(let location) = edit.location, !edit.erasesOldPlace else { return [] }
    var notes: [String] = []
    let names = makerPlaces(otherThan: location.coordinate).map { $0.name.dropFirst() }
    if !names.isEmpty {
      notes.append("its maker's copies of the old place in XMP are removed: \(names.joined(separator: ", "))")
    }
    if edit.wantedNames == nil, !createdPlaces(otherThan: location.coordinate).isEmpty {
      notes.append("the old position in XMP's LocationCreated is removed")
    }
    return notes
  }
}

/// Positions in IPTC's structure of the place where a picture was taken.
extension XMPPacket {
  /// What goes of it when the picture is put at `coordinate`: a position so far away that names would be another
  /// place's. Names stay, for they are changed by a command of their own.
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
