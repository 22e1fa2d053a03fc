import Glibc
import SystemPackage

/// Groups files into photos by their names and by their metadata.
struct PhotoGrouping {
  /// A file, without its input. There is one for each file of a run, so it is small.
  struct File {
    var name: NameParts?
    let isSidecar: Bool
    let folder: Int
    /// The file's position among the inputs; nil if it was not named.
    let order: Int?
    private var boxedFacts: Shared<PairFacts>?
    var facts: PairFacts? {
      get { boxedFacts?.value }
      set { boxedFacts = newValue.map(Shared.init) }
    }
    /// The file it belongs to.
    var primary: (index: Int, role: Photo.Role)?
    var notes: [Note] = []
    /// The error of a namesake that can't be read.
    fileprivate(set) var unreadNamesake: FileError?
    /// The file's sidecars, named or not.
    var sidecars: [FilePath] = []
    var strays: [Photo.AmbiguousSidecar] = []

    init(_ input: Walk.Input, in folder: Int, order: Int?) {
      (self.folder, self.order) = (folder, order)
      let component = input.component
      name = component.flatMap(NameParts.init)
      isSidecar = component?.isSidecar ?? false
    }
  }

  /// A folder and a stem. Files with the same key are namesakes.
  private struct Key: Hashable {
    let folder: Int
    let stem: [UInt8]
  }

  var files: [File] = []
  /// The inputs of `files`, and those that are added.
  private(set) var inputs: [Walk.Input]
  var folders: PairFolders
  private var namesakes: [Key: [Int]] = [:]
  /// The keys of `namesakes` in the order of the inputs.
  private var keys: [Key] = []

  /// Which files next to the inputs may belong to them.
  enum Others {
    case none
    /// Those without other names (hard links).
    case withoutOtherNames
    case all
  }

  /// Groups `inputs`.
  /// - Parameter folders: Folders that have been read before.
  init(_ inputs: [Walk.Input], in folders: PairFolders = PairFolders(), seeking others: Others = .all) {
    (self.inputs, self.folders) = (inputs, folders)
    files.reserveCapacity(inputs.count)
    for order in inputs.indices {
      self.inputs[order].preferNameWithPartners(in: &self.folders)
      let input = self.inputs[order]
      let folder = input.failure == nil ? self.folders.index(of: input.path.removingLastComponent()) : 0
      files.append(File(input, in: folder, order: order))
    }
    guard others != .none else { return }
    var known = Set(inputs.lazy.compactMap(\.id))
    // If a sidecar is named without its photo, add the photo.
    for (index, file) in files.enumerated() where file.isSidecar {
      guard let name = inputs[index].component, let path = self.folders.photo(ofSidecar: name, in: file.folder),
        let id = others.id(of: path), known.insert(id).inserted
      else { continue }
      add(Walk.Input(path: path, failure: nil, id: id), in: file.folder)
    }
    for (index, file) in files.enumerated() {
      guard let name = file.name, name.kind != .adjustments else { continue }
      let key = Key(folder: file.folder, stem: name.stem)
      if namesakes[key] == nil { keys.append(key) }
      namesakes[key, default: []].append(index)
    }
    // If a list of adjustments is named without its photo, don't add the photo.
    for (order, file) in files.enumerated() {
      guard let name = file.name, name.kind == .adjustments else { continue }
      namesakes[Key(folder: file.folder, stem: name.stem)]?.append(order)
    }
    for key in keys {
      let named = namesakes[key, default: []].compactMap { self.inputs[$0].component }
      for path in self.folders.files(named: key.stem, in: key.folder, besides: named) {
        guard let id = others.id(of: path), known.insert(id).inserted else { continue }
        namesakes[key]?.append(files.count)
        add(Walk.Input(path: path, failure: nil, id: id), in: key.folder)
      }
    }
  }

  /// Adds a file that was not named.
  private mutating func add(_ input: Walk.Input, in folder: Int) {
    files.append(File(input, in: folder, order: nil))
    inputs.append(input)
  }

