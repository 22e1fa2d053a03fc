/// The metadata that a photo must have after an edit, as read by our own reader: the requested values in every
/// namespace, all others unchanged. It is checked on the planned bytes before anything is written.
struct Expectation {
  let edit: MetadataEdit
  let before: Metadata
  /// Whether the format has no EXIF, so that XMP must contain the values.
  var hasOnlyXMP = false

  /// Checks the metadata after the edit.
  /// - Throws: `.refused`, naming the field, when `after` isn't as requested.
  func check(_ after: Metadata) throws(FileError) {
    if let erasure = edit.erasure { return try checkErased(after, erasure) }
    let (before, after) = alike(after)
    try Expectation(edit: edit, before: before, hasOnlyXMP: hasOnlyXMP).checkEdited(after)
  }

  /// Returns both sides with IPTC dates at midnight read alike. Such a date is read as a day unless the believed date is
  /// at midnight as well. If one side reads it as a day, so must the other.
  private func alike(_ after: Metadata) -> (before: Metadata, after: Metadata) {
    guard case .adjust = edit.dates else { return (before, after) }
    let isDay = { (copy: Sourced<CaptureTime>) in copy.namespace == .iptc && IPTCClock.isDayOnly(copy.value) }
    var (before, after) = (before, after)
    let hasDay = { (copy: Sourced<PartialDate>) in copy.namespace == .iptc && copy.value.day != nil }
    if before.partialDates.contains(where: hasDay) { after.readAsDays(isDay) }
    if after.partialDates.contains(where: hasDay) {
      before.readAsDays { copy in
        copy.namespace == .iptc && copy.value.applying(edit.dates).map(IPTCClock.isDayOnly) ?? false
      }
    }
    return (before, after)
  }

  private func checkEdited(_ after: Metadata) throws(FileError) {
    try checkLocation(after)
    try checkNames(after)
    try checkDates("capture time", before.captureTimes, after.captureTimes, edit.dates)
    try checkDates("digitized time", before.digitizedTimes, after.digitizedTimes, edit.movedBy ?? edit.dates)
    try checkPartialDates(after)
    try checkFurtherDates(after)
    try checkModifyTime(after)
    try checkFields(after)
    let (fields, tags) = (edit.fields, edit.tags)
    try require(after.make == before.make || fields[.make] != nil, "the camera make")
    try require(after.model == before.model || fields[.model] != nil, "the camera model")
    try require(after.lensModel == before.lensModel || fields[.lensModel] != nil, "the lens")
    let namesBody = tags.keys.contains { $0.name == "BodySerialNumber" }
    try require(after.serialNumber == before.serialNumber || namesBody, "the serial number")
    try require(after.orientation == before.orientation, "the orientation")
  }

  /// Checks that the modify date moved with the picture's own date if both were the same, and otherwise stayed.
  private func checkModifyTime(_ after: Metadata) throws(FileError) {
    let taken = before.captureTimes.filter { $0.namespace == .exif && $0.tag == EXIF.DateTags.original.name }
    let moved = taken.map { before.modifyTime?.movedAsModified(beside: $0.value, by: edit.dates) }
    // Each of several EXIF blocks has its own date.
    let wanted = edit.erasesDates ? [nil] : moved.count == 1 ? moved : moved + [before.modifyTime]
    try require(wanted.contains(after.modifyTime), "the modify date")
  }

  /// Checks that nothing is left but the orientation, and the date if that is kept.
  private func checkErased(_ after: Metadata, _ erasure: Erasure) throws(FileError) {
    try require(after.locations.isEmpty && after.placeNames.isEmpty && after.namesShown.isEmpty, "the place")
    let camera = [after.make, after.model, after.serialNumber, after.lensModel].compactMap(\.self)
    try require(after.fields.isEmpty && camera.isEmpty, "author or camera")
    try require(after.modifyTime == nil && (after.malformedDates + after.malformedOffsets).isEmpty, "the dates")
    let time = erasure.keepsDate ? before.captureTime : nil
    let partial = erasure.keepsDate && time == nil ? before.partialDates.first?.value : nil
    try require(Set(after.partialDates.map(\.value)) == Set(partial.map { [$0] } ?? []), "the year it was taken")
    let wanted = Set(time.map { [$0] } ?? [])
    try require(Set(after.captureTimes.map(\.value)) == wanted, "the capture time")
    // A GIF has XMP only, which has no digitized time.
    try require(Set(after.digitizedTimes.map(\.value)).isSubset(of: wanted), "the capture time")
    try require(after.orientation == before.orientation, "the orientation")
  }

