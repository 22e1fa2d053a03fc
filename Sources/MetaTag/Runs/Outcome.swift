public import SystemPackage

/// The result for one photo of a run. Each input file appears in exactly one outcome, as its path or as a companion.
/// Another name of the same file (a link) has no outcome of its own.
public struct Outcome: Sendable {
  /// The status of a photo after a run.
  @nonexhaustive
  public enum Status: Sendable {
    /// The photo contains the change durably (in a dry run: would contain it).
    case changed
    /// The photo can't be changed itself and is unchanged; the substitute next to it contains the change (in a dry run:
    /// would contain it).
    case substituted(Substitute)
    /// The photo had the requested values already and wasn't touched; with the reason.
    case unchanged(Reason)
    /// The photo was deliberately left unchanged; with the reason and a remedy.
    case skipped(Reason)
    /// The photo could not be read or changed. It is unchanged, byte for byte.
    case failed(FileError)
    /// The run ended before this photo was started.
    case notRun
  }

  /// A file that belongs to the photo and is changed with it, or not at all.
  public struct Companion: Sendable {
    /// The path of the file; for a new sidecar of a copy, its path next to the copy.
    public internal(set) var path: FilePath
    /// The role of the file in the photo.
    public let role: Photo.Role
    /// The file's own splices, in a dry run as well; nil if it isn't changed.
    public internal(set) var patch: Patch?
    /// Whether the file is a new sidecar (in a dry run: would be created).
    public internal(set) var isNew = false
    /// The new name of the file, in the same folder, if its extension was wrong (in a dry run: would be renamed).
    public internal(set) var newName: FilePath.Component?
    /// The path of the copy, if a copy was written instead of changing the file (in a dry run: would be written).
    public internal(set) var copy: FilePath?
    /// The file's state before the run, its content after it, and the change of its dates: for a plan.
    var state: FileState?
    var result: FileContent?
    var dates: DateChange?
  }

  /// An EXIF tag that is set by its name.
  public struct Tag: Sendable, Hashable {
    /// The tag's key, such as `Exif.Photo.BodySerialNumber`.
    public let key: String
    /// The old value as text; nil if the tag was missing.
    public let before: String?
    /// The new value as text (in a dry run: the one it would get); nil if the tag is missing.
    public let after: String?
  }

  /// The path of the input, as it was given.
  public let path: FilePath
  /// The status of the photo.
  public var status: Status
  /// The photo's format, if it was recognized.
  public var type: ImageType?
  /// The metadata before the run.
  public var before: Metadata?
  /// The metadata after the run (in a dry run: as it would be). Nil unless the photo was changed.
  public var after: Metadata?
  /// The values of tags that no field of `Metadata` covers.
  public internal(set) var tags: [Tag] = []
  /// How the change was derived: the fix used, the time zone assumed.
  public var explanation: Explanation?
  /// The requested edit, the file's state before the run, and its content after it: for a plan.
  var edit: MetadataEdit?
  var state: FileState?
  var result: FileContent?
  /// The content of a new sidecar that is the photo's substitute.
  var substituteResult: FileContent?
  var isSeparate = false
  /// For a plan: the names of files next to the photo that look like its own but don't belong to it, and the names that they
  /// should get.
  var namesakes: Set<FilePath.Component> = []
  /// Whether the photo meets the condition of a forecast.
  package internal(set) var meetsCondition = true
  /// The splices of the photo's file, in a dry run as well.
  public var patch: Patch?
  /// The new name of the file, in the same folder, if its extension was wrong (in a dry run: would be renamed).
  public internal(set) var newName: FilePath.Component?
  /// The path of the copy that has the change, if copies are written (in a dry run: would be written). The photo itself
  /// stays as it is.
  public internal(set) var copy: FilePath?
  /// Whether the photo and its other files are in the trash, because a copy was written (in a dry run: would be).
  public internal(set) var isTrashed = false
  /// The files that are changed together with the photo.
  public internal(set) var companions: [Companion]
  /// Notes about the photo: how its files were grouped, which requests could not be met, and what the change leaves
  /// behind.
  public internal(set) var notes: [Note]
  /// Sidecars that may or may not belong to the photo.
  public internal(set) var doubts: [Note] = []
  /// Warnings about a change that was made as requested but deserves a look.
  public internal(set) var warnings: [Note] = []