  /// Stores facts that were read. A file whose content doesn't match its name gets none, so it is half of no pair; but a
  /// still counts as one whatever picture its name says.
  mutating func learn(_ facts: [Int: PairFacts]) {
    for (index, facts) in facts where facts.isMovie == (files[index].name?.kind == .movie) {
      if files[index].name?.kind == .otherPicture {
        guard facts.isStill else { continue }
        files[index].name?.kind = .still
      }
      files[index].facts = facts
    }
  }

  /// Keeps namesakes of a file that can't be read from being changed: it may be half of their photo.
  mutating func noteUnread(_ failures: [Int: FileError]) {
    for (index, error) in failures where [.io, .permissionDenied].contains(error.code) {
      guard let name = files[index].name, let file = inputs[index].component?.string else { continue }
      for other in namesakes[Key(folder: files[index].folder, stem: name.stem)] ?? [] where !isSameSort(other, index) {
        files[other].unreadNamesake = error.reworded(
          "\(file), which may belong to it, can't be read: \(error.description)")
      }
    }
  }

  // MARK: By name

  /// The keys of several files; most photos have no namesakes.
  private var sharedKeys: [Key] { keys.filter { namesakes[$0, default: []].count > 1 } }

  /// Files that may belong together by their names, so that their facts are needed.
  var candidates: [Int] {
    sharedKeys.flatMap { key in
      let media = ([.still, .otherPicture, .movie, .raw] as [NameParts.Kind]).flatMap { members(key, $0) }
      guard let first = media.first, media.contains(where: { !isSameSort($0, first) }) else { return [Int]() }
      return media
    }
  }

  /// Joins namesakes, unless their facts contradict it. Afterwards, names no longer count.
  mutating func joinByName() {
    defer { (namesakes, keys) = ([:], []) }
    for key in sharedKeys {
      let originals = members(key, .still, isEdited: false)
      let edited = members(key, .still, isEdited: true)
      let movies = members(key, .movie, isEdited: false)
      let primaries = [originals, edited, movies].first { !$0.isEmpty } ?? []
      let primaryIsPicture = primaries != movies
      if primaryIsPicture { join(movies, to: primaries, .movie) }
      if primaryIsPicture { join(members(key, .raw), to: primaries, .raw) }
      if primaries != edited { join(edited, to: primaries, .edited) }
      join(members(key, .movie, isEdited: true), to: primaries, primaries == edited ? .movie : .edited)
      // Adjustments have no facts of their own: they belong to their namesake.
      guard let first = primaries.first else { continue }
      for index in members(key, .adjustments) { files[index].primary = (first, .adjustments) }
    }
  }

  private mutating func join(_ indices: [Int], to primaries: [Int], _ role: Photo.Role) {
    for index in indices {
      let fitting = primaries.filter { fits($0, index) }
      if let primary = fitting.first, fitting.count == 1, indices.count(where: { fits(primary, $0) }) == 1 {
        files[index].primary = (primary, role)
      } else if files[index].facts != nil, let name = inputs[index].path.lastComponent {
        let isUndated = primaries.contains { files[$0].facts?.isUndatedStill(of: files[index].facts) ?? false }
        let why =
          fitting.isEmpty
          ? isUndated ? "has a date, unlike this file" : "belongs to another photo" : "is not the only match"
        for primary in primaries where files[primary].facts != nil {
          files[primary].notes.append(
            Note(.separatePhoto, "has the same name, but \(why); treated as a separate photo", file: name.string))
        }
      }
    }
  }

  private func members(_ key: Key, _ kind: NameParts.Kind, isEdited: Bool? = nil) -> [Int] {
    (namesakes[key] ?? []).filter { index in
      guard let name = files[index].name, name.kind == kind else { return false }
      return isEdited == nil || name.isEdited == isEdited
    }
  }

  private func isSameSort(_ a: Int, _ b: Int) -> Bool {
    func kind(_ index: Int) -> NameParts.Kind? {
      files[index].name.map { $0.kind == .otherPicture ? .still : $0.kind }
    }
    return kind(a) == kind(b) && files[a].name?.isEdited == files[b].name?.isEdited
  }