  private func checkLocation(_ after: Metadata) throws(FileError) {
    switch edit.location {
    case .keep:
      var locations = before.locations
      if edit.erasesDates { for index in locations.indices { locations[index].value.timestamp = nil } }
      try require(after.locations == locations, "the location")
    case .remove:
      try require(after.locations.isEmpty, "the location")
    case .set(let wanted):
      try require(!after.locations.isEmpty, "the location")
      for location in after.locations {
        try require(location.value.coordinate.isSame(as: wanted.coordinate), "the location in \(location.tag)")
      }
      try require(!edit.erasesPlaces || after.additionalPlaces.isEmpty, "the destination position")
    }
  }

  private func checkNames(_ after: Metadata) throws(FileError) {
    let (name, nameOfShown) = ("the place names", "the names of the place shown")
    if edit.erasesPlaces {
      return try require(after.placeNames.isEmpty && after.namesShown.isEmpty, name)
    }
    guard let wanted = edit.wantedNames else {
      return try require(after.placeNames == before.placeNames && after.namesShown == before.namesShown, name)
    }
    for copy in after.placeNames { try require(copy.value.isPart(of: wanted), "\(name) in \(copy.tag)") }
    let exact = after.placeNames.filter { $0.namespace == .xmp && $0.value == wanted }.map(\.tag)
    try require(wanted.isEmpty || exact.contains("photoshop:City") && exact.contains(XMPNames.created), name)
    let (shown, old) = (after.namesShown.map(\.value), before.namesShown.map(\.value))
    if edit.namesPlaceShown { return try require(shown == (wanted.isEmpty ? [] : [wanted]), nameOfShown) }
    // In the names of the place shown, only those that equalled the old names may change.
    let followed = Set(before.placeNames.map(\.value) + [wanted])
    try require(shown.filter { !followed.contains($0) } == old.filter { !followed.contains($0) }, nameOfShown)
    try require(wanted.isEmpty || shown.count == old.count, nameOfShown)
  }

  /// Checks that edited fields have the new value in EXIF (or in XMP if there is no EXIF) and in every copy, and that
  /// all others are unchanged.
  private func checkFields(_ after: Metadata) throws(FileError) {
    let byPath = Set(edit.properties.keys.compactMap(\.field))
    let others = { (copy: Sourced<RecordedField>) in
      edit.fields[copy.value.field] == nil && !byPath.contains(copy.value.field)
    }
    try require(after.fields.filter(others) == before.fields.filter(others), "author or camera")
    for (field, change) in edit.fields {
      let copies = after.fields.filter { $0.value.field == field }
      guard let wanted = change.value else {
        try require(copies.isEmpty, "the \(field.rawValue)")
        continue
      }
      let home = field.tag == nil || hasOnlyXMP ? Namespace.xmp : .exif
      try require(copies.contains { $0.namespace == home }, "the \(field.rawValue)")
      for copy in copies {
        let isWindows = field.tag == nil && copy.namespace == .exif
        let isSame =
          isWindows && copy.value.value.windowsText == wanted.windowsText || copy.value.value == wanted
          || copy.namespace == .iptc && copy.value.value.isCut(from: wanted)
        try require(isSame, "the \(field.rawValue) in \(copy.tag)")
      }
    }
  }

  /// Checks that tags that are no `PhotoField` have the requested value in EXIF.
  func checkTags(in block: TIFFBlock?) throws(FileError) {
    for (tag, change) in edit.tags {
      try require(block.flatMap { EXIF.value(of: tag, in: $0) } == change.value, tag.key)
    }
  }

  /// Checks that values in XMP that are set by their paths are as requested, and that all others are unchanged.
  func checkProperties(_ old: [XMPPath: String], _ new: [XMPPath: String], at tree: (XMPPath) -> String?)
    throws(FileError)
  {
    for (path, change) in edit.properties {
      // The next item takes the place of a removed one.
      let wanted = change.value ?? path.next.flatMap { old[$0] }
      try require(tree(path) == wanted, "\(path)")
    }
    let isOther = { (path: XMPPath) in !edit.properties.keys.contains { $0.isOfSameProperty(as: path) } }
    // Other changes write to XMP, too.
    guard edit.fields.isEmpty, edit.tags.isEmpty, edit.location == .keep, edit.dates == .keep, edit.names == .keep
    else {
      return
    }
    try require(old.filter { isOther($0.key) } == new.filter { isOther($0.key) }, "the other values in XMP")
  }

