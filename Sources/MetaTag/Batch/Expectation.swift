/// What must be true of a photo after an edit, by our own reading: the wanted values in every namespace, and all others
/// as they were. Checked on the planned bytes before anything is written.
struct Expectation {
  let edit: MetadataEdit
  let before: Metadata

  /// - Throws: `.refused`, naming the field, when `after` isn't what was wanted.
  func check(_ after: Metadata) throws(PhotoError) {
    try checkLocation(after)
    try checkNames(after)
    try checkDates("capture time", before.captureTimes, after.captureTimes)
    try checkDates("digitized time", before.digitizedTimes, after.digitizedTimes)
    try checkDays(after)
    try demand(after.modifyTime == before.modifyTime, "the modify date")
    try demand(after.make == before.make && after.model == before.model, "the camera")
    try demand(after.serialNumber == before.serialNumber && after.lensModel == before.lensModel, "the lens or body")
    try demand(after.orientation == before.orientation, "the orientation")
  }

  private func checkLocation(_ after: Metadata) throws(PhotoError) {
    switch edit.location {
    case .keep:
      try demand(after.locations == before.locations, "the location")
    case .remove:
      try demand(after.locations.isEmpty, "the location")
    case .set(let wanted):
      try demand(!after.locations.isEmpty, "the location")
      for location in after.locations {
        try demand(location.value.coordinate.isSame(as: wanted.coordinate), "the location in \(location.tag)")
      }
    }
  }

  private func checkNames(_ after: Metadata) throws(PhotoError) {
    let name = "the names of the place"
    if edit.location == .remove {
      return try demand(after.placeNames.isEmpty && after.namesShown.isEmpty, name)
    }
    guard let wanted = edit.wantedNames else {
      return try demand(after.placeNames == before.placeNames && after.namesShown == before.namesShown, name)
    }
    for copy in after.placeNames { try demand(copy.value.isPart(of: wanted), "\(name) in \(copy.tag)") }
    let exact = after.placeNames.filter { $0.namespace == .xmp && $0.value == wanted }.map(\.tag)
    try demand(wanted.isEmpty || exact.contains("photoshop:City") && exact.contains(XMPNames.created), name)
    let shown = edit.namesPlaceShown ? wanted.isEmpty ? [] : [wanted] : before.namesShown.map(\.value)
    try demand(after.namesShown.map(\.value) == shown, "the names of the place that is shown")
  }

  private func checkDates(
    _ name: String, _ old: [Sourced<CaptureTime>], _ new: [Sourced<CaptureTime>]
  ) throws(PhotoError) {
    switch edit.dates {
    case .keep:
      try demand(new == old, "the \(name)")
    case .set(let wanted):
      for time in new {
        let isSame = Expectation.isSame(time, wanted, offset: wanted.offset ?? time.value.offset)
        try demand(isSame, "the \(name) in \(time.tag)")
      }
    case .adjust:
      try demand(new.count == old.count, "the \(name)")
      for (old, new) in zip(old, new) {
        let wanted = old.value.applying(edit.dates)
        let isSame = wanted.map { Expectation.isSame(new, $0, offset: $0.offset) } ?? false
        try demand(isSame, "the \(name) in \(new.tag)")
      }
    }
  }

  private func checkDays(_ after: Metadata) throws(PhotoError) {
    let name = "the day it was taken"
    switch edit.dates {
    case .keep: try demand(after.captureDays == before.captureDays, name)
    case .set(let wanted): try demand(after.captureDays.allSatisfy { $0.value == wanted.civil.midnight }, name)
    case .adjust(let shift, _):
      let moved = before.captureDays.map { $0.namespace == .exif ? $0.value : shift.moving(day: $0.value) }
      try demand(after.captureDays.map(\.value) == moved, name)
    }
  }

  /// Whether a copy says this time, as far as its namespace can: IPTC has no fractions, and QuickTime's headers are in
  /// UTC whatever the zone was.
  private static func isSame(_ copy: Sourced<CaptureTime>, _ wanted: CaptureTime, offset: UTCOffset?) -> Bool {
    guard copy.value.civil == wanted.civil else { return false }
    switch copy.namespace {
    case .exif, .xmp: return copy.value.offset == offset && copy.value.fraction == wanted.fraction
    case .iptc: return copy.value.offset == offset
    case .quickTime: return true
    }
  }

  private func demand(_ condition: Bool, _ field: String) throws(PhotoError) {
    guard condition else {
      throw PhotoError(.refused, "left alone: \(field) would not read back as it should after this change")
    }
  }
}
