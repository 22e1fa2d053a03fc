public import SystemPackage

/// The files that make up one photo: the still and the movie of a Live Photo, their edited versions and list of
/// adjustments from Photos; the JPEG and the raw file of one exposure; and the sidecars of all of these. A change
/// applies to all of them or to none.
public struct Photo: Sendable {
  /// The role of a file in its photo.
  @nonexhaustive
  public enum Role: String, Sendable {
    /// The movie of a Live Photo.
    case movie
    /// The raw file of the same exposure.
    case raw
    /// The edited version (`IMG_E1234` for `IMG_1234`), still or movie.
    case edited
    /// Apple's list of adjustments (`.AAE`). It records neither date nor location, and is never changed.
    case adjustments
    /// An XMP sidecar of the photo or of one of its other files.
    case sidecar
    /// Google Takeout's JSON file about the photo. It is never changed, and listed only if it is renamed with the
    /// photo.
    case takeout

    /// Whether the file is a picture or movie, to which changes apply.
    var isPhoto: Bool { ![.adjustments, .sidecar, .takeout].contains(self) }
    /// The position of this role in the order of companions.
    fileprivate var rank: Int {
      switch self {
      case .movie: 0
      case .raw: 1
      case .edited: 2
      case .adjustments: 3
      case .sidecar: 4
      case .takeout: 5
      }
    }
  }

  /// Another file that belongs to the photo.
  public struct Companion: Sendable {
    /// The path of the file.
    public let path: FilePath
    /// The role of the file.
    public let role: Role
  }

  /// A file that may be a sidecar.
  struct AmbiguousSidecar: Sendable {
    let path: FilePath
    /// Why the file isn't taken for a sidecar.
    let doubt: Note
  }

  /// The still, or the only file.
  public let input: Walk.Input
  /// The other files: movie, raw file, edited versions, adjustments, sidecars.
  public internal(set) var companions: [Companion] = []
  /// Notes about files that share the photo's name but aren't taken for companions.
  public internal(set) var notes: [Note] = []
  /// The reason not to write anything: one of the files has two sidecars, and it isn't certain which one applies.
  var objection: FileError?
  /// The reason not to change the photo, although it can be read: a namesake that may be half of it can't.
  var unreadNamesake: FileError?
  /// Other names (hard links) of the photo's files that were found too.
  var otherNames: [FilePath] = []
  /// Files that may or may not be a sidecar of one of the photo's files.
  var strays: [AmbiguousSidecar] = []
  /// The folders of the photo's files, and their contents.
  var folders = PairFolders()
  /// The states that the files had when a plan was made, if a plan is being applied.
  var planned: PlannedStates?
  /// The paths of the copies of its files, if copies are written.
  var copies: CopyTargets?
  /// Whether other files that may belong to the photo count as photos of their own, by request or by their metadata.
  var isSeparate = false

  /// The paths of the photo and of the pictures and movies that belong to it.
  package var pictures: [FilePath] { [input.path] + companions.filter(\.role.isPhoto).map(\.path) }

  /// Whether the photo is in no file: its bytes came from standard input.
  package var isInMemory: Bool { input.content != nil }

  /// Creates a photo of one file, without looking for others. `pairing` and `separately` find its sidecars and
  /// companions.
  init(_ input: Walk.Input) { self.input = input }

  /// Returns the photo without those pictures and movies, and their sidecars, for which `isMeant` returns true.
  public func without(_ isMeant: (FilePath) -> Bool) -> Photo {
    let gone = Set(companions.filter { $0.role.isPhoto && isMeant($0.path) }.map(\.path))
    var photo = self
    photo.companions.removeAll {
      gone.contains($0.path) || !gone.isEmpty && $0.role == .sidecar && gone.contains(owner(of: $0.path))
    }
    if !gone.isEmpty { photo.isSeparate = true }
    return photo
  }

  /// The photo with its companions in a fixed order, whichever was named first.
  var withCompanionsInOrder: Photo {
    var photo = self
    photo.companions.sort { a, b in
      a.role.rank != b.role.rank ? a.role.rank < b.role.rank : a.path.bytes.lexicographicallyPrecedes(b.path.bytes)
    }
    return photo
  }
}

extension Photo {
  /// Creates the photo of a single input that is in no file, and so has no companions; nil if there are others.
  init?(inMemory inputs: [Walk.Input]) {
    guard inputs.count == 1, inputs[0].content != nil else { return nil }
    self.init(inputs[0])
  }

  /// Returns each of `inputs` as a photo of its own, with its sidecar. A sidecar among the inputs belongs to its photo
  /// if that is an input too.
  public static func separately(_ inputs: [Walk.Input]) -> [Photo] {
    if let photo = Photo(inMemory: inputs) { return [photo] }
    var pairing = PhotoGrouping(inputs, seeking: .none)
    pairing.attachSidecars()
    return pairing.photos.map { photo in
      var photo = photo
      photo.isSeparate = true
      return photo
    }
  }

  /// Returns a file as a photo of its own, for reading: with its sidecar.
  /// - Parameter folders: Folders that have been read before.
  static func reading(alone input: Walk.Input, _ folders: inout PairFolders) -> Photo {
    var pairing = PhotoGrouping([input], in: folders, seeking: .none)
    pairing.attachSidecars(alsoByThemselves: true)
    folders = pairing.folders
    var photo = pairing.photo(of: 0)
    photo.folders = PairFolders()
    return photo
  }

  /// Returns each of `inputs` as a photo of its own, for reading: with its sidecar. Sidecars are listed as well.
  public static func reading(_ inputs: [Walk.Input]) -> [Photo] {
    if let photo = Photo(inMemory: inputs) { return [photo] }
    var pairing = PhotoGrouping(inputs, seeking: .none)
    pairing.attachSidecars(alsoByThemselves: true)
    var photos = pairing.photos
    // Only a change looks into the folders again.
    for index in photos.indices { photos[index].folders = PairFolders() }
    return photos
  }
}
