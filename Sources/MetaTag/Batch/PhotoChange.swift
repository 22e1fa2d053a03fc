import SystemPackage

/// One file of a run, open, with what it records.
struct OpenPhoto {
  let file: FileSource
  let image: ImageSource
  let metadata: Metadata

  init(_ path: FilePath) throws(PhotoError) {
    file = try FileSource(path)
    image = try ImageSource(file, path: path)
    metadata = image.metadata()
  }

  /// One that is in no file yet, but would be at `path`.
  init(_ bytes: [UInt8], path: FilePath) throws(PhotoError) {
    file = try FileSource(holding: bytes)
    image = try ImageSource(file, path: path)
    metadata = image.metadata()
  }

  /// What goes wrong with one file of several is told by its name.
  func naming<R>(_ body: () throws(PhotoError) -> R) throws(PhotoError) -> R {
    try OpenPhoto.naming(image.path, body)
  }

  static func naming<R>(_ path: FilePath, _ body: () throws(PhotoError) -> R) throws(PhotoError) -> R {
    do {
      return try body()
    } catch {
      let name = path.lastComponent?.string ?? path.string
      throw PhotoError(
        error.kind, "of its files, \(name): \(error.sentence); --separately takes each file by itself", at: error.offset
      )
    }
  }
}

/// The change of one file, planned and proved.
struct PhotoChange {
  let photo: OpenPhoto
  let patch: Patch
  /// The file as it is planned, and what it records then.
  let after: ImageSource
  let metadata: Metadata
  private let changes: BlockChanges

  /// Nil when the file says already what is wanted.
  init?(of photo: OpenPhoto, by edit: MetadataEdit) throws(PhotoError) {
    changes = try photo.image.changes(for: edit)
    if !changes.isEmpty { try photo.demandNoRaw() }
    patch = try photo.image.patch(changes)
    guard !patch.isEmpty else { return nil }
    self.photo = photo
    after = try ImageSource(PatchedSource(old: photo.file, patch: patch), path: photo.image.path)
    metadata = after.metadata()
    let expectation = Expectation(
      edit: edit, before: photo.metadata, hasOnlyXMP: photo.image.layout.hasOnlyXMP)
    try expectation.check(metadata)
    if edit.erasesDates { try ExactDates(in: photo.metadata).demandNone(in: after.source) }
    if edit.erasesPlaces { try ExactPlaces(in: photo.image).demandNone(in: after) }
    if !edit.tags.isEmpty { try expectation.checkTags(in: try after.layout.exifBlock(of: after.source)) }
  }

  /// What a reader of the report should know of it.
  var notices: [String] {
    let isEnded = photo.image.layout.rebuildsJPEG && !after.layout.rebuildsJPEG
    return changes.notices + (isEnded ? ["the JPEG it was made from can no longer be had back bit by bit"] : [])
  }

  /// What is to be read back, by block.
  var written: BlockChanges {
    get throws(PhotoError) {
      var written = changes
      written.exif = try photo.image.tagChanges(changes)
      return written
    }
  }
}

extension OpenPhoto {
  /// Raw files that have no place of their own for what we write are their cameras' business.
  fileprivate func demandNoRaw() throws(PhotoError) {
    guard let raw = image.layout.rawKind, !["DNG", "Canon CR3"].contains(raw) else { return }
    throw PhotoError(.unsupported, "is a \(raw) raw file, which is left alone", at: 0)
  }
}

extension Shot {
  /// The companions that a change is for too.
  func openCompanions() throws(PhotoError) -> [OpenPhoto] {
    try companions.filter(\.role.isWritten).map { companion throws(PhotoError) in
      try OpenPhoto.naming(companion.path) { () throws(PhotoError) in try OpenPhoto(companion.path) }
    }
  }
}

extension Metadata {
  /// What the files of one photo record together: where this says nothing of time or place, the first of the others
  /// that does is asked.
  func completed(by companions: [OpenPhoto]) -> Metadata {
    var whole = self
    for other in companions.map(\.metadata) {
      if whole.captureTimes.isEmpty { whole.captureTimes = other.captureTimes }
      if whole.locations.isEmpty { whole.locations = other.locations }
    }
    return whole
  }
}

extension MetadataEdit {
  /// The same for a companion: place and date that are set are one for all; a date that is moved, or a zone that is
  /// recorded, goes by each file's own clock.
  func own(for companion: OpenPhoto, _ planner: any Planner) throws(PhotoError) -> MetadataEdit {
    var own = self
    // Author and camera stand in EXIF, which movies don't have.
    if companion.image.layout.quickTime != nil { (own.fields, own.tags) = ([:], [:]) }
    guard case .adjust = dates else { return own }
    switch planner.propose(for: companion.metadata, of: companion.image.path) {
    case .change(let theirs, _): own.dates = theirs.dates
    case .unchanged, .skip(.noCaptureTime), .skip(.onlyDay): own.dates = .keep
    case .skip where location != .keep: own.dates = .keep
    case .skip(let reason): throw PhotoError(.refused, reason.sentence)
    }
    return own
  }
}

extension Outcome {
  var changesCompanions: Bool { companions.contains { $0.patch != nil } }

  mutating func setDates(_ dates: DateChange, at path: FilePath) {
    for index in companions.indices where companions[index].path == path { companions[index].dates = dates }
  }

  /// Notes how the files are now.
  mutating func record(_ photo: OpenPhoto, _ companions: [OpenPhoto]) throws(PhotoError) {
    state = try photo.state
    for companion in companions {
      for index in self.companions.indices where self.companions[index].path == companion.image.path {
        self.companions[index].state = try companion.state
      }
    }
  }

  mutating func setPatch(_ patch: Patch, at path: FilePath) {
    for index in companions.indices where companions[index].path == path { companions[index].patch = patch }
  }
}
