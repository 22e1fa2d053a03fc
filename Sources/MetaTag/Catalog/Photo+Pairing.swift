extension Photo {
  /// Returns `inputs` as photos, each at the position of the first of its files. The other half of a pair, in the same
  /// folder and under the same name, belongs to a photo whether it was named or not, and so do sidecars.
  ///
  /// Names make pairs where identifiers are missing; where there are identifiers, they decide. Only files that may be
  /// halves are read, up to `jobs` at once.
  public static func pairing(_ inputs: [Walk.Input], jobs: Int) async -> [Photo] {
    await pairing(inputs, jobs: jobs, PhotoCatalog())
  }

  /// Like `pairing(_:jobs:)`, and adds the files that are read to `catalog`.
  package static func pairing(_ inputs: [Walk.Input], jobs: Int, _ catalog: PhotoCatalog) async -> [Photo] {
    var pairing = PhotoGrouping(inputs)
    pairing.attachSidecars()
    await pairing.read(pairing.candidates, jobs, catalog)
    pairing.joinByName()
    await pairing.read(pairing.loneMovies, jobs, catalog)
    await pairing.read(pairing.loneStills, jobs, catalog)
    pairing.joinByIdentifier()
    return pairing.photos
  }
}

extension PhotoGrouping {
  fileprivate mutating func read(_ indices: [Int], _ jobs: Int, _ catalog: PhotoCatalog) async {
    let files = indices.map { (index: $0, photo: photo(of: $0)) }
    var facts: [Int: PairFacts] = [:]
    _ = await orderedParallelMap(files, width: max(1, jobs)) { file in
      (file.index, try? catalog.pairFacts(of: file.photo))
    } consume: {
      facts[$0.0] = $0.1
    }
    learn(facts)
  }
}
