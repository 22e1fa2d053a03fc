import SystemPackage

/// The change of one file, planned and verified.
struct FileEdit {
  let photo: OpenFile
  let patch: Patch
  /// The planned file. `metadata` is what it then records.
  let after: ImageSource
  let metadata: Metadata
  /// The values, before and after, of tags that are set by name.
  let tags: [Outcome.Tag]
  private let changes: BlockChanges
  /// The remains of the old location and the old dates, which can only be reported.
  private let remaining: Remaining

  /// Plans the change. Nil if the file has the requested values already.
  init?(of photo: OpenFile, by edit: MetadataEdit) throws(FileError) {
    let edit = edit.addingKeywords(to: photo.metadata)
    changes = try photo.image.changes(for: edit)
    patch = try photo.image.patch(changes)
    guard !patch.isEmpty else { return nil }
    self.photo = photo
    after = try ImageSource(PatchedSource(old: photo.file, patch: patch), path: photo.image.path)
    metadata = after.metadata()
    let expectation = Expectation(
      edit: edit, before: photo.metadata, hasOnlyXMP: photo.image.hasOnlyXMP)
    try expectation.check(metadata)
    let isRaw = photo.image.type.isRaw
    if edit.erasesDates {
      try ExactDates(in: photo.metadata).requireNone(in: after.source, isRaw: isRaw)
    }
    if edit.erasesPlaces { try ExactPlaces(in: photo.image).requireNone(in: after, isRaw: isRaw) }
    remaining = try Remaining(of: photo.metadata, in: after, metadata, by: edit)
    guard !edit.tags.isEmpty else {
      tags = []
      return
    }
    let (old, new) = (
      try photo.image.layout.exifBlock(of: photo.image.source), try after.layout.exifBlock(of: after.source)
    )
    try expectation.checkTags(in: new)
    tags = edit.tags.keys.sorted { $0.key < $1.key }.map { tag in
      let texts = [old, new].map { block in block.flatMap { EXIF.value(of: tag, in: $0) }?.planText }
      return Outcome.Tag(key: tag.key, before: texts[0], after: texts[1])
    }
  }

  /// Notes about the change for the report.
  var notes: [String] {
    let isEnded = photo.image.layout.rebuildsJPEG && !after.layout.rebuildsJPEG
    return changes.notes + (isEnded ? ["the JPEG it was made from can no longer be had back bit by bit"] : [])
      + [placeNotice].compactMap(\.self) + remaining.notes
  }

  /// A note for a BigTIFF that gets a position: exiftool misreads its GPS directory and ignores its XMP; exiv2 and
  /// libexif don't support BigTIFF.
  private var placeNotice: String? {
    let setsPlace = changes.exif.tags[.gps]?[GPSTag.latitude].map { $0 != .remove } ?? false
    guard photo.image.type == .bigTIFF, setsPlace else { return nil }
    return "exiftool, exiv2 and others read no place in a BigTIFF; '--sidecar always' puts it where they do"
  }

  /// The changes to read back, by block.
  var written: BlockChanges {
    get throws(FileError) {
      var written = changes
      written.exif = try photo.image.tagChanges(changes)
      return written
    }
  }
}

extension MetadataEdit {
  /// Returns the edit for a companion. A location or date that is set is the same for all files; a date that is moved,
  /// or a time zone that is recorded, depends on each file's own clock.
  func own(
    for companion: FileWithSidecar, _ planner: any Planner, beside photo: Metadata?, notes: inout [String]
  ) throws(FileError) -> MetadataEdit {
    var own = own(for: companion.metadata)
    own.dropPartialDate(for: companion.photo, notes: &notes)
    // Author and camera are EXIF tags, which movies don't have.
    if companion.photo.image.layout.quickTime != nil { (own.fields, own.addedKeywords, own.tags) = ([:], [], [:]) }
    guard case .adjust = dates else { return own }
    guard !movesFilesAlike else {
      own.dates = companion.metadata.moving(as: dates)
      return own
    }
    let name = companion.photo.image.path.lastComponent?.string ?? ""
    switch planner.propose(for: companion.metadata, of: companion.photo.image.path, beside: photo) {
    case .change(let theirs, _): own.dates = theirs.dates
    case .skip(.doubtfulHeader(let time, let offset)):
      own.dates = .keep
      notes.append("the date of \(name) stays: it \(Reason.doubtfulHeader(time, offset).sentence)")
    case .unchanged(.wholeSeconds):
      own.dates = .keep
      notes.append("the date of \(name) stays: it \(Reason.wholeSeconds.heading)")
    case .unchanged, .skip(.noCaptureTime), .skip(.onlyPartial): own.dates = .keep
    case .skip where location != .keep: own.dates = .keep
    case .skip(let reason): throw FileError(.refused, reason.sentence)
    }
    return own
  }
}

extension MetadataEdit {
  /// Drops a year, month or day for a movie, whose headers can't hold it, so that the rest of the edit can be applied.
  mutating func dropPartialDate(for photo: OpenFile, notes: inout [String]) {
    var rest = self
    rest.dates = .keep
    guard dates.isPartial, !rest.isEmpty, photo.image.layout.quickTime != nil else { return }
    self = rest
    notes.append("the date of \(photo.image.path.lastComponent?.string ?? "") stays: a movie has none without a time")
  }
}

extension Outcome {
  var changesCompanions: Bool { companions.contains { $0.patch != nil || $0.isNew } }

  mutating func setDates(_ dates: DateChange, at path: FilePath) {
    for index in companions.indices where companions[index].path == path { companions[index].dates = dates }
  }

  /// Records the current state of the files.
  mutating func record(_ photos: [OpenFile]) throws(FileError) {
    for photo in photos {
      if photo.image.path == path { state = try photo.state }
      for index in companions.indices where companions[index].path == photo.image.path {
        companions[index].state = try photo.state
      }
    }
  }

  /// Records the changes of companions. A new sidecar becomes a companion.
  mutating func note(_ changes: [FileEdit]) {
    for change in changes {
      if change.photo.newFile == nil {
        setPatch(change.patch, at: change.photo.image.path)
      } else {
        var sidecar = Companion(path: change.photo.image.path, role: .sidecar)
        sidecar.isNew = true
        companions.append(sidecar)
      }
    }
  }

  private mutating func setPatch(_ patch: Patch, at path: FilePath) {
    for index in companions.indices where companions[index].path == path { companions[index].patch = patch }
  }
}
