/// Changes of QuickTime metadata: the location, and erasing of dates.
extension QuickTime {
  /// Returns the values that must change for `edit`. Values that are right already stay untouched.
  ///
  /// - Parameter isDated: Whether its XMP packet has a capture time, so that the header's is only a copy.
  /// - Throws: `refused` when a date would exceed its field's range, or when positions along the way are to be erased.
  package func changes(for edit: MetadataEdit, isDated: Bool = false) throws(FileError) -> QuickTimeChanges {
    var changes = QuickTimeChanges()
    switch edit.location {
    case .keep: break
    case .set(let location):
      setLocation(location, keepsCompanions: edit.keepsCompanions, &changes)
      if edit.erasesOldPlace {
        try removeLocation(
          except: Set(positions + items(.key(Key.accuracy))), dropsTimed: edit.dropsTimedPlaces, &changes)
      }
    case .remove: try removeLocation(dropsTimed: edit.dropsTimedPlaces, &changes)
    }
    if edit.erasesDates { try eraseDates(&changes, dropsTimed: edit.dropsTimedPlaces) }
    try changeDates(edit.dates, isDated: isDated, &changes)
    return changes
  }

  // MARK: Location

  private func setLocation(_ wanted: Location, keepsCompanions: Bool, _ changes: inout QuickTimeChanges) {
    var new = wanted
    if new.altitude?.isFinite == false { new.altitude = nil }
    let old = positions.map { ($0, location(of: $0)) }
    if keepsCompanions, new.altitude == nil { new.altitude = old.lazy.compactMap { $0.1?.altitude }.first }
    for (item, location) in old where !isWritten(location, new, item) {
      replace(item, with: value(of: item, at: new), &changes)
    }
    let hasMovieOwn = old.contains { $0.0.isMovie && $0.1 != nil }
    guard !hasMovieOwn || !changes.isEmpty else { return }
    let text = Array(ISO6709Text.text(new).utf8)
    // Apple reads the one, Android and Google the other.
    if data.takesKeys, items(.key(Key.location)).isEmpty {
      changes.added.append(.init(name: .key(Key.location), text: text))
    }
    if items(.userData(UserData.location)).isEmpty {
      changes.added.append(.init(name: .userData(UserData.location), text: text))
    }
    guard !keepsCompanions, !changes.items.isEmpty || new.horizontalError != nil else { return }
    for item in items(.key(Key.accuracy)) {
      if let error = new.horizontalError, error == accuracy { continue }
      changes.items[item] =
        new.horizontalError.map { $0.isFinite ? .set(Array("\($0)".utf8)) : .remove } ?? .remove
    }
    for item in items(.key(Key.locationDate)) { changes.items[item] = .remove }
  }

  private func isWritten(_ old: Location?, _ new: Location, _ item: QuickTimeItem) -> Bool {
    guard let old else { return false }
    if case .userData(UserData.location3GPP) = item.name { return bytes(of: item)?.array == value(of: item, at: new) }
    return old.coordinate == new.coordinate && old.altitude == new.altitude
      || bytes(of: item)?.array == value(of: item, at: new)
  }

  private func value(of item: QuickTimeItem, at location: Location) -> [UInt8] {
    guard case .userData(UserData.location3GPP) = item.name else {
      return Array(ISO6709Text.text(location, fitting: item.value.count).utf8)
    }
    let old = bytes(of: item)
    return old.flatMap(Loci.init)?.bytes(at: location) ?? old?.array ?? []
  }

  private func removeLocation(
    except kept: Set<QuickTimeItem> = [], dropsTimed: Bool, _ changes: inout QuickTimeChanges
  ) throws(FileError) {
    if let telemetry = dropsTimed ? data.telemetry : data.unerasable {
      let remedy: Remedy = data.telemetry == nil ? .dropTimedMetadata : .clearAll
      throw FileError(.notErasable, "has \(telemetry), whose positions can't be erased separately", remedy: remedy)
    }
    for item in data.items where (item.holdsLocation || holdsPlace(item)) && !kept.contains(item) {
      replace(item, with: nil, &changes)
    }
  }

  /// Whether the text is a position in the form of movies, whatever its name.
  private func holdsPlace(_ item: QuickTimeItem) -> Bool {
    text(of: item)?.hasSuffix("/") == true && location(of: item) != nil
  }

  /// The limit of places in a movie.
  private static let mostErased = 16

  private func replace(_ item: QuickTimeItem, with new: [UInt8]?, _ changes: inout QuickTimeChanges) {
    guard let old = bytes(of: item)?.array, old != new else {
      if new == nil { changes.items[item] = .remove }
      return
    }
    changes.items[item] = new.map { .set($0) } ?? .remove
    if old.count >= 8, changes.erased.count < QuickTime.mostErased, !changes.erased.contains(old) {
      changes.erased.append(old)
    }
  }
}

extension QuickTimeItem {
  /// Whether the value must be removed with the position.
  var holdsLocation: Bool {
    switch name {
    case .key(let key): key.hasPrefix(QuickTime.Key.locationPrefix) || name.isPlainLocation
    case .userData(let name), .itemList(let name):
      name == QuickTime.UserData.location || name == QuickTime.UserData.location3GPP
    }
  }
}

/// Erasing of a movie's dates.
extension QuickTime {
  /// Erases texts, and sets the headers' times of creation and change to 0, which means unset (ISO/IEC 14496-12,
  /// 8.2.2). Dates in unused space are erased too.
  ///
  /// - Throws: `refused` when something records times along the way.
  package func eraseDates(_ changes: inout QuickTimeChanges, dropsTimed: Bool) throws(FileError) {
    guard !data.holdsAdditionalDate else {
      throw FileError(.notErasable, "has manufacturer or program data that contains dates", remedy: .clearAll)
    }
    let remedy: Remedy = data.telemetry == nil && data.places == nil ? .dropTimedMetadata : .clearAll
    if let telemetry = (dropsTimed ? data.telemetry : data.unerasable) ?? data.places {
      throw FileError(.notErasable, "has \(telemetry), whose times can't be erased separately", remedy: remedy)
    }
    for item in dates + headerTexts + items(.key(Key.locationDate)) { try erase(item, &changes) }
    for item in data.items where !item.isMovie && item.isDate { try erase(item, &changes) }
    for header in data.headers {
      // The time of change follows it, with the same length.
      let both = header.creation.lowerBound..<header.creation.upperBound + header.creation.count
      let old = try source(both)
      guard old.contains(where: { $0 != 0 }) else { continue }
      changes.times.append(Splice(both, [UInt8](repeating: 0, count: both.count)))
      try remember(old, &changes)
    }
  }

  private func erase(_ item: QuickTimeItem, _ changes: inout QuickTimeChanges) throws(FileError) {
    changes.items[item] = .remove
    if let old = bytes(of: item)?.array, old.count >= 8 { try remember(old, &changes) }
  }

  private func remember(_ old: [UInt8], _ changes: inout QuickTimeChanges) throws(FileError) {
    guard !changes.erased.contains(old) else { return }
    guard changes.erased.count < QuickTime.mostErasedDates else {
      throw FileError(.notErasable, "contains too many dates to erase")
    }
    changes.erased.append(old)
  }

  private static let mostErasedDates = 64
}

extension QuickTimeItem {
  /// Whether the name means a date of a track.
  fileprivate var isDate: Bool {
    switch name {
    case .key(let key): key == QuickTime.Key.date || key.hasPrefix(QuickTime.Key.headerTime)
    case .userData(let name), .itemList(let name):
      name == QuickTime.UserData.date || name == QuickTime.UserData.plainDate
    }
  }
}
