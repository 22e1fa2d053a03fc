/// Erasing of a movie's dates.
extension QuickTime {
  /// Erases texts, and sets the headers' times of creation and change to 0, which means unset (ISO/IEC 14496-12,
  /// 8.2.2). Dates in unused space are erased too.
  ///
  /// - Throws: `refused` when something records times along the way.
  package func eraseDates(_ changes: inout QuickTimeChanges, dropsTimed: Bool) throws(FileError) {
    guard !data.holdsAdditionalDate else {
      throw FileError(.notErasable, "has data of its maker or of a program that contain dates", remedy: .clearAll)
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
      throw FileError(.notErasable, "contains more dates than any movie")
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
