import Glibc
import Synchronization
import SystemPackage

/// The photos of a run as they were when they were first read.
///
/// A file is opened and parsed once, together with its sidecar. Later readers get what the catalog kept: enough to
/// group files, to learn clocks, zones and order, and to evaluate conditions. A file is known by its identity, whatever
/// path leads to it. Before a photo is changed it is read again, so a change in the meantime is never written over.
package final class PhotoCatalog: Sendable {
  /// The most bytes that are kept of one photo. One that needs more is read again when it is asked about again.
  static let mostBytes = 500
  /// The most bytes of texts that are kept for photos to share.
  private static let mostTextBytes = 1_000

  /// A file and its sidecar.
  private final class Entry: Sendable {
    let metadata: CompactMetadata
    let type: ImageType
    let size: Int
    /// Whether each of the catalog's terms holds.
    let answers: [Bool]
    let sidecar: Walk.FileID?
    /// Whether the sidecar can't be read, so that `metadata` is that of the file alone.
    let isSidecarBroken: Bool

    init(
      _ metadata: CompactMetadata, _ image: ImageSource, _ answers: [Bool], sidecar: Walk.FileID?, isSidecarBroken: Bool
    ) {
      self.metadata = metadata
      type = image.type
      size = image.file.count
      self.answers = answers
      self.sidecar = sidecar
      self.isSidecarBroken = isSidecarBroken
    }

    /// The bytes that the entry takes: the object, its place in the dictionary, and its arrays.
    var byteCount: Int {
      let object = 16 + MemoryLayout<ImageType>.stride + MemoryLayout<Int>.stride
      let list = MemoryLayout<[Bool]>.stride + (answers.isEmpty ? 0 : 32 + answers.count)
      let place = 3 * (MemoryLayout<Walk.FileID>.stride + MemoryLayout<Entry>.stride)
      return object + list + place + MemoryLayout<Walk.FileID?>.stride + metadata.byteCount
    }
  }

  private struct State {
    var entries: [Walk.FileID: Entry] = [:]
    var failures: [Walk.FileID: FileError] = [:]
    var cameras: [CompactMetadata.Camera: Shared<CompactMetadata.Camera>] = [:]
    var names: [[Sourced<PlaceNames>]: Shared<[Sourced<PlaceNames>]>] = [:]
  }

  private let terms: [Condition.Term]
  /// Whether the terms need what containers record.
  private let needsProperties: Bool
  private let state = Mutex(State())
  /// Facts that were read elsewhere.
  private let facts: [FilePath: FileFacts]

  /// Creates an empty catalog, whose photos may be tested by `condition` alone: terms about what isn't kept are
  /// evaluated when a photo is read.
  package init(for condition: Condition? = nil) {
    terms = condition?.unkeptTerms ?? []
    needsProperties = condition?.needsProperties ?? false
    facts = [:]
  }

  /// Creates a catalog that groups files by these facts, without opening them.
  package init(knowing facts: [FileFacts]) {
    (terms, needsProperties) = ([], false)
    self.facts = Dictionary(facts.map { ($0.path, $0) }) { first, _ in first }
  }

  /// Returns what a photo records, with its companions and sidecars, as far as the catalog keeps it.
  /// - Throws: `FileError` when the photo itself can't be read.
  package func metadata(of photo: Photo) throws(FileError) -> Metadata { try facts(of: photo).metadata }

  /// Returns the facts of a photo against which the catalog's condition is evaluated.
  /// - Throws: `FileError` when the photo itself can't be read.
  package func facts(of photo: Photo) throws(FileError) -> PhotoFacts {
    if let failure = photo.input.failure { throw failure }
    let path = photo.input.path
    guard photo.objection == nil else {
      return facts(of: path, try entry(path, photo.input.id, sidecar: nil, photo.input.content))
    }
    let primary = try entry(path, photo.input.id, sidecar: photo.sidecar(of: path), photo.input.content)
    var others: [Entry] = []
    for companion in photo.companions where companion.role.isPhoto {
      let id = Walk.FileID(at: companion.path, S_IFREG)
      guard let other = try? entry(companion.path, id, sidecar: photo.sidecar(of: companion.path)) else { break }
      others.append(other)
    }
    let isWhole = others.count == photo.companions.count(where: \.role.isPhoto)
    if isWhole, !([primary] + others).contains(where: \.isSidecarBroken) {
      return facts(of: path, primary, OpenPhoto.joined(primary.metadata.metadata, others.map(\.metadata.metadata)))
    }
    // A photo of several files counts only if all of them can be read.
    let isAlone = primary.sidecar == nil || primary.isSidecarBroken
    return facts(of: path, isAlone ? primary : try entry(path, photo.input.id, sidecar: nil, photo.input.content))
  }

  /// Reads what decides whether a file is half of a pair. Always opens the file, unless its facts are known, as the
  /// catalog doesn't keep all of it; files are grouped before anything else is asked about them.
  func pairFacts(of photo: Photo) throws(FileError) -> PairFacts {
    if let failure = photo.input.failure { throw failure }
    let (path, id) = (photo.input.path, photo.input.id)
    if let known = facts[path] { return known.pairFacts }
    let (entry, image) = try read(path, id, sidecar: photo.objection == nil ? photo.sidecar(of: path) : nil)
    return PairFacts(image, entry.metadata.metadata)
  }

  /// Returns the bytes that are kept of the photo's own file; nil if it isn't kept.
  func byteCount(of photo: Photo) -> Int? {
    photo.input.id.flatMap { id in state.withLock { $0.entries[id] } }?.byteCount
  }

  /// Returns what the catalog keeps of each of a photo's files, the photo's own first, or the error of one that can't be
  /// read; nil if one of them must be opened to know.
  func kept(of photo: Photo) -> Result<[(path: FilePath, metadata: Metadata)], FileError>? {
    if let failure = photo.input.failure { return .failure(failure) }
    var files: [(path: FilePath, metadata: Metadata)] = []
    for path in [photo.input.path] + photo.companions.filter(\.role.isPhoto).map(\.path) {
      guard let id = Walk.FileID(at: path, S_IFREG) else { return nil }
      let (known, failure) = state.withLock { ($0.entries[id], $0.failures[id]) }
      if let failure { return .failure(failure) }
      let sidecar = photo.sidecar(of: path).flatMap { Walk.FileID(at: $0, S_IFREG) }
      guard let known, known.sidecar == sidecar, !known.isSidecarBroken else { return nil }
      files.append((path, known.metadata.metadata))
    }
    return .success(files)
  }

  private func facts(of path: FilePath, _ primary: Entry, _ joined: Metadata? = nil) -> PhotoFacts {
    var facts = PhotoFacts(
      path: path, type: primary.type, size: primary.size, properties: nil,
      metadata: joined ?? primary.metadata.metadata)
    facts.answers = Dictionary(uniqueKeysWithValues: zip(terms, primary.answers))
    return facts
  }

  private func entry(
    _ path: FilePath, _ id: Walk.FileID?, sidecar: FilePath?, _ content: FileSource? = nil
  ) throws(FileError) -> Entry {
    guard let id else { return try read(path, id, sidecar: sidecar, content).entry }
    let (known, failure) = state.withLock { ($0.entries[id], $0.failures[id]) }
    if let failure { throw failure }
    if let known, known.sidecar == sidecar.flatMap({ Walk.FileID(at: $0, S_IFREG) }) { return known }
    return try read(path, id, sidecar: sidecar).entry
  }

  /// Opens and parses a file and its sidecar, and keeps what later questions need.
  private func read(
    _ path: FilePath, _ id: Walk.FileID?, sidecar: FilePath?, _ content: FileSource? = nil
  ) throws(FileError) -> (entry: Entry, image: ImageSource) {
    let file: OpenFile
    do throws(FileError) { file = try OpenFile(path, content: content) } catch {
      if let id { state.withLock { $0.failures[id] = error } }
      throw error
    }
    let opened = sidecar.map { path in try? OpenFile(sidecarAt: path) }
    let metadata = file.joined(file.metadata, opened??.metadata)
    let entry = Entry(
      compact(metadata), file.image, answers(of: file.image, metadata),
      sidecar: sidecar.flatMap { Walk.FileID(at: $0, S_IFREG) }, isSidecarBroken: opened.map { $0 == nil } ?? false)
    if let id, entry.byteCount <= Self.mostBytes, metadata.sharedTextBytes <= Self.mostTextBytes {
      state.withLock { $0.entries[id] = entry }
    }
    return (entry, file.image)
  }

  /// Returns whether each of the catalog's terms holds for a file.
  private func answers(of image: ImageSource, _ metadata: Metadata) -> [Bool] {
    guard !terms.isEmpty else { return [] }
    let facts = PhotoFacts(
      path: image.path, type: image.type, size: image.file.count,
      properties: needsProperties ? image.properties(with: metadata) : nil, metadata: metadata)
    return terms.map { Condition($0).isMet(by: facts) }
  }

  private func compact(_ metadata: Metadata) -> CompactMetadata {
    let camera = CompactMetadata.Camera(
      make: metadata.make, model: metadata.model, serialNumber: metadata.serialNumber, lensModel: metadata.lensModel)
    let names = metadata.placeNames.map { Sourced($0.value, $0.namespace, tag: "") }
    guard metadata.sharedTextBytes <= Self.mostTextBytes else {
      return CompactMetadata(metadata, Shared(camera), Shared(names))
    }
    let (sharedCamera, sharedNames) = state.withLock { state in
      let sharedCamera = state.cameras[camera] ?? Shared(camera)
      state.cameras[camera] = sharedCamera
      guard !names.isEmpty else { return (sharedCamera, Shared<[Sourced<PlaceNames>]>?.none) }
      let sharedNames = state.names[names] ?? Shared(names)
      state.names[names] = sharedNames
      return (sharedCamera, sharedNames)
    }
    return CompactMetadata(metadata, sharedCamera, sharedNames)
  }
}