  private func fits(_ a: Int, _ b: Int) -> Bool {
    guard let a = files[a].facts, let b = files[b].facts else { return false }
    return a.fits(b)
  }

  // MARK: By identifier

  /// Named movies without a still, in folders with named stills without a movie: one of the two may have been renamed.
  var loneMovies: [Int] {
    let lone = lone
    let folders = Set(lone.filter { files[$0].name?.kind == .still }.map { files[$0].folder })
    return lone.filter { files[$0].name?.kind == .movie && isUnread($0, in: folders) }
  }

  /// Stills that may belong to a lone movie that has an identifier.
  var loneStills: [Int] {
    let lone = lone
    let wanted = lone.filter { files[$0].name?.kind == .movie && files[$0].facts?.identifier != nil }
    let folders = Set(wanted.map { files[$0].folder })
    return lone.filter { files[$0].name?.kind == .still && isUnread($0, in: folders) }
  }

  private func isUnread(_ index: Int, in folders: Set<Int>) -> Bool {
    files[index].facts == nil && folders.contains(files[index].folder)
  }

  private var lone: [Int] {
    let led = Set(files.compactMap { $0.primary?.role == .movie ? $0.primary?.index : nil })
    return files.indices.filter { files[$0].order != nil && files[$0].primary == nil && !led.contains($0) }
  }

  /// Joins a movie to the only still in its folder that has its identifier.
  mutating func joinByIdentifier() {
    var halves: [Key: [Int]] = [:]
    for index in lone {
      guard let identifier = files[index].facts?.identifier else { continue }
      halves[Key(folder: files[index].folder, stem: Array(identifier.utf8)), default: []].append(index)
    }
    for indices in halves.values {
      let movies = indices.filter { files[$0].facts?.isMovie == true }
      let stills = indices.filter { files[$0].facts?.isMovie == false }
      guard let movie = movies.first, let still = stills.first else { continue }
      if indices.count == 2 {
        files[movie].primary = (still, .movie)
      } else if files[movie].notes.isEmpty {
        for movie in movies {
          files[movie].notes.append(
            Note(.separatePhoto, "belongs to more than one still; treated as a separate photo"))
        }
      }
    }
  }

  // MARK: Result

  func path(of index: Int) -> FilePath { inputs[index].path }

  /// Returns the photo of one file, with its sidecar.
  func photo(of index: Int) -> Photo {
    var photo = Photo(inputs[index])
    photo.folders = folders
    if inputs[index].failure == nil { photo.objection = folders.failure(in: files[index].folder) }
    photo.unreadNamesake = files[index].unreadNamesake
    photo.add(files[index].sidecars)
    photo.strays = files[index].strays
    return photo
  }

  /// The photos that the inputs amount to, in their order.
  var photos: [Photo] {
    /// The other files of each photo.
    var others: [Int: [(index: Int, role: Photo.Role)]] = [:]
    /// Position of the first of a photo's files among the inputs. Photos of which no file was named have none.
    var orders = files.map(\.order)
    for index in files.indices {
      guard var primary = files[index].primary else { continue }
      // The primary of adjustments may be a movie that itself belongs to a still; the primary of a sidecar may be a
      // companion.
      while let next = files[primary.index].primary { primary.index = next.index }
      if primary.role != .sidecar { others[primary.index, default: []].append((index, primary.role)) }
      if let order = files[index].order { orders[primary.index] = min(orders[primary.index] ?? order, order) }
    }
    let leaders = files.indices.filter { files[$0].primary == nil && orders[$0] != nil }
    return leaders.sorted { (orders[$0] ?? 0) < (orders[$1] ?? 0) }.map { leader in
      var photo = photo(of: leader)
      photo.notes = files[leader].notes
      photo.otherNames = inputs[leader].otherNames
      for (index, role) in others[leader] ?? [] {
        photo.companions.append(Photo.Companion(path: path(of: index), role: role))
        photo.otherNames += inputs[index].otherNames
        photo.add(files[index].sidecars)
        photo.strays += files[index].strays
      }
      return photo.withCompanionsInOrder
    }
  }
}

