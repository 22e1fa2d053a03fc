import Glibc
import SystemPackage

/// How the files of a photo were when it was planned, and what they are to be called: only then is the plan about them.
struct PlannedStates: Sendable {
  let states: [FilePath: FileState]
  let newNames: [FilePath: String]
  /// Sidecars that are made.
  let newSidecars: Set<FilePath>

  /// Only the sidecars that were planned are made.
  func check(new outcome: Outcome) throws(PhotoError) {
    let made = Set(outcome.companions.filter(\.isNew).map(\.path))
    guard let stray = made.symmetricDifference(newSidecars).first?.lastComponent else { return }
    throw PhotoError(.conflict, "\(stray) was to be made, or not, when it was planned: plan it again")
  }

  func check(_ photos: [OpenPhoto], _ outcome: Outcome) throws(PhotoError) {
    for photo in photos {
      guard let was = states[photo.image.path] else {
        throw PhotoError(.conflict, "is not in the plan as one of the photo's files: plan it again")
      }
      let now = try photo.state
      let difference =
        was.size != now.size
        ? "size"
        : was.metadata != now.metadata ? "metadata" : was.modified != now.modified ? "time of last change" : nil
      if let difference {
        throw PhotoError(
          .conflict,
          "\(photo.image.path.lastComponent?.string ?? "it") was changed since it was planned (its \(difference)): "
            + "plan it again")
      }
    }
    let names = [(outcome.path, outcome.newName)] + outcome.companions.map { ($0.path, $0.newName) }
    for (path, name) in names where name?.string != newNames[path] {
      throw PhotoError(
        .conflict, "would be named \(name?.string ?? "as it is"), which is not what the plan says: plan it again")
    }
  }
}

extension OpenPhoto {
  var state: FileState {
    get throws(PhotoError) {
      let time = file.status.st_mtim
      let others = [0..<file.count].excluding(image.layout.imageData)
      let digest = try file.digest(others)
      let modified = Instant(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
      guard modified.inUTC != nil else {
        throw PhotoError(
          .refused, "its time of last change is in no year that can be written: 'touch' gives it another")
      }
      return FileState(
        size: file.count, modified: modified,
        metadata: digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }
  }
}

extension PlanFile {
  /// The photos that the rows are about, as they must still be. What belongs to them is looked up again, by up to
  /// `jobs` at once: half of a Live Photo that arrived since must not stay behind.
  public func shots(jobs: Int) async -> [Shot] {
    var folders = PairFolders()
    var shots = rows.map { $0.shot(&folders) }
    guard !header.isSeparate else { return shots }
    let planned = Set(rows.flatMap(\.paths).compactMap { Walk.FileID(at: $0, S_IFREG) })
    let photos = rows.filter { !$0.isSeparate }.flatMap { row in
      [row.path] + row.companions.filter(\.role.isPhoto).map(\.path)
    }
    var strangers: [Walk.FileID: FilePath] = [:]
    for shot in await Shot.pairing(Walk.photos(in: photos, recursively: false), jobs: jobs) {
      let files = [shot.input.path] + shot.companions.filter(\.role.isPhoto).map(\.path)
      let ids = files.map { Walk.FileID(at: $0, S_IFREG) }
      guard let stranger = zip(files, ids).first(where: { $1.map { !planned.contains($0) } ?? false })?.0 else {
        continue
      }
      for id in ids.compactMap(\.self) { strangers[id] = stranger }
    }
    for index in shots.indices where shots[index].input.failure == nil && !rows[index].isSeparate {
      let path = shots[index].input.path
      guard let stranger = Walk.FileID(at: path, S_IFREG).flatMap({ strangers[$0] }) else { continue }
      let name = stranger.lastComponent?.string ?? stranger.string
      let failure = PhotoError(
        .conflict,
        "\(name) belongs to it, and is not in the plan: plan it again, --separately if each has its own values")
      let companions = shots[index].companions
      shots[index] = Shot(Walk.Input(path: path, failure: failure))
      shots[index].companions = companions
    }
    return shots
  }
}

extension PlanRow {
  fileprivate func shot(_ folders: inout PairFolders) -> Shot {
    var input = Walk.input(at: path)
    if Walk.isFolder(path) {
      input = Walk.Input(path: path, failure: PhotoError(.unsupported, "is a folder, not a photo"))
    }
    if input.failure == nil, let failure = failure(input, &folders) { input = Walk.Input(path: path, failure: failure) }
    var shot = Shot(input)
    let there = companions.filter { !newSidecars.contains($0.path) }
    shot.companions = there.map { Shot.Companion(path: $0.path, role: $0.role) }
    shot.folders = folders
    let states = [(path, was)] + companions.compactMap { companion in companion.was.map { (companion.path, $0) } }
    let names = [(path, newName)] + companions.map { ($0.path, $0.newName) }
    shot.planned = PlannedStates(
      states: Dictionary(states) { first, _ in first },
      newNames: Dictionary(names.compactMap { path, name in name.map { (path, $0) } }) { first, _ in first },
      newSidecars: Set(newSidecars))
    return shot
  }

  /// Why the row can't be carried out, as far as its files' names tell.
  private func failure(_ input: Walk.Input, _ folders: inout PairFolders) -> PhotoError? {
    let folder = Walk.FileID(folderOf: path)
    let isLink = input.isLink
    // The sidecar of a link's target is beside that.
    let strays = companions.filter { $0.role != .sidecar || !isLink }
    if let stray = strays.first(where: { Walk.FileID(folderOf: $0.path) != folder }) {
      let name = stray.path.lastComponent?.string ?? stray.path.string
      return PhotoError(.refused, "its companion \(name) is not in its folder")
    }
    let photos = [path] + companions.filter(\.role.isPhoto).map(\.path)
    let known = Set(companions.filter { $0.was != nil }.compactMap { $0.path.lastComponent })
    for path in isLink ? [] : photos {
      guard let name = path.lastComponent else { continue }
      let folder = folders.index(of: path.removingLastComponent())
      let own = folders.sidecars(of: name, in: folder).own
      if let new = own.compactMap(\.lastComponent).first(where: { !known.contains($0) }) {
        return PhotoError(.conflict, "has a sidecar, \(new), that was not there when it was planned: plan it again")
      }
    }
    return nil
  }

  /// Proposes what the row says.
  public var planner: any Planner { PlannedChange(self) }
}

extension Walk.FileID {
  fileprivate init?(folderOf path: FilePath) {
    let folder = path.removingLastComponent()
    self.init(at: folder.isEmpty ? "." : folder, S_IFDIR)
  }
}

/// Proposes what was planned, whatever the photo records: that it still records it is checked elsewhere.
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
