import Glibc
import SystemPackage

/// The assignment of sidecars to photos.
extension PhotoGrouping {
  /// Finds the sidecars of all files. A sidecar that is an input as well belongs to its photo; with `alsoByThemselves`
  /// it remains a photo of its own too.
  mutating func attachSidecars(alsoByThemselves: Bool = false) {
    var inputs: [Walk.FileID: Int] = [:]
    for index in files.indices where files[index].isSidecar {
      if let id = files[index].input.id { inputs[id] = index }
    }
    var owners: [Walk.FileID: Int] = [:]
    for index in files.indices where files[index].input.failure == nil && !files[index].isSidecar {
      var seen: Set<Walk.FileID> = []
      for (name, folder) in places(of: index) {
        let found = folders.sidecars(of: name, in: folder)
        for path in found.own {
          guard let id = Walk.FileID(at: path, S_IFREG), seen.insert(id).inserted else { continue }
          if let owner = otherOwner(ofLink: path, than: index) {
            addStrays([path], to: index, besides: inputs, doubt: "is a link to the sidecar of \(owner); ignored")
            continue
          }
          if let other = owners[id], let owner = files[other].component?.string {
            addStrays([path], to: index, besides: inputs, doubt: "is the same file as the sidecar of \(owner); ignored")
            continue
          }
          owners[id] = index
          files[index].sidecars.append(path)
          if !alsoByThemselves, let sidecar = inputs[id] { files[sidecar].lead = (index, .sidecar) }
        }
        addStrays(
          found.doubtful, to: index, besides: inputs, doubt: "could belong to several photos with this name; ignored")
        addStrays(found.similar, to: index, besides: inputs, doubt: "could be its sidecar under another name; ignored")
      }
      addOtherNames(of: index, besides: inputs)
    }
  }

  /// Returns the name of another photo whose sidecar is the target of this symbolic link. A sidecar shared by two
  /// photos would be wrong for one of them.
  private mutating func otherOwner(ofLink path: FilePath, than index: Int) -> String? {
    var status = stat()
    guard path.withPlatformString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFLNK,
      let target = try? DirectoryEntry(resolving: path),
      let photo = folders.photo(ofSidecar: target.name, in: folders.index(of: target.folder.path)),
      let id = Walk.FileID(at: photo, S_IFREG), id != files[index].input.id
    else { return nil }
    return photo.lastComponent?.string
  }

  /// Adds sidecars that may or may not belong to the file. Those that are inputs are edited by themselves, so they only
  /// cause a note.
  private mutating func addStrays(
    _ paths: [FilePath], to index: Int, besides inputs: [Walk.FileID: Int], doubt: String
  ) {
    for path in paths {
      guard let id = Walk.FileID(at: path, S_IFREG), let name = path.lastComponent?.string else { continue }
      let note = Note(.ambiguousSidecar, doubt, file: name)
      files[index].notes.append(note)
      if inputs[id] == nil { files[index].strays.append(Photo.AmbiguousSidecar(path: path, doubt: note)) }
    }
  }

  /// Notes the other names of a raw file. It gets a sidecar for one name only, although each name would need one.
  private mutating func addOtherNames(of index: Int, besides inputs: [Walk.FileID: Int]) {
    guard files[index].name?.kind == .raw else { return }
    for path in files[index].input.otherNames {
      guard let name = path.lastComponent else { continue }
      files[index].notes.append(
        Note(.otherName, "is the same file under another name, which gets no sidecar", file: name.string))
      let folder = folders.index(of: path.removingLastComponent())
      addStrays(
        folders.sidecars(of: name, in: folder).own, to: index, besides: inputs,
        doubt: "is the sidecar of another name of the same file; ignored")
    }
  }

  /// Returns where the file's sidecar may be: next to it and, if the file is a symlink, next to its target.
  private mutating func places(of index: Int) -> [(name: FilePath.Component, folder: Int)] {
    let file = files[index]
    let own = file.component.map { [($0, file.folder)] } ?? []
    guard file.input.isLink, let place = try? DirectoryEntry(resolving: file.input.path) else { return own }
    let target = (place.name, folders.index(of: place.folder.path))
    return own.contains { $0 == target } ? own : own + [target]
  }
}
