public import SystemPackage

/// Files that are one photo to whoever took it: the still and the movie of a Live Photo, what Photos made of them, and
/// the list of adjustments it keeps beside them; the JPEG and the raw file of one exposure; and the sidecars of all of
/// these. One change is for all of them, and is made in all or in none.
public struct Photo: Sendable {
  /// What a file is to the photo it belongs to.
  public enum Role: String, Sendable {
    /// The other half of a Live Photo.
    case movie
    /// The raw file of the same exposure.
    case raw
    /// As it was edited (`IMG_E1234` of `IMG_1234`), still or movie.
    case edited
    /// Apple's list of adjustments (`.AAE`): it records neither time nor place, and is left as it is.
    case adjustments
    /// XMP beside the photo, or beside one of its other files.
    case sidecar
    /// Google Takeout's JSON file about it: it stays as it is, and is only named when it goes along with a new name.
    case takeout

    /// Whether it is a picture or movie of its own, which a change is for too.
    var isPhoto: Bool { ![.adjustments, .sidecar, .takeout].contains(self) }
    /// In which order companions are named.
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

  /// A file that belongs to the photo.
  public struct Companion: Sendable {
    /// Where it is.
    public let path: FilePath
    /// What it is.
    public let role: Role
  }

  /// A file that may be a sidecar.
  struct AmbiguousSidecar: Sendable {
    let path: FilePath
    /// Why it isn't taken for one.
    let doubt: String
  }

  /// The still, or the only file.
  public let input: Walk.Input
  /// What belongs to it: movie, raw file, edited versions, adjustments, sidecars.
  public internal(set) var companions: [Companion] = []
  /// What a reader should know: a file that has its name and is not taken for its companion.
  public internal(set) var notes: [String] = []
  /// Why nothing is written: one of its files has two sidecars, and nobody knows which is meant.
  var objection: FileError?
  /// What lies beside its files and may be a sidecar of one of them; nobody can tell.
  var strays: [AmbiguousSidecar] = []
  /// What lies beside its files.
  var folders = PairFolders()
  /// How its files were when they were planned, of a plan that is carried out.
  var planned: PlannedStates?
  /// What may belong to it, and is not among its companions, is a photo of its own: as was asked for, or by what is
  /// known.
  var isSeparate = false

  /// A file by itself, whatever lies beside it: others find its sidecars and the rest of its photo (`pairing`,
  /// `separately`).
  init(_ input: Walk.Input) { self.input = input }

  /// The same without those of its other pictures and movies, and their sidecars, of which that is said.
  public func without(_ isMeant: (FilePath) -> Bool) -> Photo {
    let gone = Set(companions.filter { $0.role.isPhoto && isMeant($0.path) }.map(\.path))
    var photo = self
    photo.companions.removeAll {
      gone.contains($0.path) || !gone.isEmpty && $0.role == .sidecar && gone.contains(owner(of: $0.path))
    }
    if !gone.isEmpty { photo.isSeparate = true }
    return photo
  }

  /// The same, whatever was named first.
  var withCompanionsInOrder: Photo {
    var photo = self
    photo.companions.sort { a, b in
      a.role.rank != b.role.rank ? a.role.rank < b.role.rank : a.path.bytes.lexicographicallyPrecedes(b.path.bytes)
    }
    return photo
  }
}

extension Photo {
  /// What `inputs` are as photos, in their order; a photo stands where the first of its files stands. The other half of
  /// a pair that is in the same folder under the same name belongs to it, named or not, and so do sidecars.
  ///
  /// Names alone make pairs where identifiers are missing; where there are some, they decide. They are read of files
  /// that may be halves only, up to `jobs` at once.
  public static func pairing(_ inputs: [Walk.Input], jobs: Int) async -> [Photo] {
    var pairing = PhotoGrouping(inputs)
    pairing.attachSidecars()
    await pairing.read(pairing.candidates, jobs)
    pairing.joinByName()
    await pairing.read(pairing.loneMovies, jobs)
    await pairing.read(pairing.loneStills, jobs)
    pairing.joinByIdentifier()
    return pairing.photos
  }

  /// Each of `inputs` by itself, with its sidecar. A sidecar that is among them is its photo's, if that is too.
  public static func separately(_ inputs: [Walk.Input]) -> [Photo] {
    var pairing = PhotoGrouping(inputs, seeksOthers: false)
    pairing.attachSidecars()
    return pairing.photos.map { photo in
      var photo = photo
      photo.isSeparate = true
      return photo
    }
  }

  /// Each of `inputs` by itself, for reading: with its sidecar, and sidecars also by themselves.
  public static func reading(_ inputs: [Walk.Input]) -> [Photo] {
    var pairing = PhotoGrouping(inputs, seeksOthers: false)
    pairing.attachSidecars(alsoByThemselves: true)
    return pairing.photos
  }
}

extension PhotoGrouping {
  fileprivate mutating func read(_ indices: [Int], _ jobs: Int) async {
    let files = indices.map { (index: $0, photo: photo(of: $0)) }
    var facts: [Int: PairFacts] = [:]
    _ = await orderedParallelMap(files, width: max(1, jobs)) { file in
      (file.index, (try? PhotoMetadata(file.photo)).map(PairFacts.init))
    } consume: {
      facts[$0.0] = $0.1
    }
    learn(facts)
  }
}