extension Metadata {
  /// The bytes of the texts that photos of one camera, or of one place, share.
  fileprivate var sharedTextBytes: Int {
    let names = placeNames.map(\.value).flatMap { [$0.sublocation, $0.city, $0.state, $0.country, $0.countryCode] }
    return ([make, model, serialNumber, lensModel] + names).reduce(0) { $0 + ($1?.utf8.count ?? 0) }
  }
}

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
    var folders = PairFolders()
    return await pairing(inputs, jobs: jobs, catalog, &folders)
  }

  /// Returns each group of files as the photos that they make up. A file outside of a group that has the same name as one
  /// of its files belongs to it as well.
  /// - Parameter isMeant: Whether a group should be these photos. If not, files outside of it that have other names (hard
  ///   links) are left out: they may be in another group under one of those.
  package static func pairing(
    groups: [[FilePath]], jobs: Int, _ catalog: PhotoCatalog,
    isMeant: ([Photo], _ group: Int) -> Bool = { _, _ in true }
  ) async -> [[Photo]] {
    var (photos, folders, names): ([[Photo]], PairFolders, ListedNames) = ([], PairFolders(), ListedNames())
    for (index, group) in groups.enumerated() {
      let inputs = Walk.files(at: group, &names)
      var found = await pairing(inputs, jobs: jobs, catalog, &folders)
      if !isMeant(found, index) { found = await pairing(inputs, .withoutOtherNames, jobs: jobs, catalog, &folders) }
      photos.append(found)
    }
    return photos
  }

  private static func pairing(
    _ inputs: [Walk.Input], _ others: PhotoGrouping.Others = .all, jobs: Int, _ catalog: PhotoCatalog,
    _ folders: inout PairFolders
  ) async -> [Photo] {
    if let photo = Photo(inMemory: inputs) { return [photo] }
    var pairing = PhotoGrouping(inputs, in: folders, seeking: others)
    defer { folders = pairing.folders }
    pairing.attachSidecars()
    pairing.noteUnread(await pairing.read(pairing.candidates, jobs, catalog))
    pairing.joinByName()
    await pairing.read(pairing.loneMovies, jobs, catalog)
    await pairing.read(pairing.loneStills, jobs, catalog)
    pairing.joinByIdentifier()
    return pairing.photos
  }
}

