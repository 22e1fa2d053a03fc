import SystemPackage

/// The edit of a photo as an edit of its sidecar.
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
  /// Returns why the edit can't be made in the file itself; nil if it can, or if the format is only read, which
  /// `SidecarPolicy` knows.
  fileprivate func objectionInPlace(to edit: MetadataEdit) -> FileError? {
    image.layout.isReadOnly ? nil : objection(to: edit)
  }

  /// Throws if the edit removes values that are in the file itself: a sidecar can only add to them.
  func requireNothingToRemove(
    for edit: MetadataEdit, _ policy: SidecarPolicy, because error: FileError? = nil
  ) throws(FileError) {
    func refusal(_ what: String) -> FileError {
      let error = error ?? objectionInPlace(to: edit)
      return FileError(
        .notInSidecar, "\(what), which a sidecar can't override\(policy.obstacle(for: self, because: error))",
        remedy: policy.remedy(for: self, because: error))
    }
    if edit.erasure != nil {
      // If that can't be done in place either, this throws the reason.
      do throws(FileError) { _ = try image.changes(for: edit) } catch { throw checkingRemedy(of: error, against: edit) }
      throw refusal("is described by its own metadata")
    }
    let removals = edit.removals(from: metadata)
    guard !removals.isEmpty else { return }
    let isReported: Bool
    do throws(FileError) {
      var changes = try image.changes(for: removals)
      if !image.exifBlocks.contains(where: EXIF.holdsLocation) { changes.leaveGPS() }
      isReported = changes.isEmpty ? try image.reportsAlso(changes) : true
    } catch {
      guard error.kind == .refused || error.kind == .unsupported else { throw error }
      isReported = true
    }
    if isReported, image.layout.isReadOnly, !image.type.isRaw { throw FileError.isReadOnly(image.type, erasing: true) }
    if isReported { throw refusal("the file itself contains the metadata to remove") }
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
        .straySidecar, "\(stray.doubt), but contains metadata to erase", remedy: .nameSidecar(name.string))
    }
  }
}

/// The changes of one file of a photo: to the file, to its sidecar, or to both.
struct FileAndSidecarEdit {
  /// The change of the file itself; nil if it stays unchanged.
  let own: FileEdit?
  let sidecar: FileEdit?
  /// The joint metadata of file and sidecar after the change.
  let metadata: Metadata
  /// Notes about values in the sidecar that have no effect, because the file's own are believed.
  let notes: [Note]
  var all: [FileEdit] { [own, sidecar].compactMap(\.self) }

  /// Applies `own` to the file itself, and updates what its sidecar states accordingly.
  init(_ own: FileEdit?, of file: FileWithSidecar, by edit: MetadataEdit) throws(FileError) {
    self.own = own
    if let beside = file.sidecar, case let edit = edit.following(beside.metadata), !edit.isEmpty {
      sidecar = try beside.naming { () throws(FileError) in try FileEdit(of: beside, by: edit) }
    } else {
      sidecar = nil
    }
    metadata = file.photo.joined(own?.metadata ?? file.photo.metadata, sidecar?.metadata ?? file.sidecar?.metadata)
    notes = []
  }