extension PhotoGrouping.Others {
  /// Returns the identity of a file that may belong to the inputs; nil if it may not.
  fileprivate func id(of path: FilePath) -> Walk.FileID? {
    guard let status = Walk.status(of: path), status.st_mode & S_IFMT == S_IFREG, self == .all || status.st_nlink == 1
    else { return nil }
    return Walk.FileID(status)
  }
}

extension Photo {
  /// Adds the sidecars of one of the photo's files. If there are two, it isn't certain which one applies.
  mutating func add(_ sidecars: [FilePath]) {
    companions += sidecars.map { Companion(path: $0, role: .sidecar) }
    guard sidecars.count > 1 else { return }
    let names = sidecars.compactMap { $0.lastComponent?.string }.joined(separator: " and ")
    objection = FileError(.severalSidecars, "has two sidecars, \(names)", remedy: .removeSidecar)
  }
}

/// The metadata of a file that decide whether it is half of a pair.
struct PairFacts: Hashable, Sendable {
  let isMovie: Bool
  /// Whether it is a JPEG or HEIF file, which a movie or a raw file may belong to.
  var isStill = false
  /// The identifier that only the two halves of a Live Photo share.
  let identifier: String?
  let time: CaptureTime?
  /// The model of the camera.
  var camera: String?

  /// The greatest difference in seconds between two clocks, in the most distant zones.
  private static let widestZones: Int64 = 26 * 3_600

  /// Whether the two files may be one photo.
  ///
  /// If both have identifiers, these decide. Otherwise their dates, as far as known, must be within 26 hours of each
  /// other, since a camera's counter may restart and give a movie the name of an older photo. Two pictures must be by
  /// the same camera; movies spell its name differently. A picture without a date doesn't fit a movie that has one: a
  /// scan may have such a name as well.
  func fits(_ other: PairFacts) -> Bool {
    if let identifier, let theirs = other.identifier { return identifier == theirs }
    if !isMovie, !other.isMovie, let camera, let theirs = other.camera, camera != theirs { return false }
    guard let time, let theirs = other.time else {
      return !isUndatedStill(of: other) && !other.isUndatedStill(of: self)
    }
    return abs(time.civil.secondsSince1970 - theirs.civil.secondsSince1970) <= PairFacts.widestZones
  }

  /// Whether this is a still without a date while the movie has one.
  func isUndatedStill(of movie: PairFacts?) -> Bool {
    guard let movie else { return false }
    return !isMovie && time == nil && movie.isMovie && movie.time != nil
  }
}

extension PairFacts {
  /// Creates the facts from a file, and from its metadata joined with that of its sidecar: a raw file's date may have
  /// been corrected there.
  init(_ image: ImageSource, _ metadata: Metadata) {
    isMovie = image.type.isMovie
    isStill = [.jpeg, .heic, .heif].contains(image.type)
    identifier = image.contentIdentifier
    time = metadata.captureTime
    camera = metadata.model
  }
}

/// The assignment of sidecars to photos.
extension PhotoGrouping {
  /// Finds the sidecars of all files. A sidecar that is an input as well belongs to its photo; with `alsoByThemselves`
  /// it remains a photo of its own too.
  mutating func attachSidecars(alsoByThemselves: Bool = false) {
    var named: [Walk.FileID: Int] = [:]
    for index in files.indices where files[index].isSidecar {
      if let id = inputs[index].id { named[id] = index }
    }
    var owners: [Walk.FileID: Int] = [:]
    for index in files.indices where inputs[index].failure == nil && !files[index].isSidecar {
      var seen: Set<Walk.FileID> = []
      for (name, folder) in places(of: index) {
        let found = folders.sidecars(of: name, in: folder)
        for path in found.own {
          guard let id = Walk.FileID(at: path, S_IFREG), seen.insert(id).inserted else { continue }
          if let owner = otherOwner(ofLink: path, than: index) {
            addStrays([path], to: index, besides: named, doubt: "is a link to the sidecar of \(owner); ignored")
            continue
          }
          if let other = owners[id], let owner = inputs[other].component?.string {
            addStrays([path], to: index, besides: named, doubt: "is the same file as the sidecar of \(owner); ignored")
            continue
          }
          owners[id] = index
          files[index].sidecars.append(path)
          if !alsoByThemselves, let sidecar = named[id] { files[sidecar].primary = (index, .sidecar) }
        }
        addStrays(
          found.doubtful, to: index, besides: named, doubt: "could belong to several photos with this name; ignored")
        addStrays(found.similar, to: index, besides: named, doubt: "could be its sidecar under another name; ignored")
      }
      addOtherNames(of: index, besides: named)
    }
  }

