import Glibc
public import SystemPackage

/// The folders of a run's inputs and their contents, each read once.
struct PairFolders: Sendable {
  private struct Entry: Sendable {
    /// The folder's path as the first input spells it.
    let path: FilePath
    /// Photos, and files that may belong to one, by the name up to its last dot.
    let names: NamesByStem
    /// Sidecars by the photo names that they resemble.
    let similar: [String: [FilePath.Component]]
    /// Photos without a photo's extension whose whole name is the stem of another file: `a` next to `a.xmp`.
    let bare: Set<[UInt8]>
    /// The error that cut the listing off, so that the contents aren't fully known.
    var failure: FileError?

    var hasSidecars: Bool { !similar.isEmpty }

    /// Whether the folder has a photo with this whole name.
    func hasPhoto(named name: [UInt8]) -> Bool {
      if bare.contains(name) { return true }
      return FilePath.Component(name).map { names[$0.stemBytes].contains($0) && $0.isClaimant } ?? false
    }
  }

  private var entries: [Entry] = []
  private var spellings: [FilePath: Int] = [:]
  private var known: [Walk.FileID: Int] = [:]

  /// Returns a number for the folder that doesn't depend on its spelling.
  mutating func index(of path: FilePath) -> Int {
    if let index = spellings[path] { return index }
    let id = Walk.FileID(at: path.isEmpty ? "." : path, S_IFDIR)
    let index = id.flatMap { known[$0] } ?? entries.count
    if index == entries.count { entries.append(PairFolders.read(path)) }
    spellings[path] = index
    if let id { known[id] = index }
    return index
  }

  /// Returns the files in a folder, except `known` ones, whose names may make them one photo with a file of that stem.
  /// They are sorted by the bytes of their names.
  func files(named stem: [UInt8], in folder: Int, besides known: [FilePath.Component]) -> [FilePath] {
    NameParts.stems(of: stem).flatMap { entries[folder].names[$0] }
      .filter { !known.contains($0) && NameParts($0)?.stem == stem }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
      .map { entries[folder].path.appending($0) }
  }

  /// Returns the names of files next to a photo's files that have the same name but for its ending, or may be their
  /// sidecars.
  func names(like files: [FilePath]) -> Set<FilePath.Component> {
    var found: Set<FilePath.Component> = []
    for file in files {
      guard let name = file.lastComponent, let folder = spellings[file.removingLastComponent()] else { continue }
      let stem = NameParts(name)?.stem ?? name.stemBytes
      found.formUnion(self.files(named: stem, in: folder, besides: []).compactMap(\.lastComponent))
      if entries[folder].bare.contains(stem), let bare = FilePath.Component(stem) { found.insert(bare) }
      found.formUnion(sidecars(of: name, in: folder).own.compactMap(\.lastComponent))
    }
    return found
  }

  /// Returns the names of the files next to this one that have a stem, in the order of their bytes.
  func names(of stem: [UInt8], besides path: FilePath) -> [FilePath.Component] {
    guard let folder = spellings[path.removingLastComponent()] else { return [] }
    return entries[folder].names[stem].filter { $0 != path.lastComponent }
  }

  /// The error that cut the folder's listing off, so that companions may be missing.
  func failure(in folder: Int) -> FileError? { entries[folder].failure }

  /// Reads a folder; one that may not be listed counts as empty.
  private static func read(_ path: FilePath) -> Entry {
    var failure: FileError?
    var names: [FilePath.Component] = []
    var bare: Set<[UInt8]> = []
    do throws(FileError) {
      if let listing = try? FolderListing(path.isEmpty ? "." : path) {
        while let entry = try listing.next() {
          if entry.name.isOfPhotos { names.append(entry.name) } else { bare.insert(entry.name.bytes) }
        }
      }
    } catch {
      failure = error
    }
    var similar: [String: [FilePath.Component]] = [:]
    for sidecar in names where sidecar.isSidecar {
      for name in Set(sidecar.resembled) { similar[name, default: []].append(sidecar) }
    }
    if !bare.isEmpty { bare.formIntersection(names.map(\.stemBytes)) }
    let photos = bare.filter { name in
      let file = FilePath.Component(name).map(path.appending)
      return file.map { Walk.FileID(at: $0, S_IFREG) != nil && (try? ImageSource($0)) != nil } ?? false
    }
    return Entry(path: path, names: NamesByStem(names), similar: similar, bare: photos, failure: failure)
  }
}

// MARK: Sidecars

extension Walk {
  /// Returns the sidecars of each of these photos, in the photo's folder.
  public static func sidecars(of photos: [FilePath]) -> [FilePath: [FilePath]] {
    var folders = PairFolders()
    var sidecars: [FilePath: [FilePath]] = [:]
    for photo in photos {
      guard let name = photo.lastComponent, !name.isSidecar else { continue }
      let folder = folders.index(of: photo.removingLastComponent())
      sidecars[photo] = folders.sidecars(of: name, in: folder).own
    }
    return sidecars
  }
}

extension PairFolders {
  /// The files next to a photo that may be its sidecars.
  struct Sidecars {
    /// The photo's own sidecars.
    var own: [FilePath] = []
    /// Sidecars that have the photo's name without its extension, as other photos do, so that their owner isn't
    /// certain.
    var doubtful: [FilePath] = []
    /// Sidecars that belong to no photo by their name, but resemble this photo's.
    var similar: [FilePath] = []
  }

