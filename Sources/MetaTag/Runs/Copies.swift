import Glibc
public import SystemPackage

/// Copies that a run writes instead of changing photos.
public struct Copies: Sendable {
  /// The folder for the copies, which is created if necessary. Files found in a folder of the inputs keep their
  /// position below that folder; others are copied directly into this folder.
  public var folder: FilePath
  /// The folder below which files keep their position if they were named themselves; nil if they have none.
  public var root: FilePath?
  /// The user's trash (`$XDG_DATA_HOME/Trash`), if originals are to be moved to the trash of their file system once
  /// their copies are durable. Nil: the originals stay where they are.
  public var trash: FilePath?

  /// Creates a request for copies in `folder`, whose originals stay where they are.
  public init(in folder: FilePath, trash: FilePath? = nil) { (self.folder, self.trash) = (folder, trash) }
}

extension CopyTargets {
  /// Returns the targets with the names that the files would get.
  func renamed(as outcome: Outcome) -> CopyTargets {
    var targets = self
    let names = [(outcome.path, outcome.newName)] + outcome.companions.map { ($0.path, $0.newName) }
    for case (let path, let name?) in names {
      targets.paths[path] = targets.paths[path]?.removingLastComponent().appending(name)
    }
    return targets
  }
}

extension Copies {
  /// Returns the photos with the targets of their copies. Names are given in the order of the photos.
  func assigned(to photos: [Photo]) -> [Photo] {
    var naming = CopyNaming(self)
    return photos.map { photo in
      var photo = photo
      photo.copies = naming.targets(for: photo)
      return photo
    }
  }
}

/// Gives the copies of a run their names, each once.
private struct CopyNaming {
  private let folder: FilePath
  private let root: FilePath?
  /// The folder with symbolic links resolved; nil if it doesn't exist yet.
  private let resolved: FilePath?
  private var taken: [FilePath: FilePath] = [:]
  private var folders: [FilePath: FilePath?] = [:]

  init(_ copies: Copies) {
    (folder, root) = (copies.folder, copies.root)
    resolved = folder.resolved
  }

  mutating func targets(for photo: Photo) -> CopyTargets {
    let own = photo.input.path
    let files = [own] + photo.companions.filter { $0.role != .takeout }.map(\.path)
    let place = target(of: own, below: photo.input.root ?? root) ?? folder.appending(own.lastComponent)
    var paths: [FilePath: FilePath] = [:]
    for file in files {
      paths[file] =
        target(of: file, below: photo.input.root ?? root) ?? place.removingLastComponent().appending(file.lastComponent)
    }
    var objection = objection(to: photo)
    for file in files {
      guard let target = paths[file] else { continue }
      if let other = taken[target], objection == nil {
        objection = FileError(
          .nameTaken, "would be copied to \(target), as is \(other), which has the same name", remedy: .chooseFolder)
      }
    }
    if objection == nil { for (file, target) in paths { taken[target] = file } }
    return CopyTargets(paths: paths, objection: objection)
  }

  /// Returns the path that has the same position in the folder as `file` has below `root`; nil if it isn't below.
  private func target(of file: FilePath, below root: FilePath?) -> FilePath? {
    var rest = file
    guard let root, rest.removePrefix(root), !rest.isEmpty else { return nil }
    return folder.pushing(rest)
  }

  /// Copies from earlier runs must not be copied once more.
  private mutating func objection(to photo: Photo) -> FileError? {
    guard let resolved, let root = photo.input.root, let top = path(of: root),
      let place = path(of: photo.input.path.removingLastComponent()), resolved != top, resolved.starts(with: top),
      place.starts(with: resolved)
    else { return nil }
    return FileError(
      .copiesOntoItself, "is in \(folder), the folder for the copies", remedy: .chooseFolder)
  }

  private mutating func path(of folder: FilePath) -> FilePath? {
    if let known = folders[folder] { return known }
    let path = (folder.isEmpty ? "." : folder).resolved
    folders[folder] = path
    return path
  }
}

extension FilePath {
  fileprivate func appending(_ name: FilePath.Component?) -> FilePath { name.map { appending($0) } ?? self }
}
