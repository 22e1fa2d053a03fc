public import SystemPackage

/// Files that are one photo to whoever took it: the still and the movie of a Live Photo, what Photos made of them, and
/// the list of adjustments it keeps beside them. One change is for all of them, and is made in all or in none.
public struct Shot: Sendable {
  /// What a file is to the photo it belongs to.
  public enum Role: String, Sendable {
    /// The other half of a Live Photo.
    case movie
    /// As it was edited (`IMG_E1234` of `IMG_1234`), still or movie.
    case edited
    /// Apple's list of adjustments (`.AAE`): it records neither time nor place, and is left as it is.
    case adjustments

    /// Whether a change is for it too.
    var isWritten: Bool { self != .adjustments }
    /// In which order companions are named.
    fileprivate var rank: Int { self == .movie ? 0 : self == .edited ? 1 : 2 }
  }

  /// A file that belongs to the photo.
  public struct Companion: Sendable {
    /// Where it is.
    public let path: FilePath
    /// What it is.
    public let role: Role
  }

  /// The still, or the only file.
  public let input: Walk.Input
  /// What belongs to it: movie, edited versions, adjustments.
  public internal(set) var companions: [Companion] = []
  /// What a reader should know: a file that has its name and is not taken for its companion.
  public internal(set) var notices: [String] = []
  /// How its files were when they were planned, of a plan that is carried out.
  var planned: PlannedStates?

  /// A file by itself.
  public init(_ input: Walk.Input) { self.input = input }

  /// The same, whatever was named first.
  var inOrder: Shot {
    var shot = self
    shot.companions.sort { a, b in
      a.role.rank != b.role.rank ? a.role.rank < b.role.rank : a.path.bytes.lexicographicallyPrecedes(b.path.bytes)
    }
    return shot
  }
}

extension Shot {
  /// What `inputs` are as photos, in their order; a photo stands where the first of its files stands. The other half of
  /// a pair that is in the same folder under the same name belongs to it, named or not.
  ///
  /// Names alone make pairs where identifiers are missing; where there are some, they decide. They are read of files
  /// that may be halves only, up to `jobs` at once.
  public static func pairing(_ inputs: [Walk.Input], jobs: Int) async -> [Shot] {
    var pairing = Pairing(inputs)
    await pairing.read(pairing.candidates, jobs)
    pairing.joinByName()
    await pairing.read(pairing.loneMovies, jobs)
    await pairing.read(pairing.loneStills, jobs)
    pairing.joinByIdentifier()
    return pairing.shots
  }
}

extension Pairing {
  fileprivate mutating func read(_ indices: [Int], _ jobs: Int) async {
    let files = indices.map { (index: $0, path: path(of: $0)) }
    var facts: [Int: PairFacts] = [:]
    _ = await inOrder(files, width: max(1, jobs)) { file in
      (file.index, (try? ImageSource(file.path)).map(PairFacts.init))
    } consume: {
      facts[$0.0] = $0.1
    }
    learn(facts)
  }
}
