import SystemPackage

extension MetadataEdit {
  /// Returns the edit for a sidecar that records `sidecar`, of a photo that is believed to record `photo`. If the
  /// sidecar has no date of its own, a moved date is computed from the photo's, and a set date keeps the photo's
  /// offset.
  func stated(in sidecar: Metadata, of photo: Metadata) -> MetadataEdit {
    guard dates != .keep, sidecar.captureTime == nil, !sidecar.knowsNoTime else { return self }
    var own = self
    switch dates {
    case .set(let time, let replacing):
      own.dates = .set((photo.captureTime ?? time).applying(dates) ?? time, replacingOffsets: replacing)
    case .adjust(let shift, _):
      let partial = photo.partialDates.first.flatMap { shift.moving($0.value) }
      own.dates = photo.captureTime?.applying(dates).map { .set($0) } ?? partial.map { .setPartial($0) } ?? .keep
      (own.movedFrom, own.movedBy) = (photo.captureTime, dates)
    case .keep, .setPartial: break
    }
    return own
  }

  /// Returns the edit for the sidecar of a photo that is changed itself. Afterwards the sidecar doesn't contradict the
  /// photo, and states no more than before.
  func following(_ sidecar: Metadata) -> MetadataEdit {
    var own = self
    if case .set = location, sidecar.locations.isEmpty {
      own.location = erasesOldPlace && !sidecar.placeNames.isEmpty ? .remove : .keep
    }
    let holdsDate =
      sidecar.isDated || !sidecar.digitizedTimes.isEmpty || !sidecar.additionalDates.isEmpty
      || !sidecar.malformedDates.isEmpty
    if !holdsDate { own.dates = .keep }
    if sidecar.placeNames.isEmpty { own.names = .keep }
    own.fields = fields.filter { field, _ in sidecar.fields.contains { $0.value.field == field } }
    if !sidecar.fields.contains(where: { $0.value.field == .keywords }) { own.addedKeywords = [] }
    own.tags = [:]
    return own
  }

  /// Returns the names of values that this edit sets in a sidecar, which then records `sidecar`, although the photo's
  /// own values are believed.
  func overruled(in sidecar: Metadata, by photo: Metadata) -> [String] {
    var overruled: [String] = []
    if case .set(let location) = location, photo.location?.coordinate.isSame(as: location.coordinate) == false {
      overruled.append("place")
    }
    if dates != .keep, let time = photo.captureTime, time.civil != sidecar.captureTime?.civil {
      overruled.append("date")
    }
    return overruled
  }

  /// Returns the edit with the removals in a file that records `metadata`, which a sidecar can't express.
  func removals(from metadata: Metadata) -> MetadataEdit {
    var own = MetadataEdit()
    if erasesPlaces { own.location = .remove }
    own.erasesDates = erasesDates
    own.fields = fields.filter { field, change in
      change == .remove && metadata.fields.contains { $0.value.field == field }
    }
    if wantedNames?.isEmpty == true, !metadata.placeNames.isEmpty { own.names = .remove }
    return own
  }
}

extension OpenFile {
  /// Throws if the edit removes values that are in the file itself: a sidecar can only add to them.
  func requireNothingToRemove(
    for edit: MetadataEdit, _ policy: SidecarPolicy, because error: FileError? = nil
  ) throws(FileError) {
    func refusal(_ what: String) -> FileError {
      FileError(
        .notInSidecar, "\(what), which a sidecar can't take back\(policy.obstacle(for: self, because: error))",
        remedy: policy.remedy(for: self, because: error))
    }
    if edit.erasure != nil {
      // If that can't be done in place either, this throws the reason.
      _ = try image.changes(for: edit)
      throw refusal("is described by its own metadata")
    }
    let removals = edit.removals(from: metadata)
    guard !removals.isEmpty else { return }
    let isTold: Bool
    do throws(FileError) {
      var changes = try image.changes(for: removals)
      if !image.exifBlocks.contains(where: EXIF.holdsLocation) { changes.leaveGPS() }
      isTold = changes.isEmpty ? try image.reportsAlso(changes) : true
    } catch {
      guard error.kind == .refused || error.kind == .unsupported else { throw error }
      isTold = true
    }
    if isTold { throw refusal("the file itself records what is to be removed") }
  }
}

extension Photo {
  /// Throws if values to erase may also be in a file that may or may not be a sidecar of this photo. Otherwise the user
  /// would believe that they are gone.
  func requireNothingStray(for edit: MetadataEdit) throws(FileError) {
    var removal = MetadataEdit()
    if edit.erasesPlaces { removal.location = .remove }
    removal.erasesDates = edit.erasesDates
    for stray in strays {
      let changes = edit.erasure == nil ? try? OpenFile(sidecarAt: stray.path).image.changes(for: removal) : nil
      guard changes?.isEmpty != true, let name = stray.path.lastComponent else { continue }
      throw FileError(
        .straySidecar, "\(stray.doubt), but contains what is to be erased", remedy: .nameSidecar(name.string))
    }
  }
}