extension PhotoGrouping {
  /// Reads the facts of files; returns the errors of those that can't be read.
  @discardableResult
  fileprivate mutating func read(_ indices: [Int], _ jobs: Int, _ catalog: PhotoCatalog) async -> [Int: FileError] {
    var facts: [Int: PairFacts] = [:]
    var failures: [Int: FileError] = [:]
    _ = await orderedParallelMap(indices, width: max(1, jobs)) { [self] index in
      (index, Result { () throws(FileError) in try catalog.pairFacts(of: photo(of: index)) })
    } consume: { index, result in
      switch result {
      case .success(let own): facts[index] = own
      case .failure(let error): failures[index] = error
      }
    }
    learn(facts)
    return failures
  }
}

extension Condition {
  /// Returns the photos that match, in their order; up to `jobs` are read at once. For a photo of several files, the
  /// still is tested, with the time and the position that only a companion records. A photo that can't be read is
  /// included, so that its error gets reported.
  ///
  /// - Parameter catalog: The catalog of the run, created for this condition; nil if nothing else asks about the
  ///   photos, so that they needn't be kept.
  /// - Returns: The photos, and how many of them couldn't be read.
  package func photos(
    among photos: [Photo], jobs: Int, _ catalog: PhotoCatalog? = nil
  ) async -> (photos: [Photo], unread: Int) {
    var met: (photos: [Photo], unread: Int) = ([], 0)
    _ = await orderedParallelMap(photos, width: max(1, jobs)) { photo in
      let facts =
        try? catalog.map { catalog throws(FileError) in try catalog.facts(of: photo) } ?? PhotoFacts(photo, for: self)
      return (photo, facts.map(isMet))
    } consume: { photo, isMet in
      if isMet ?? true { met.photos.append(photo) }
      if isMet == nil { met.unread += 1 }
    }
    return met
  }
}

