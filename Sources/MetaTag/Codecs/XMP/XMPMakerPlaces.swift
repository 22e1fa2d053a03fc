/// What drones' makers say of the position in namespaces of their own.
extension XMPPacket {
  /// What goes when the picture is put at `coordinate`, and they say another place: nobody could tell which of the two
  /// is meant. Their altitudes go too.
  func makerPlaces(otherThan coordinate: Coordinate) -> [XMPProperty] {
    let own = furtherPlaces.filter { $0.tag.hasPrefix(":") && $0.tag.lowercased().hasSuffix("latitude") }
    guard own.contains(where: { $0.place?.isSame(as: coordinate) != true }) else { return [] }
    return properties.filter { $0.isOwn && $0.name.hasPrefix(":") && $0.tellsPlace }
  }

  /// What to tell of them.
  func notices(onPlace edit: MetadataEdit) -> [String] {
    guard case .set(let location) = edit.location, !edit.erasesOldPlace else { return [] }
    let names = makerPlaces(otherThan: location.coordinate).map { $0.name.dropFirst() }
    guard !names.isEmpty else { return [] }
    return ["its maker's copies of the old place in XMP are removed: \(names.joined(separator: ", "))"]
  }
}
