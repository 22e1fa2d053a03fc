/// What must be true of a photo after an edit, by our own reading: the wanted values in every namespace, and all others
/// as they were. Checked on the planned bytes before anything is written.
struct Expectation {
  let edit: MetadataEdit
  let before: Metadata

  /// - Throws: `.refused`, naming the field, when `after` isn't what was wanted.
  func check(_ after: Metadata) throws(PhotoError) {
    try checkLocation(after)
    try checkDates("capture time", before.captureTimes, after.captureTimes)
    try checkDates("digitized time", before.digitizedTimes, after.digitizedTimes)
    try demand(after.modifyTime == before.modifyTime, "the modify date")
    try demand(after.make == before.make && after.model == before.model, "the camera")
    try demand(after.serialNumber == before.serialNumber && after.lensModel == before.lensModel, "the lens or body")
    try demand(after.orientation == before.orientation, "the orientation")
  }

  private func checkLocation(_ after: Metadata) throws(PhotoError) {
    switch edit.location {
    case .keep:
      try demand(after.locations == before.locations, "the location")
      try demand(after.placeNames == before.placeNames, "the names of the place")
    case .remove:
      try demand(after.locations.isEmpty && after.placeNames.isEmpty, "the location")
    case .set(let wanted):
      try demand(!after.locations.isEmpty, "the location")
      for location in after.locations {
        try demand(location.value.coordinate.isSame(as: wanted.coordinate), "the location in \(location.tag)")
      }
      try demand(after.placeNames == before.placeNames, "the names of the place")
    }
  }

  private func checkDates(
    _ name: String, _ old: [Sourced<CaptureTime>], _ new: [Sourced<CaptureTime>]
  ) throws(PhotoError) {
    switch edit.dates {
    case .keep:
      try demand(new == old, "the \(name)")
    case .set(let wanted):
      for time in new { try demand(time.value.civil == wanted.civil, "the \(name) in \(time.tag)") }
    case .adjust:
      try demand(new.count == old.count, "the \(name)")
      for (old, new) in zip(old, new) {
        try demand(old.value.applying(edit.dates)?.civil == new.value.civil, "the \(name) in \(new.tag)")
      }
    }
  }

  private func demand(_ condition: Bool, _ field: String) throws(PhotoError) {
    guard condition else {
      throw PhotoError(.refused, "left alone: \(field) would not read back as it should after this change")
    }
  }
}
