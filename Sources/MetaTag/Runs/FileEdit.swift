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
  /// - Throws: Why the change isn't possible, with a remedy only if it would help.
  init?(of photo: OpenFile, by edit: MetadataEdit) throws(FileError) {
    do throws(FileError) {
      guard let plan = try FileEdit(planning: edit, of: photo) else { return nil }
      self = plan
    } catch {
      throw photo.checkingRemedy(of: error, against: edit)
    }
  }

  /// Plans the change. The remedy of an error may be refused, too.
  init?(planning edit: MetadataEdit, of photo: OpenFile) throws(FileError) {
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
    let values = try FileEdit.checkProperties(expectation, photo.image, after)
    guard !edit.tags.isEmpty else {
      tags = values
      return
    }
    let (old, new) = (
      try photo.image.layout.exifBlock(of: photo.image.source), try after.layout.exifBlock(of: after.source)
    )
    try expectation.checkTags(in: new)
    tags =
      values
      + edit.tags.keys.sorted { $0.key < $1.key }.map { tag in
        let texts = [old, new].map { block in block.flatMap { EXIF.value(of: tag, in: $0) }?.planText }
        return Outcome.Tag(key: tag.key, before: texts[0], after: texts[1])
      }
  }

  /// Checks the values that are set by their paths in XMP, and returns them before and after.
  private static func checkProperties(
    _ expectation: Expectation, _ old: ImageSource, _ new: ImageSource
  ) throws(FileError) -> [Outcome.Tag] {
    guard !expectation.edit.properties.isEmpty else { return [] }
    let (before, after) = (try old.xmp, try new.xmp)
    func values(_ tree: XMPTree?) -> [XMPPath: String] {
      Dictionary((tree?.values ?? []).map { ($0.path, $0.text) }) { first, _ in first }
    }
    try expectation.checkProperties(values(before), values(after)) { after?.text(at: $0) }
    return expectation.edit.properties.keys.sorted { "\($0)" < "\($1)" }.map { path in
      Outcome.Tag(key: "\(path)", before: before?.text(at: path), after: after?.text(at: path))
    }
  }

  /// Notes about the change for the report.
  var notes: [Note] {
    let isEnded = photo.image.layout.rebuildsJPEG && !after.layout.rebuildsJPEG
    return changes.notes
      + (isEnded ? [Note(.reconstructionLost, "the original JPEG can no longer be reconstructed")] : [])
      + [placeNotice].compactMap(\.self) + remaining.notes
  }

  /// A note for a BigTIFF that gets a position: exiftool misreads its GPS directory and ignores its XMP; exiv2 and
  /// libexif don't support BigTIFF.
  private var placeNotice: Note? {
    let setsPlace = changes.exif.tags[.gps]?[GPSTag.latitude].map { $0 != .remove } ?? false
    guard photo.image.type == .bigTIFF, setsPlace else { return nil }
    return Note(
      .hiddenFromOthers, "exiftool, exiv2 and other programs don't read locations in BigTIFF files", remedy: .useSidecar
    )
  }

  /// Checks the written bytes with the second reader, block by block. Only `Expectation` covers blocks that the second
  /// reader can't read.
  func confirm(in new: any ByteSource, by reader: SecondReader) throws(FileError) {
    let (old, layout) = (photo.image.layout, after.layout)
    let exif = try photo.image.tagChanges(changes)
    var blocks: [(old: Range<Int>?, new: Range<Int>, changes: TIFFChanges)] = []
    if let range = layout.exif { blocks.append((old.exif, range, exif)) }
    for (ifd, range) in layout.exifDirectories.sorted(by: { $0.value.lowerBound < $1.value.lowerBound }) {
      let wanted = exif.standingAlone(ifd)
      if !wanted.isEmpty { blocks.append((old.exifDirectories[ifd], range, wanted)) }
    }
    for (index, (old, new)) in zip(old.additionalEXIF, layout.additionalEXIF).enumerated() {
      if let wanted = changes.additionalEXIF[index] { blocks.append((old, new, wanted)) }
    }
    let (oldBytes, newBytes) = (old.readable(photo.file), layout.readable(new))
    for block in blocks {
      let before = try block.old.map { range throws(FileError) in
        try ReadableBlock(range, of: oldBytes, without: old.imageData)
      }
      let after = try ReadableBlock(block.new, of: newBytes, without: layout.imageData)
      _ = try reader.check(old: before, new: after, changes: block.changes)
    }
  }
}

extension MetadataEdit {
  /// Returns the edit for a companion. A location or date that is set is the same for all files; a date that is moved,
  /// or a time zone that is recorded, depends on each file's own clock.
  func own(
    for companion: FileWithSidecar, _ planner: any Planner, beside photo: Metadata?, notes: inout [Note]
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
      let reason = Reason.doubtfulHeader(time, offset)
      notes.append(Note(.dateKept, "keeps its date: \(reason)", file: name, remedy: reason.remedy))
    case .unchanged(.wholeSeconds):
      own.dates = .keep
      notes.append(Note(.dateKept, "keeps its date: \(Reason.wholeSeconds)", file: name))
    case .unchanged, .skip(.noCaptureTime), .skip(.onlyPartial): own.dates = .keep
    case .skip where location != .keep: own.dates = .keep
    case .skip(let reason):
      throw FileError(companionSkipped: reason.code.rawValue, reason.description, remedy: reason.remedy)
    }
    return own
  }
}