  /// Returns the name of another photo whose sidecar is the target of this symbolic link. A sidecar shared by two
  /// photos would be wrong for one of them.
  private mutating func otherOwner(ofLink path: FilePath, than index: Int) -> String? {
    var status = stat()
    guard path.withPlatformString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFLNK,
      let target = try? DirectoryEntry(resolving: path), case let folder = folders.index(of: target.folder.path),
      let photo = folders.photo(ofSidecar: target.name, in: folder),
      let id = Walk.FileID(at: photo, S_IFREG), id != inputs[index].id
    else { return nil }
    return photo.lastComponent?.string
  }

  /// Adds sidecars that may or may not belong to the file. Those that are inputs are edited by themselves, so they only
  /// cause a note.
  private mutating func addStrays(
    _ paths: [FilePath], to index: Int, besides named: [Walk.FileID: Int], doubt: String
  ) {
    for path in paths {
      guard let id = Walk.FileID(at: path, S_IFREG), let name = path.lastComponent?.string else { continue }
      let note = Note(.ambiguousSidecar, doubt, file: name)
      files[index].notes.append(note)
      if named[id] == nil { files[index].strays.append(Photo.AmbiguousSidecar(path: path, doubt: note)) }
    }
  }

  /// Notes the sidecars of a file's other names, and the other names of a raw file: it gets a sidecar for one name only,
  /// although each name would need one.
  private mutating func addOtherNames(of index: Int, besides named: [Walk.FileID: Int]) {
    for path in inputs[index].otherNames {
      guard let name = path.lastComponent else { continue }
      if files[index].name?.kind == .raw {
        files[index].notes.append(
          Note(.otherName, "is the same file under another name, which gets no sidecar", file: name.string))
      }
      let folder = folders.index(of: path.removingLastComponent())
      addStrays(
        folders.sidecars(of: name, in: folder).own, to: index, besides: named,
        doubt: "is the sidecar of another name of the same file; ignored")
    }
  }

  /// Returns where the file's sidecar may be: next to it and, if the file is a symlink, next to its target.
  private mutating func places(of index: Int) -> [(name: FilePath.Component, folder: Int)] {
    let input = inputs[index]
    let own = input.component.map { [($0, files[index].folder)] } ?? []
    guard input.isLink, let place = try? DirectoryEntry(resolving: input.path) else { return own }
    let target = (place.name, folders.index(of: place.folder.path))
    return own.contains { $0 == target } ? own : own + [target]
  }
}

extension Walk.Input {
  /// The name of the file; nil if there is none.
  fileprivate var component: FilePath.Component? { failure == nil ? path.lastComponent : nil }

  /// If the file has several names, prefers the first in the order of their bytes next to which there are files that may
  /// belong to it, whichever was given first.
  fileprivate mutating func preferNameWithPartners(in folders: inout PairFolders) {
    guard !otherNames.isEmpty else { return }
    let names = [path] + otherNames
    for name in names { _ = folders.index(of: name.removingLastComponent()) }
    let partnered = names.filter { name in
      folders.names(like: [name]).contains { partner in
        Walk.FileID(at: name.removingLastComponent().appending(partner), S_IFREG).map { $0 != id } ?? false
      }
    }
    if let name = partnered.min(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) { prefer(name) }
  }
}