  init(_ photo: Photo, _ status: Status) {
    path = photo.input.path
    self.status = status
    companions = photo.companions.map { Companion(path: $0.path, role: $0.role) }
    notes = photo.notes
    doubts = photo.strays.map(\.doubt)
    isSeparate = photo.isSeparate
  }
}

extension Outcome {
  /// Returns `notes` as they apply after the run: a file that was renamed needs no advice about its name.
  private func upToDate(_ notes: [Note]) -> [Note] {
    guard let newName else { return notes }
    return notes.map { $0.remedy == .fixName(newName.string) ? Note($0.code, $0.sentence, file: $0.file) : $0 }
  }

  /// Whether the photo could not be read or changed. A deliberate refusal is not a failure.
  public var isFailure: Bool {
    guard case .failed(let error) = status else { return false }
    return error.kind != .refused
  }

  /// The notes about the photo (`Metadata.notes`): as before the run, or as after it if the run erased what they were
  /// about.
  public var lastingNotices: [Note] {
    guard let edit, edit.erasesDates || edit.erasesPlaces || edit.erasure != nil, case .changed = status, let after
    else {
      return upToDate(before?.notes ?? [])
    }
    return upToDate(after.notes)
  }
}

extension Outcome {
  /// Whether the photo's dates are moved, by more than zero.
  public var movesDates: Bool {
    if case .adjust(let shift, _)? = edit?.dates { !shift.isZero } else { false }
  }
}

extension Outcome {
  /// Records the namesakes of the photo. When the plan is applied, they aren't taken for new files of the photo, although
  /// the changes of other photos may have made them look so.
  mutating func record(namesakesOf photo: Photo, fixingExtensions: Bool) {
    let files = [path] + photo.companions.map(\.path)
    let own = Set(files.compactMap(\.lastComponent))
    namesakes = photo.folders.names(like: [path] + photo.companions.filter(\.role.isPhoto).map(\.path)).subtracting(own)
    guard fixingExtensions else { return }
    for name in namesakes where !name.isSidecar {
      guard let type = try? ImageSource(path.removingLastComponent().appending(name)).type,
        let right = type.rightName(for: name) ?? type.wholeName(for: name)
      else { continue }
      namesakes.insert(right)
    }
  }

  /// Plans the right name of each file whose extension is missing or doesn't match its content.
  mutating func name(_ files: [OpenFile], of photo: Photo) throws(FileError) {
    for file in files {
      let path = file.image.path
      let type = file.image.type
      guard let name = path.lastComponent, let right = type.rightName(for: name) ?? type.wholeName(for: name) else {
        continue
      }
      try photo.folders.requireFirst(path, to: right)
      _ = try DirectoryEntry.renaming(path, to: right)
      if path == self.path { newName = right }
      for index in companions.indices where companions[index].path == path { companions[index].newName = right }
      try nameSidecars(of: path, right, photo)
      try nameDescriptions(of: path, right)
    }
  }

  /// Plans the renaming of new sidecars. A sidecar is first created for the photo's old name and then renamed along
  /// with the photo, so that it belongs to the photo at every instant.
  mutating func nameNewSidecars() throws(FileError) {
    let names = [(path, newName)] + companions.map { ($0.path, $0.newName) }
    for index in companions.indices where companions[index].isNew {
      let sidecar = companions[index].path
      for (path, right) in names {
        guard let right, let name = sidecar.lastComponent, name.stemBytes == path.lastComponent?.bytes else { continue }
        let new = FilePath.Component(right.bytes + name.bytes.dropFirst(name.stemBytes.count))
        if let new { try Directory(resolving: sidecar.removingLastComponent()).requireFree(new) }
        companions[index].newName = new
      }
    }
  }