  /// Returns the sidecars of a photo. A sidecar with the photo's whole name is its own. One with the name before the
  /// extension belongs to the photo whose extension is recorded in it, otherwise to the only raw file of that name,
  /// otherwise to the only photo of that name.
  func sidecars(of name: FilePath.Component, in folder: Int) -> Sidecars {
    let entry = entries[folder]
    guard entry.hasSidecars else { return Sidecars() }
    func sidecars(_ stem: [UInt8]) -> [FilePath] {
      entry.names[stem].filter(\.isSidecar).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        .map { entry.path.appending($0) }
    }
    var found = Sidecars(own: sidecars(name.bytes))
    let resembling = Set([name.bytes, name.stemBytes].flatMap { entry.similar[$0.folded, default: []] })
    found.similar =
      resembling
      .filter { $0.stemBytes != name.stemBytes && photo(ofSidecar: $0, in: folder) == nil }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map { entry.path.appending($0) }
    // `PXL_1.MP.xmp` belongs to `PXL_1.MP`, not to `PXL_1.MP.jpg`.
    for sidecar in entry.hasPhoto(named: name.stemBytes) ? [] : sidecars(name.stemBytes) {
      switch claimant(of: name.stemBytes, in: folder, by: sidecar) {
      case name?: found.own.append(sidecar)
      case nil: found.doubtful.append(sidecar)
      default: break
      }
    }
    return found
  }

  /// Returns the photo that a sidecar belongs to: `IMG_1.NEF` for `IMG_1.NEF.xmp` and `IMG_1.xmp`.
  func photo(ofSidecar name: FilePath.Component, in folder: Int) -> FilePath? {
    let entry = entries[folder]
    let photo =
      entry.hasPhoto(named: name.stemBytes)
      ? FilePath.Component(name.stemBytes)
      : claimant(of: name.stemBytes, in: folder, by: entry.path.appending(name))
    return photo.map { entry.path.appending($0) }
  }

  /// Whether a new sidecar, named after the photo without its extension, would belong to that photo.
  func claims(_ name: FilePath.Component, in folder: Int) -> Bool {
    let isTaken = entries[folder].names[name.stemBytes].contains(where: \.isSidecar)
    return !isTaken && !entries[folder].hasPhoto(named: name.stemBytes)
      && claimant(of: name.stemBytes, in: folder, by: nil) == name
  }

  /// Returns, of several photos with this stem, the one whose extension the sidecar records; otherwise the only raw
  /// file, otherwise the only photo. Nil if there are several or none.
  private func claimant(of stem: [UInt8], in folder: Int, by sidecar: FilePath?) -> FilePath.Component? {
    let photos = entries[folder].names[stem].filter(\.isClaimant)
    if photos.count > 1, let ending = sidecar.flatMap(SidecarExtension.named) {
      let named = photos.filter { $0.extension?.lowercased() == ending }
      if named.count == 1 { return named[0] }
    }
    let raws = photos.filter { NameParts($0)?.kind == .raw }
    let claimants = raws.isEmpty ? photos : raws
    return claimants.count == 1 ? claimants[0] : nil
  }
}

extension FilePath.Component {
  init?(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, !bytes.contains(0), let name = FilePath(bytes: bytes).lastComponent, name.bytes == bytes
    else { return nil }
    self = name
  }

  /// The name up to its last dot.
  var stemBytes: [UInt8] {
    let bytes = bytes
    return bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? Array(bytes[..<$0]) : nil } ?? bytes
  }

  /// The photo names that a sidecar resembles, in lowercase: its own without the extension, and that without the number
  /// of darktable's duplicates (`IMG_1_01.NEF.xmp`).
  var resembled: [String] {
    let whole = stemBytes.folded
    guard let point = whole.lastIndex(of: "."), case let base = whole[..<point],
      let line = base.lastIndex(of: "_"), case let number = base[base.index(after: line)...],
      number.utf8.count >= 2, number.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return [whole] }
    return [whole, String(base[..<line] + whole[point...])]
  }

  /// Whether a file of this name may belong to a photo.
  fileprivate var isOfPhotos: Bool {
    // A `._` file, in which macOS keeps attributes on foreign disks, has the same extension but nothing that belongs to
    // a photo.
    let bytes = bytes
    guard !bytes.starts(with: "._".utf8), let point = bytes.lastIndex(of: UInt8(ascii: ".")) else { return false }
    return NameParts.fileExtensions.contains(ImageType.ending(String(decoding: bytes[(point + 1)...], as: UTF8.self)))
  }

  var isSidecar: Bool { self.extension?.lowercased() == NameParts.sidecar }

  /// Whether a file of this name can have a sidecar: it is neither a sidecar nor a list of adjustments.
  fileprivate var isClaimant: Bool { !isSidecar && NameParts(self)?.kind != .adjustments }
}

extension [UInt8] {
  /// The text in lowercase.
  var folded: String { String(decoding: self, as: UTF8.self).lowercased() }
}

extension Walk.FileID {
  /// Looks a file up; nil if `path` doesn't exist or isn't of this kind.
  init?(at path: FilePath, _ kind: mode_t) {
    guard let status = Walk.status(of: path), status.st_mode & S_IFMT == kind else { return nil }
    self.init(status)
  }
}