extension PhotoFacts {
  fileprivate init(_ photo: Photo, for condition: Condition) throws(FileError) {
    let joined = try PhotoMetadata(photo)
    self.init(
      path: photo.input.path, type: joined.image.type, size: joined.image.file.count,
      properties: condition.needsProperties ? joined.image.properties(with: joined.metadata) : nil,
      metadata: joined.metadata)
  }
}

/// A planner that decides by what a ``PhotoCatalog`` keeps of a photo, so that its proposal can be forecast without
/// opening the photo again.
package protocol CatalogPlanner: Planner {
  /// Whether it decides so with its present settings.
  var decidesByCatalog: Bool { get }
}

extension CatalogPlanner {
  /// True by default.
  package var decidesByCatalog: Bool { true }
}

extension Planner {
  /// Whether what a catalog keeps of a photo is enough for the proposal.
  var canForecast: Bool { (self as? any CatalogPlanner)?.decidesByCatalog ?? false }
}

extension GeotagPlanner: CatalogPlanner {}
extension PerCameraPlanner: CatalogPlanner {}
extension PlacePlanner: CatalogPlanner {}
extension NamePlanner: CatalogPlanner {}
extension GivenNamesPlanner: CatalogPlanner {}
extension TrackTimePlanner: CatalogPlanner {}

extension PlaceAndNamePlanner: CatalogPlanner {
  /// Whether the planner of positions does.
  package var decidesByCatalog: Bool { place.canForecast }
}

extension NamesFollowing: CatalogPlanner {
  /// Whether the planner of positions does.
  package var decidesByCatalog: Bool { place.canForecast }
}