  /// Plans the renaming of sidecars that have the photo's whole name; otherwise they would lose their photo.
  private mutating func nameSidecars(
    of path: FilePath, _ right: FilePath.Component, _ photo: Photo
  ) throws(FileError) {
    for index in companions.indices where companions[index].role == .sidecar {
      let sidecar = companions[index].path
      guard photo.owner(of: sidecar) == path, let name = sidecar.lastComponent,
        name.stemBytes == path.lastComponent?.bytes
      else { continue }
      let new = FilePath.Component(right.bytes + name.bytes.dropFirst(name.stemBytes.count))
      if let new { _ = try DirectoryEntry.renaming(sidecar, to: new) }
      companions[index].newName = new
    }
  }

  /// Plans the renaming of Google Takeout's JSON files that have the photo's whole name. Refuses a name that has such a
  /// JSON file already: the photo would be taken for another one, which may be in another part of the export.
  private mutating func nameDescriptions(of path: FilePath, _ right: FilePath.Component) throws(FileError) {
    guard let old = path.lastComponent else { return }
    let folder = try DirectoryEntry(resolving: path).folder
    let names = TakeoutName(old.bytes).wholeDescriptions.compactMap { FilePath.Component($0) }
    let newNames = TakeoutName(right.bytes).wholeDescriptions.compactMap { FilePath.Component($0) }
    for name in newNames where try folder.status(of: name) != nil {
      throw FileError(
        .nameTaken, "can't be renamed to \(right): \(name) exists and belongs to another photo",
        remedy: .moveAway("\(name)")
      )
    }
    for (name, new) in zip(names, newNames) where try folder.status(of: name) != nil {
      let description = path.removingLastComponent().appending(name)
      try OpenFile.naming(description) { () throws(FileError) in _ = try DirectoryEntry.renaming(description, to: new)
      }
      let index = companions.firstIndex { $0.path == description } ?? companions.endIndex
      if index == companions.endIndex { companions.append(Companion(path: description, role: .takeout)) }
      companions[index].newName = new
    }
  }

  /// Cancels all renaming.
  mutating func keepNames() {
    newName = nil
    // These are listed only because of their new name.
    companions.removeAll { $0.role == .takeout }
    for index in companions.indices { companions[index].newName = nil }
  }

  /// Records that no byte changes; a name may.
  mutating func leave(_ reason: Reason) {
    after = nil
    let isNamed = newName != nil || companions.contains { $0.newName != nil }
    status = isNamed ? .changed : .unchanged(reason)
  }
}

extension Rewriter {
  /// Gives the files of a photo their right names, after their bytes are on the disk.
  func rename(_ outcome: inout Outcome) {
    let names = [(outcome.path, outcome.newName)] + outcome.companions.map { ($0.path, $0.newName) }
    do throws(FileError) {
      try rename(names.compactMap { path, name in name.map { Renaming(path: path, name: $0) } })
    } catch {
      guard error.code != .notDurable else {
        outcome.status = .failed(error)
        return
      }
      outcome.keepNames()
      if outcome.patch == nil, !outcome.changesCompanions {
        outcome.status = .failed(error)
      } else {
        outcome.notes.append(
          Note(.nameKept, "keeps its name: \(error.description)", remedy: error.remedy))
      }
    }
  }
}

extension PairFolders {
  /// Throws if another file next to this one should get the same name (`a.heic` and `a.png`, both JPEG). The first by
  /// name gets it, whatever the order in which they are changed.
  func requireFirst(_ path: FilePath, to right: FilePath.Component) throws(FileError) {
    let own = path.lastComponent?.bytes ?? []
    // A name without an extension comes last, because files next to it don't know of it.
    let earlier = names(of: right.stemBytes, besides: path).filter {
      path.extension == nil || $0.bytes.lexicographicallyPrecedes(own)
    }
    guard !earlier.isEmpty else { return }
    let folder = try DirectoryEntry(resolving: path).folder
    let isTaken = try folder.status(of: right) != nil
    for name in earlier where name != right {
      // One that is gone was renamed in this run.
      let isThere = try folder.status(of: name) != nil
      let type = isThere ? try? ImageSource(path.removingLastComponent().appending(name)).type : nil
      guard isThere ? type?.rightName(for: name) == right : isTaken else { continue }
      throw FileError(
        .nameTaken, "can't be renamed to \(right): \(name) should get this name too", remedy: .renameByHand)
    }
  }
}
