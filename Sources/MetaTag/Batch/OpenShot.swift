import SystemPackage

/// A file of a photo, and its sidecar.
struct OpenFile {
  let photo: OpenPhoto
  let sidecar: OpenPhoto?
  /// What both record together.
  let metadata: Metadata

  init(_ photo: OpenPhoto, _ sidecar: OpenPhoto?) {
    (self.photo, self.sidecar) = (photo, sidecar)
    metadata = photo.joined(photo.metadata, sidecar?.metadata)
  }

  /// - Throws: What goes wrong with its sidecar.
  init(_ photo: OpenPhoto, of shot: Shot) throws(PhotoError) {
    let sidecar = shot.sidecar(of: photo.image.path)
    self.init(
      photo,
      try sidecar.map { path throws(PhotoError) in
        try OpenPhoto.naming(path) { () throws(PhotoError) in try OpenPhoto(sidecarAt: path) }
      })
  }
}

extension OpenPhoto {
  /// What a state of the file and one of its sidecar record together.
  func joined(_ metadata: Metadata, _ sidecar: Metadata?) -> Metadata {
    sidecar.map { metadata.joined(with: $0, isRaw: image.layout.rawKind != nil) } ?? metadata
  }
}

/// All files of a photo that record something of it.
struct OpenShot {
  let lead: OpenFile
  let others: [OpenFile]

  /// - Throws: What goes wrong with any of its files.
  init(_ shot: Shot) throws(PhotoError) {
    if let failure = shot.input.failure { throw failure }
    lead = try OpenFile(try OpenPhoto(shot.input.path), of: shot)
    others = try shot.companions.filter(\.role.isPhoto).map { companion throws(PhotoError) in
      try OpenFile(
        try OpenPhoto.naming(companion.path) { () throws(PhotoError) in try OpenPhoto(companion.path) }, of: shot)
    }
  }

  /// What the files record together: where the photo says nothing of time, place or names, the first of the others that
  /// does is asked.
  var metadata: Metadata {
    var whole = lead.metadata
    for other in others.map(\.metadata) {
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

  /// The same, with what its other files and the further pictures in all of them tell of places, as places beside its
  /// own.
  var everyPlace: Metadata {
    get throws(PhotoError) {
      var whole = metadata
      var further = others.map(\.metadata)
      for photo in photos { further += try photo.image.furtherPictures() }
      for told in further {
        let places = told.locations.map { Sourced($0.value.coordinate, $0.namespace, tag: $0.tag) } + told.furtherPlaces
        whole.furtherPlaces += places.filter { !$0.value.isNoFix }
        whole.unreadPlaces += told.unreadPlaces
        whole.placeNames += told.placeNames
      }
      return whole
    }
  }

  /// The files themselves, sidecars too.
  var photos: [OpenPhoto] { ([lead] + others).flatMap { [$0.photo] + ($0.sidecar.map { [$0] } ?? []) } }
}

extension Shot {
  /// The sidecar of one of its files; nil, too, where several could be meant.
  func sidecar(of file: FilePath) -> FilePath? {
    let own = companions.filter { $0.role == .sidecar && owner(of: $0.path) == file }
    return own.count == 1 ? own[0].path : nil
  }

  /// The file that a sidecar belongs to: the one of its whole name; else, of several of its name, the one whose ending
  /// it names itself; else the raw file, where there is one of its name; else the photo.
  func owner(of sidecar: FilePath) -> FilePath {
    let stem = sidecar.lastComponent?.stemBytes
    let files = [input.path] + companions.filter(\.role.isPhoto).map(\.path)
    if let whole = files.first(where: { $0.lastComponent?.bytes == stem }) { return whole }
    let namesakes = files.filter { $0.lastComponent?.stemBytes == stem }
    if namesakes.count > 1, let ending = SidecarEnding.named(in: sidecar),
      let named = namesakes.first(where: { $0.extension?.lowercased() == ending })
    {
      return named
    }
    return namesakes.first { $0.lastComponent.flatMap { PairName($0)?.kind } == .raw } ?? input.path
  }
}

/// A photo open for reading, as its files record it together: what is in its sidecar, too.
public struct JoinedPhoto: Sendable {
  /// Its own file.
  public let image: ImageSource
  /// Every copy of what is recorded; what a sidecar says has the namespace `.sidecar`. Of raw files the sidecar is
  /// believed first, of others the file. A sidecar that can't be read, or isn't certain, is told in `notices`.
  public let metadata: Metadata

  /// Opens the files.
  /// - Throws: `PhotoError` when the photo itself can't be read.
  public init(_ shot: Shot) throws(PhotoError) {
    if let failure = shot.input.failure { throw failure }
    do throws(PhotoError) {
      if let objection = shot.objection { throw objection }
      let open = try OpenShot(shot)
      image = open.lead.photo.image
      var whole = open.metadata
      whole.notices += shot.notices
      metadata = whole
    } catch {
      image = try ImageSource(shot.input.path)
      var own = image.metadata()
      own.notices += shot.notices + (shot.companions.isEmpty ? [] : [error.description])
      metadata = own
    }
  }
}