  private func checkDates(
    _ name: String, _ old: [Sourced<CaptureTime>], _ new: [Sourced<CaptureTime>], _ change: DateChange
  ) throws(FileError) {
    switch change {
    case .keep where edit.erasesDates:
      try require(new.isEmpty, "the \(name)")
    case .keep:
      try require(new == old, "the \(name)")
    case .setPartial:
      try require(name == "capture time" ? new.isEmpty : new == old, "the \(name)")
    case .set(let wanted, _):
      try require(old.isEmpty || !new.isEmpty, "the \(name)")
      for time in new {
        let isReplaced = old.contains {
          $0.namespace == time.namespace && $0.tag == time.tag && change.replacesOffset(of: $0.value)
        }
        let isSame = Expectation.isSame(time, wanted, offset: wanted.offset ?? (isReplaced ? nil : time.value.offset))
        try require(isSame, "the \(name) in \(time.tag)")
      }
    case .adjust:
      try require(new.count == old.count, "the \(name)")
      for (old, new) in zip(old, new) {
        let wanted = old.value.applying(change)
        let isSame = wanted.map { Expectation.isSame(new, $0, offset: $0.offset) } ?? false
        try require(isSame, "the \(name) in \(new.tag)")
      }
    }
  }

  /// Checks that dates that were exact copies of the capture time still are.
  private func checkFurtherDates(_ after: Metadata) throws(FileError) {
    let (old, new) = (before.additionalDates, after.additionalDates)
    if edit.dates == .keep { return try require(new == (edit.erasesDates ? [] : old), "an additional date") }
    try require(new.count == old.count, "an additional date")
    guard let was = before.captureTime, let time = after.captureTime else { return }
    for (old, new) in zip(before.additionalTimes, after.additionalTimes) where old.value.isExactCopy(of: was) {
      try require(time.disagreement(with: new.value, of: new.namespace) == nil, "the date in \(new.tag)")
    }
  }

  private func checkPartialDates(_ after: Metadata) throws(FileError) {
    let (old, new) = (before.partialDates, after.partialDates)
    let isRight =
      switch edit.dates {
      case .keep: new == (edit.erasesDates ? [] : old)
      case .set(let wanted, _):
        new.allSatisfy { $0.value == PartialDate(dayOf: wanted.civil) || edit.leaves(.partial($0.value)) }
      case .setPartial(let wanted): !new.isEmpty && new.allSatisfy { $0.value == wanted }
      case .adjust(let shift, _): new.map(\.value) == old.map { shift.moving($0.value) }
      }
    try require(isRight, "the year, month or day it was taken")
  }

  /// Whether a copy has this time, as far as its namespace can hold it: IPTC has no fractions, and QuickTime's headers
  /// are in UTC in every zone.
  private static func isSame(_ copy: Sourced<CaptureTime>, _ wanted: CaptureTime, offset: UTCOffset?) -> Bool {
    guard copy.value.civil == wanted.civil else { return false }
    switch copy.namespace {
    case .exif, .xmp, .sidecar: return copy.value.offset == offset && copy.value.fraction == wanted.fraction
    case .iptc: return copy.value.offset == offset
    case .quickTime: return true
    }
  }

  private func require(_ condition: Bool, _ field: String) throws(FileError) {
    guard condition else {
      throw FileError(.verificationFailed, "\(field) would not be read back as written")
    }
  }
}

extension Metadata {
  fileprivate mutating func readAsDays(_ isDay: (Sourced<CaptureTime>) -> Bool) {
    for copy in captureTimes where isDay(copy) {
      if let day = PartialDate(dayOf: copy.value.civil) { partialDates.append(Sourced(day, .iptc, tag: copy.tag)) }
    }
    captureTimes.removeAll(where: isDay)
    digitizedTimes.removeAll(where: isDay)
  }
}

extension TagValue {
  /// Whether this is `whole` cut to what IIM has room for: the beginning of each author, and only authors that its
  /// encoding can spell.
  fileprivate func isCut(from whole: TagValue) -> Bool {
    if case .list(let texts) = self, case .list(let wanted) = whole {
      return texts.allSatisfy { text in wanted.contains { $0.hasPrefix(text) } }
    }
    guard case .text(let text) = self, case .text(let wanted) = whole else { return false }
    let names = wanted.split(separator: "; ")
    return text.split(separator: "; ").allSatisfy { part in names.contains { $0.hasPrefix(part) } }
      || wanted.hasPrefix(text)
  }
}
