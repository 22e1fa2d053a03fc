import Glibc
import SystemPackage

extension PlanFile {
  /// Returns the photos of the rows. Their files are grouped again, up to `jobs` read at once, since half of a Live
  /// Photo that arrived after planning must not be left behind. Files that are read are added to `catalog`.
  package func photos(jobs: Int, _ catalog: PhotoCatalog = PhotoCatalog()) async -> [Photo] {
    var folders = PairFolders()
    var photos = rows.map { $0.photo(&folders) }
    guard !header.isSeparate else { return photos }
    let planned = Set(rows.flatMap(\.paths).compactMap { Walk.FileID(at: $0, S_IFREG) })
    let named = rows.filter { !$0.isSeparate }.flatMap { row in
      [row.path] + row.companions.filter(\.role.isPhoto).map(\.path)
    }
    var orphans: [Walk.FileID: FilePath] = [:]
    for photo in await Photo.pairing(Walk.photos(in: named, recursively: false), jobs: jobs, catalog) {
      let files = [photo.input.path] + photo.companions.filter(\.role.isPhoto).map(\.path)
      let ids = files.map { Walk.FileID(at: $0, S_IFREG) }
      guard let orphan = zip(files, ids).first(where: { $1.map { !planned.contains($0) } ?? false })?.0 else {
        continue
      }
      for id in ids.compactMap(\.self) { orphans[id] = orphan }
    }
    for index in photos.indices where photos[index].input.failure == nil && !rows[index].isSeparate {
      let path = photos[index].input.path
      guard let orphan = Walk.FileID(at: path, S_IFREG).flatMap({ orphans[$0] }) else { continue }
      let name = orphan.lastComponent?.string ?? orphan.string
      let failure = FileError(
        .changedSincePlan, "\(name) belongs to it, and is not in the plan", remedy: .planAgain(separately: true))
      let companions = photos[index].companions
      photos[index] = Photo(Walk.Input(path: path, failure: failure))
      photos[index].companions = companions
    }
    return photos
  }
}

extension PlanRow {
  fileprivate func photo(_ folders: inout PairFolders) -> Photo {
    var input = Walk.input(at: path)
    if Walk.isFolder(path) {
      input = Walk.Input(path: path, failure: FileError(.isFolder, "is a folder, not a photo"))
    }
    if input.failure == nil, let failure = failure(input, &folders) { input = Walk.Input(path: path, failure: failure) }
    var photo = Photo(input)
    let there = companions.filter { !newSidecars.contains($0.path) }
    photo.companions = there.map { Photo.Companion(path: $0.path, role: $0.role) }
    photo.folders = folders
    let states = [(path, was)] + companions.compactMap { companion in companion.was.map { (companion.path, $0) } }
    let names = [(path, newName)] + companions.map { ($0.path, $0.newName) }
    photo.planned = PlannedStates(
      states: Dictionary(states) { first, _ in first },
      newNames: Dictionary(names.compactMap { path, name in name.map { (path, $0) } }) { first, _ in first },
      newSidecars: Set(newSidecars))
    return photo
  }

  /// Returns why the row can't be applied, as far as file names show.
  private func failure(_ input: Walk.Input, _ folders: inout PairFolders) -> FileError? {
    let folder = Walk.FileID(folderOf: path)
    let isLink = input.isLink
    // If the photo is a symlink, its sidecar may be next to the target.
    let strays = companions.filter { $0.role != .sidecar || !isLink }
    if let stray = strays.first(where: { Walk.FileID(folderOf: $0.path) != folder }) {
      let name = stray.path.lastComponent?.string ?? stray.path.string
      return FileError(.companionElsewhere, "its companion \(name) is not in its folder")
    }
    let photos = [path] + companions.filter(\.role.isPhoto).map(\.path)
    let known = Set(companions.filter { $0.was != nil }.compactMap { $0.path.lastComponent })
    for path in isLink ? [] : photos {
      guard let name = path.lastComponent else { continue }
      let folder = folders.index(of: path.removingLastComponent())
      let own = folders.sidecars(of: name, in: folder).own
      if let new = own.compactMap(\.lastComponent).first(where: { !known.contains($0) }) {
        return FileError(
          .changedSincePlan, "has a sidecar, \(new), that did not exist when it was planned", remedy: .planAgain())
      }
    }
    return nil
  }

  /// A planner that proposes the row's change.
  package var planner: any Planner { PlannedChange(self) }
}

extension Walk.FileID {
  fileprivate init?(folderOf path: FilePath) {
    let folder = path.removingLastComponent()
    self.init(at: folder.isEmpty ? "." : folder, S_IFDIR)
  }
}

/// Proposes the planned change, whatever the photo records. That the photo is unchanged since is checked elsewhere.
private struct PlannedChange: Planner {
  private let edit: MetadataEdit?
  private let reason: String
  private let dates: [FilePath: DateChange]

  init(_ row: PlanRow) {
    edit = row.edit
    reason = row.reason ?? "as it was planned"
    dates = Dictionary(row.companions.compactMap { companion in companion.dates.map { (companion.path, $0) } }) {
      first, _ in first
    }
  }

  func propose(for metadata: Metadata) -> Proposal {
    edit.map { .change($0, because: .planned(reason)) } ?? .unchanged(.asWanted)
  }

  func propose(for metadata: Metadata, of companion: FilePath) -> Proposal {
    guard var edit else { return propose(for: metadata) }
    let own = dates[companion]
    guard own != .keep else { return .unchanged(.asWanted) }
    edit.dates = own ?? edit.dates.anchored(at: metadata.captureTime)
    return .change(edit, because: .planned(reason))
  }
}