  /// Writes the edit into a sidecar and leaves the file unchanged. `name` returns the name of a new sidecar.
  init(
    beside file: FileWithSidecar, by edit: MetadataEdit, _ policy: SidecarPolicy, because error: FileError?,
    named name: () -> FilePath.Component?
  ) throws(FileError) {
    if let tag = edit.tags.keys.map(\.key).min() {
      if let error {
        throw FileError(.notInSidecar, "\(error.description), and a sidecar can't hold \(tag)", remedy: .setSeparately)
      }
      let objection = file.photo.objectionInPlace(to: edit)
      throw FileError(
        .notInSidecar, "a sidecar can't hold \(tag)\(policy.obstacle(for: file.photo, because: objection))",
        remedy: policy.remedy(for: file.photo, because: objection))
    }
    let edit = edit.addingKeywords(to: file.metadata)
    try file.photo.requireNothingToRemove(for: edit, policy, because: error)
    own = nil
    let target: OpenFile
    if let there = file.sidecar {
      target = there
    } else {
      guard let name = name() else { throw FileError(.noName, "could not find a name for its sidecar") }
      target = try OpenFile(sidecarNamed: name, of: file.photo)
    }
    let stated = edit.stated(in: target.metadata, of: file.metadata)
    sidecar = try target.naming { () throws(FileError) in try FileEdit(of: target, by: stated) }
    if stated.movedFrom != nil, edit.location == .keep, (sidecar?.metadata ?? target.metadata).captureTimes.isEmpty {
      throw FileError(.conflictingSidecar, "the date property of its sidecar is not a date", remedy: .setDate)
    }
    metadata = file.photo.joined(file.photo.metadata, sidecar?.metadata ?? file.sidecar?.metadata)
    let overruled = edit.overruled(in: sidecar?.metadata ?? target.metadata, by: metadata).joined(separator: " and ")
    let objection = overruled.isEmpty ? nil : error ?? file.photo.objectionInPlace(to: edit)
    notes =
      overruled.isEmpty
      ? []
      : [
        Note(
          .overruled,
          "the file itself records another \(overruled), which takes precedence"
            + policy.obstacle(for: file.photo, because: objection),
          remedy: policy.remedy(for: file.photo, because: objection))
      ]
    if sidecar?.photo.newFile != nil, policy.new == .never {
      let kind = file.photo.image.type.rawName ?? file.photo.image.type.name
      let objection = error ?? file.photo.objectionInPlace(to: edit)
      throw FileError(
        .noSidecar,
        "is \(kind) without a sidecar, and none may be created\(policy.obstacle(for: file.photo, because: objection))",
        remedy: policy.remedy(for: file.photo, because: objection))
    }
  }
}

extension Batch {
  /// Returns the changes of `file`: to the file itself or to its sidecar.
  func change(of file: FileWithSidecar, by edit: MetadataEdit, _ photo: Photo) throws(FileError) -> FileAndSidecarEdit {
    guard !options.sidecars.isBeside(file.photo) else { return try change(beside: file, by: edit, photo) }
    let own: FileEdit?
    do throws(FileError) {
      own = try FileEdit(of: file.photo, by: edit)
    } catch {
      guard options.sidecars.isBeside(file.photo, because: error) else { throw error }
      return try change(beside: file, by: edit, photo, because: error)
    }
    return try FileAndSidecarEdit(own, of: file, by: edit)
  }

  /// Returns the changes of the sidecar of `file`. `error` is why the file itself can't be changed, if that was tried.
  func change(
    beside file: FileWithSidecar, by edit: MetadataEdit, _ photo: Photo, because error: FileError? = nil
  ) throws(FileError) -> FileAndSidecarEdit {
    try FileAndSidecarEdit(beside: file, by: edit, options.sidecars, because: error) {
      newName(ofSidecarOf: file.photo, photo)
    }
  }

  /// Returns the name of a new sidecar of `file`.
  private func newName(ofSidecarOf file: OpenFile, _ photo: Photo) -> FilePath.Component? {
    guard let name = file.image.path.lastComponent else { return nil }
    let isShort = options.sidecars.name == .base && photo.claims(name, beside: file.image.path)
    return FilePath.Component((isShort ? name.stemBytes : name.bytes) + Array(".\(NameParts.sidecar)".utf8))
  }
}

extension Photo {
  /// Whether a sidecar with the name `name`, but without its extension, would belong to that file.
  fileprivate func claims(_ name: FilePath.Component, beside path: FilePath) -> Bool {
    var folders = folders
    let folder = folders.index(of: path.removingLastComponent())
    return folders.claims(name, in: folder)
  }
}
