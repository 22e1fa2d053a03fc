import SystemPackage

/// A file of a photo, and its sidecar.
struct FileWithSidecar {
  let photo: OpenFile
  let sidecar: OpenFile?
  /// The joint metadata of both.
  let metadata: Metadata

  init(_ file: OpenFile, _ sidecar: OpenFile?) {
    (self.photo, self.sidecar) = (file, sidecar)
    metadata = file.joined(file.metadata, sidecar?.metadata)
  }

  /// Opens the sidecar of `file`, if it has one.
  /// - Throws: The error of the sidecar.
  init(_ file: OpenFile, of photo: Photo) throws(FileError) {
    let sidecar = photo.sidecar(of: file.image.path)
    self.init(
      file,
      try sidecar.map { path throws(FileError) in
        try OpenFile.naming(path) { () throws(FileError) in try OpenFile(sidecarAt: path) }
      })
  }
}

extension OpenFile {
  /// Returns the joint metadata of a state of the file and a state of its sidecar.
  func joined(_ metadata: Metadata, _ sidecar: Metadata?) -> Metadata {
    sidecar.map { metadata.joined(with: $0, isRaw: image.type.isRaw) } ?? metadata
  }
}

/// All files of a photo that have metadata.
struct OpenPhoto {
  let primary: FileWithSidecar
  let others: [FileWithSidecar]

  /// Opens all files of a photo.
  /// - Throws: The error of any of its files.
  init(_ photo: Photo) throws(FileError) {
    if let failure = photo.input.failure { throw failure }
    primary = try FileWithSidecar(try OpenFile(photo.input.path, content: photo.input.content), of: photo)
    others = try photo.companions.filter(\.role.isPhoto).map { companion throws(FileError) in
      try FileWithSidecar(
        try OpenFile.naming(companion.path) { () throws(FileError) in try OpenFile(companion.path) }, of: photo)
    }
  }

  /// The joint metadata of the files.
  var metadata: Metadata { OpenPhoto.joined(primary.metadata, others.map(\.metadata)) }

  /// Joins the metadata of a photo's files: if the primary file has no date, position or place names, those of the first
  /// companion that has them count.
  static func joined(_ primary: Metadata, _ companions: [Metadata]) -> Metadata {
    var whole = primary
    for other in companions {
      if !(other.captureTime.map(whole.isDated(besides:)) ?? whole.isDated) {
        whole.captureTimes = other.captureTimes
        whole.partialDates += other.partialDates
      }
      if whole.locations.isEmpty || whole.isWithoutFix && other.location != nil { whole.locations = other.locations }
      whole.malformedPlaces += other.malformedPlaces
      if whole.placeNames.isEmpty { whole.placeNames = other.placeNames }
    }
    return whole
  }

  /// The joint metadata, with the positions in companions and in further pictures of all files as additional places.
  var everyPlace: Metadata {
    get throws(FileError) {
      var whole = metadata
      var additional = others.map(\.metadata)
      for file in files { additional += try file.image.additionalPictures() }
      for recorded in additional {
        let places =
          recorded.locations.map { Sourced($0.value.coordinate, $0.namespace, tag: $0.tag) } + recorded.additionalPlaces
        whole.additionalPlaces += places.filter { !$0.value.isNoFix }
        whole.unreadPlaces += recorded.unreadPlaces
        whole.placeNames += recorded.placeNames
      }
      return whole
    }
  }

  /// The files without their sidecars, the photo's own first, each with the joint metadata of both.
  var recorded: [(path: FilePath, metadata: Metadata)] {
    ([primary] + others).map { ($0.photo.image.path, $0.metadata) }
  }

  /// All files, including sidecars.
  var files: [OpenFile] { ([primary] + others).flatMap { [$0.photo] + ($0.sidecar.map { [$0] } ?? []) } }
}

extension Photo {
  /// Returns the sidecar of one of the photo's files; nil if it has none or several.
  func sidecar(of file: FilePath) -> FilePath? {
    let own = companions.filter { $0.role == .sidecar && owner(of: $0.path) == file }
    return own.count == 1 ? own[0].path : nil
  }

  /// Returns the file that a sidecar belongs to: the file whose whole name it has; otherwise, among several files with
  /// the same stem, the one whose extension is recorded in it; otherwise the raw file with that stem; otherwise the
  /// photo.
  func owner(of sidecar: FilePath) -> FilePath {
    let stem = sidecar.lastComponent?.stemBytes
    let files = [input.path] + companions.filter(\.role.isPhoto).map(\.path)
    if let whole = files.first(where: { $0.lastComponent?.bytes == stem }) { return whole }
    let namesakes = files.filter { $0.lastComponent?.stemBytes == stem }
    if namesakes.count > 1, let ending = SidecarExtension.named(in: sidecar),
      let named = namesakes.first(where: { $0.extension?.lowercased() == ending })
    {
      return named
    }
    return namesakes.first { $0.lastComponent.flatMap { NameParts($0)?.kind } == .raw } ?? input.path
  }
}

/// A photo open for reading, with the joint metadata of its files and sidecars.
public struct PhotoMetadata: Sendable {
  /// The photo's own file.
  public let image: ImageSource
  /// Every copy of the recorded metadata; copies in a sidecar have the namespace `.sidecar`. For raw files the sidecar
  /// takes precedence, for others the file. `notes` reports a sidecar that can't be read or is ambiguous.
  public let metadata: Metadata

  /// Opens the files.
  /// - Throws: `FileError` when the photo itself can't be read.
  public init(_ photo: Photo) throws(FileError) {
    if let failure = photo.input.failure { throw failure }
    do throws(FileError) {
      if let objection = photo.objection { throw objection }
      let open = try OpenPhoto(photo)
      image = open.primary.photo.image
      var whole = open.metadata
      whole.notes += photo.notes
      metadata = whole
    } catch {
      image = try OpenFile(photo.input.path, content: photo.input.content).image
      var own = image.metadata()
      own.notes += photo.notes
      if !photo.companions.isEmpty {
        own.notes.append(Note(.unreadableCompanion, error.description, remedy: error.remedy))
      }
      metadata = own
    }
  }
}