extension MetadataEdit {
  /// Drops a year, month or day for a movie, whose headers can't hold it, so that the rest of the edit can be applied.
  mutating func dropPartialDate(for photo: OpenFile, notes: inout [Note]) {
    var rest = self
    rest.dates = .keep
    guard dates.isPartial, !rest.isEmpty, photo.image.layout.quickTime != nil else { return }
    self = rest
    notes.append(
      Note(
        .dateKept, "keeps its date: movies can't hold a date without a time",
        file: photo.image.path.lastComponent?.string))
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

  /// Records the contents that the files will have.
  mutating func record(resultsOf changes: [FileEdit]) throws(FileError) {
    for change in changes {
      let (file, content) = (change.photo.image.path, try FileContent(of: change.after.file, change.after.layout))
      if file == path { result = content }
      if case .substituted(let substitute) = status, substitute.path == file { substituteResult = content }
      for index in companions.indices where companions[index].path == file { companions[index].result = content }
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

/// Gaps in one file of a photo, filled from its other files: a photo has one location, and each of its files should
/// record it.
extension Proposal {
  /// Returns the proposal with additions for files of a photo that lack a position, or place names, that other files
  /// have and that the change keeps.
  ///
  /// - Parameters:
  ///   - files: The photo's files, its own first, with their metadata.
  ///   - isAboutPlaces: Whether the planner deals with locations; then a position is kept whatever else the proposal
  ///     says.
  func fillingGaps(among files: [(path: FilePath, metadata: Metadata)], isAboutPlaces: Bool) -> Proposal {
    /// Returns the first file that satisfies `has`, if another file doesn't. The names of 0, 0 aren't passed on.
    func file(where has: (Metadata) -> Bool) -> (path: FilePath, metadata: Metadata)? {
      guard !files.allSatisfy({ has($0.metadata) }) else { return nil }
      return files.first { has($0.metadata) && !$0.metadata.isWithoutFix }
    }
    switch self {
    case .skip: return self
    case .unchanged(let reason):
      var edit = MetadataEdit()
      edit.fillsGapsOnly = true
      let place = reason.keepsLocation || isAboutPlaces ? file { $0.location != nil } : nil
      let names = reason.keepsNames ? file { !$0.placeNames.isEmpty } : nil
      if let kept = place?.metadata.location { edit.location = .set(kept.recordable) }
      if let kept = names?.metadata.placeNames.first?.value { edit.names = .set(kept) }
      guard !edit.isEmpty, let giver = (place ?? names)?.path.lastComponent else { return self }
      return .change(edit, because: .shared(by: giver.string))
    case .change(var edit, let explanation):
      guard edit.fillsGapsOnly || isAboutPlaces, edit.location == .keep,
        let kept = file(where: { $0.location != nil })?.metadata.location
      else { return self }
      edit.location = .set(kept.recordable)
      edit.fillsGapsOnly = true
      return .change(edit, because: explanation)
    }
  }
}

extension MetadataEdit {
  /// Returns the edit for one file of a photo, which records `metadata`.
  func own(for metadata: Metadata) -> MetadataEdit {
    guard fillsGapsOnly else { return self }
    var own = self
    if metadata.location != nil || metadata.malformedPlace != nil { own.location = .keep }
    if !metadata.placeNames.isEmpty { own.names = .keep }
    return own
  }
}

extension Reason {
  fileprivate var keepsLocation: Bool {
    switch self {
    case .hasLocation, .hasLocationAndNames, .notBetter: true
    default: false
    }
  }

  fileprivate var keepsNames: Bool {
    switch self {
    case .hasNames, .hasLocationAndNames, .keepsNames: true
    default: false
    }
  }
}

extension MetadataEdit {
  /// Warnings about an edit that is applied as requested: a day that was cut to the end of its month, and a date more
  /// than a day later than `now`.
  func warnings(before: Metadata, after: Metadata?, now: Instant?) -> [Note] {
    [clamping(of: before), future(after, now)].compactMap(\.self)
  }

  /// Texts in date tags that are no dates and stay unchanged while other dates change.
  func staying(in after: Metadata?) -> [Note] {
    guard dates != .keep, let after else { return [] }
    return after.captureTexts.map { DateFinding.Statement($0) }.map { text in
      Note(.textKept, "keeps '\(text.value)' in \(text.tag) (\(text.source)), which is not a date")
    }
  }

  private func clamping(of before: Metadata) -> Note? {
    guard case .adjust(let shift, _) = dates,
      let date = before.captureTime?.civil ?? before.partialDates.first?.value.midnight, let day = shift.clamping(date)
    else { return nil }
    let months = CalendarShift(months: shift.months)
    return Note(
      .lastDayOfMonth, "\("\(date)".prefix(10)) plus \(months) is \("\(day)".prefix(10)), the last day of its month")
  }

  private func future(_ after: Metadata?, _ now: Instant?) -> Note? {
    guard dates != .keep, let now else { return nil }
    let year = after?.partialDates.first?.value.first.map { CaptureTime($0) }
    guard let time = after?.captureTime ?? year else { return nil }
    return time.isFuture(at: now) ? Note(.dateInFuture, "the date is in the future") : nil
  }
}
