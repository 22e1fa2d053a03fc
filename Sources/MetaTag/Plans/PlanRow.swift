import Foundation
import Glibc
package import SystemPackage

/// One photo of a plan: the planned change, and the state of its files at that time.
package struct PlanRow: Sendable {
  /// Another file that belongs to the photo.
  struct Companion: Sendable {
    let path: FilePath
    let role: Photo.Role
    /// The planned file's state; nil if it stays unchanged, and for a sidecar that didn't exist.
    let was: FileState?
    /// The content that the file gets; nil if it stays unchanged, or if that is unknown.
    var becomes: FileContent?
    /// The change of its dates, if it differs from the photo's.
    let dates: DateChange?
    let newName: String?
  }

  /// The path, as it was given.
  package let path: FilePath
  let was: FileState
  /// The content that the file gets; nil if it stays unchanged, or if that is unknown: in plans of earlier versions, and
  /// if the row was edited.
  private(set) var becomes: FileContent?
  /// The change; nil if only the name is wrong.
  let edit: MetadataEdit?
  /// A description of what the change is based on.
  let reason: String?
  let newName: String?
  private(set) var companions: [Companion]
  /// Whether other files that may belong to the photo count as photos of their own.
  let isSeparate: Bool

  /// The names of files next to the photo's files that look like them, but don't belong to the photo.
  fileprivate let namesakes: Set<String>

  /// The sidecars that would be created.
  var newSidecars: [FilePath] { companions.filter(isNew).map(\.path) }

  /// Whether a companion is a sidecar that would be created.
  fileprivate func isNew(_ companion: Companion) -> Bool { companion.role == .sidecar && companion.was == nil }

  /// The paths of the photo and its companions.
  package var paths: [FilePath] { [path] + companions.map(\.path) }

  /// Returns rows in groups, in their order, in each of which every file occurs only once.
  package static func grouped<Element>(
    _ elements: [Element], by row: (Element) -> PlanRow, together isTogether: (Element, Element) -> Bool
  ) -> [[Element]] {
    var groups: [[Element]] = []
    var files: Set<Walk.FileID> = []
    for element in elements {
      let own = Set(row(element).paths.compactMap { Walk.FileID(at: $0, S_IFREG) })
      if let last = groups.last?.last, isTogether(last, element), files.isDisjoint(with: own) {
        groups[groups.count - 1].append(element)
      } else {
        groups.append([element])
        files = []
      }
      files.formUnion(own)
    }
    return groups
  }
}

extension PlanRow {
  /// Creates a row from the outcome of a dry run; nil if the photo would stay unchanged. The run must have recorded
  /// states.
  package init?(_ outcome: Outcome) {
    switch outcome.status {
    case .changed, .substituted: break
    default: return nil
    }
    guard let was = outcome.state else { return nil }
    path = outcome.path
    self.was = was
    becomes = outcome.result
    edit = outcome.edit
    reason = outcome.explanation?.description
    newName = outcome.newName?.string
    isSeparate = outcome.isSeparate
    namesakes = Set(outcome.namesakes.map(\.string))
    companions = outcome.companions.map { companion in
      // Each file's dates are moved from its own reading.
      let isSame = companion.dates?.anchored(at: nil) == outcome.edit?.dates.anchored(at: nil)
      return Companion(
        path: companion.path, role: companion.role, was: companion.state, becomes: companion.result,
        dates: isSame ? nil : companion.dates, newName: companion.newName?.string)
    }
    if case .substituted(let substitute) = outcome.status, substitute.isNew, let content = outcome.substituteResult {
      companions.append(
        Companion(path: substitute.path, role: .sidecar, was: nil, becomes: content, dates: nil, newName: nil))
    }
  }

  /// Returns the row as it is written after `header`. `before` and `after` are for readers only.
  package func planValue(before: Metadata?, after: Metadata?, behind header: PlanFile.Header) -> PlanValue {
    .object(
      path.planMembers + [
        ("was", was.planValue), ("becomes", becomes?.planValue), ("changeDigest", .text(changeDigest)),
        ("change", edit?.planValue), ("newName", .text(newName)), ("because", .text(reason)),
        ("separately", .bool(ifSo: isSeparate && !header.isSeparate)),
        ("before", before?.planValue), ("after", after?.planValue),
        ("companions", companions.isEmpty ? nil : .list(companions.map(\.planValue))),
        ("namesakes", namesakes.isEmpty ? nil : .list(namesakes.sorted().map(PlanValue.text))),
      ])
  }

  init(plan value: PlanValue, allowsZero: Bool) throws(ParseError) {
    try self.init(PlanMembers(value, "row"), allowsZero: allowsZero)
  }

  init(_ members: PlanMembers, allowsZero: Bool) throws(ParseError) {
    var members = members
    path = try members.path()
    was = try FileState(plan: try members.required("was", members.take("was")))
    becomes = try members.take("becomes").map { value throws(ParseError) in try FileContent(plan: value) }
    edit = try members.take("change").map { value throws(ParseError) in
      try MetadataEdit(plan: value, allowsZero: allowsZero)
    }
    newName = try members.text("newName")
    reason = try members.text("because")
    isSeparate = try members.bool("separately")
    for name in ["before", "after"] {
      if let value = members.take(name) { _ = try PlanMembers(value, name) }
    }
    companions = try (members.list("companions") ?? []).map { value throws(ParseError) in try Companion(plan: value) }
    namesakes = Set(
      try (members.list("namesakes") ?? []).map { value throws(ParseError) in
        guard case .text(let name) = value else { throw ParseError("'namesakes' are not names") }
        return name
      })
    let digest = try members.text("changeDigest")
    try members.finish()
    if digest != changeDigest {
      becomes = nil
      for index in self.companions.indices { self.companions[index].becomes = nil }
    }
    guard edit != nil || newName != nil || companions.contains(where: { $0.newName != nil }) else {
      throw ParseError("the row has neither 'change' nor 'newName'", remedy: .omitRow)
    }
  }
}

extension PlanRow {
  /// Identifies the change of the row: the beginning of the SHA-256 of its text. What the files become is only true of this
  /// change. It stays so if the folder is named in another way.
  private var changeDigest: String? {
    let dates = companions.map { companion in
      let name = companion.path.lastComponent?.string ?? ""
      return PlanValue.object([("name", .text(name)), ("dates", companion.dates?.planValue)])
    }
    let bytes = Bytes(Array(PlanValue.list([edit?.planValue ?? .null, .list(dates)]).canonical.utf8))
    return (try? bytes.digest([0..<bytes.count]))?.prefix(8).hexadecimal
  }
}

extension PlanValue {
  /// The value as text in one form.
  fileprivate var canonical: String {
    switch self {
    case .text(let text): "\(text.utf8.count):\(text)"
    case .number(let number): "\(number)"
    case .bool(let truth): "\(truth)"
    case .null: "null"
    case .list(let values): "[\(values.map(\.canonical).joined(separator: ","))]"
    case .members(let members): "{\(members.map { "\($0.name):\($0.value.canonical)" }.joined(separator: ","))}"
    }
  }
}

extension FileContent {
  fileprivate var planMembers: [(String, PlanValue?)] {
    [("size", .number(Double(size))), ("metadata", .text(metadata))]
  }

  var planValue: PlanValue { .object(planMembers) }

  init(plan value: PlanValue) throws(ParseError) {
    var members = try PlanMembers(value, "becomes")
    try self.init(&members, "becomes")
    try members.finish()
  }

  /// Takes its members.
  fileprivate init(_ members: inout PlanMembers, _ place: String) throws(ParseError) {
    size = try members.required("size", try members.whole("size"))
    guard size >= 0 else { throw ParseError("'size' in '\(place)' can't be less than 0") }
    metadata = try members.required("metadata", try members.text("metadata"))
    guard metadata.utf8.count == 64,
      metadata.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { throw ParseError("'metadata' in '\(place)' is not a SHA-256 of 64 lowercase hexadecimal digits") }
  }
}

extension FileState {
  var planValue: PlanValue {
    .object(content.planMembers + [("modified", .text(modified.inUTC ?? ""))])
  }

  init(plan value: PlanValue) throws(ParseError) {
    var members = try PlanMembers(value, "was")
    content = try FileContent(&members, "was")
    let text = try members.required("modified", try members.text("modified"))
    guard let modified = try CaptureTime(parsing: text).instant else {
      throw ParseError("'modified' in 'was' has no offset from UTC", remedy: .addOffset)
    }
    self.modified = modified
    try members.finish()
  }
}

extension PlanRow.Companion {
  var planValue: PlanValue {
    .object(
      path.planMembers + [
        ("role", .text(role.rawValue)), ("was", was?.planValue), ("becomes", becomes?.planValue),
        ("dates", dates?.planValue),
        ("newName", .text(newName)),
      ])
  }

  init(plan value: PlanValue) throws(ParseError) {
    var members = try PlanMembers(value, "companions")
    path = try members.path()
    guard let role = Photo.Role(rawValue: try members.required("role", try members.text("role"))) else {
      throw ParseError("the 'role' of a companion must be movie, raw, edited, adjustments, sidecar or takeout")
    }
    self.role = role
    was = try members.take("was").map { value throws(ParseError) in try FileState(plan: value) }
    becomes = try members.take("becomes").map { value throws(ParseError) in try FileContent(plan: value) }
    dates = try members.take("dates").map { value throws(ParseError) in try DateChange(plan: value) }
    newName = try members.text("newName")
    try members.finish()
    guard role == .sidecar || (was != nil) == role.isPhoto else {
      throw ParseError("'was' in 'companions' is missing, or not allowed for its 'role'")
    }
  }
}

extension FilePath {
  /// The path as text and, if it isn't UTF-8, also as bytes.
  var planMembers: [(String, PlanValue?)] {
    [("path", .text(String(decoding: bytes, as: UTF8.self))), ("pathBytes", .text(encoded))]
  }

  /// The path, or its bytes in base64 if they aren't UTF-8.
  package var planID: String { encoded ?? String(decoding: bytes, as: UTF8.self) }

  /// The bytes in base64; nil if they are UTF-8.
  private var encoded: String? {
    String(validating: bytes, as: UTF8.self) == nil ? Data(bytes).base64EncodedString() : nil
  }
}

extension PlanMembers {
  mutating func path() throws(ParseError) -> FilePath {
    let text = try required("path", try text("path"))
    var bytes = Array(text.utf8)
    if let encoded = try self.text("pathBytes") {
      guard let data = Data(base64Encoded: encoded) else { throw ParseError("'pathBytes' is not base64") }
      bytes = Array(data)
    }
    guard !bytes.isEmpty, !bytes.contains(0) else { throw ParseError("'path' is empty or contains a NUL") }
    return FilePath(bytes: bytes)
  }
}

extension Metadata {
  /// The metadata that interest a reader.
  fileprivate var planValue: PlanValue {
    .object([
      ("taken", .text(captureTime?.description)), ("location", location?.planValue),
      ("names", placeNames.first?.value.planValue),
    ])
  }
}

extension PlanFile {
  /// Returns the photos of the rows. Their files are grouped again, up to `jobs` read at once, since half of a Live
  /// Photo that arrived after planning must not be left behind. Files that are read are added to `catalog`.
  package func photos(jobs: Int, _ catalog: PhotoCatalog = PhotoCatalog()) async -> [Photo] {
    var folders = PairFolders()
    var photos = rows.map { $0.photo(&folders) }
    guard !header.isSeparate else { return photos }
    // Files that have their new names already are in the photos, but not in the rows.
    let paths = rows.flatMap(\.paths) + photos.flatMap { [$0.input.path] + $0.companions.map(\.path) }
    let planned = Set(paths.compactMap { Walk.FileID(at: $0, S_IFREG) })
    let named = rows.filter { !$0.isSeparate }.flatMap { row in
      [row.path] + row.companions.filter(\.role.isPhoto).map(\.path)
    }
    var orphans: [Walk.FileID: [FilePath.Component]] = [:]
    for photo in await Photo.pairing(Walk.photos(in: named, recursively: false), jobs: jobs, catalog) {
      let files = [photo.input.path] + photo.companions.filter(\.role.isPhoto).map(\.path)
      let ids = files.map { Walk.FileID(at: $0, S_IFREG) }
      let others = zip(files, ids).compactMap { file, id in
        id.map { !planned.contains($0) } == true ? file.lastComponent : nil
      }
      if !others.isEmpty { for id in ids.compactMap(\.self) { orphans[id] = others } }
    }
    for index in photos.indices where photos[index].input.failure == nil && !rows[index].isSeparate {
      let path = photos[index].input.path
      let others = Walk.FileID(at: path, S_IFREG).flatMap { orphans[$0] } ?? []
      guard let name = others.map(\.string).first(where: { !rows[index].namesakes.contains($0) }) else { continue }
      let failure = FileError(
        .changedSincePlan, "its companion \(name) is not in the plan", remedy: .planAgain(separately: true))
      let companions = photos[index].companions
      photos[index] = Photo(Walk.Input(path: path, failure: failure))
      photos[index].companions = companions
    }
    return photos
  }
}

extension PlanRow {
  fileprivate func photo(_ folders: inout PairFolders) -> Photo {
    if let photo = renamed?.photo(&folders), let opened = try? OpenPhoto(photo),
      (try? photo.planned?.areDone(opened.files)) == true
    {
      return photo
    }
    var input = Walk.input(at: path)
    if Walk.isFolder(path) {
      input = Walk.Input(path: path, failure: FileError(.isFolder, "is a folder, not a photo"))
    }
    if input.failure == nil, let failure = failure(input, &folders) { input = Walk.Input(path: path, failure: failure) }
    var photo = Photo(input)
    // A sidecar that would be created may be there if the plan was applied before.
    let there = companions.filter { !isNew($0) || $0.path.status(followingLinks: false) != nil }
    photo.companions = there.map { Photo.Companion(path: $0.path, role: $0.role) }
    photo.folders = folders
    let states = [(path, was)] + companions.compactMap { companion in companion.was.map { (companion.path, $0) } }
    let results = [(path, becomes)] + companions.map { ($0.path, $0.becomes) }
    let names = [(path, newName)] + companions.map { ($0.path, $0.newName) }
    photo.planned = PlannedStates(
      states: Dictionary(states) { first, _ in first },
      results: Dictionary(results.compactMap { path, content in content.map { (path, $0) } }) { first, _ in first },
      newNames: Dictionary(names.compactMap { path, name in name.map { (path, $0) } }) { first, _ in first },
      newSidecars: Set(newSidecars))
    return photo
  }

  /// The row of files that have their new names, after which nothing is left to do; nil if the row gives no new name, or if
  /// not exactly the new names are there.
  private var renamed: PlanRow? {
    func place(of path: FilePath, _ name: String?) -> FilePath? {
      guard let name else { return path }
      guard let component = FilePath.Component(name), path.status(followingLinks: false) == nil else { return nil }
      let new = path.removingLastComponent().appending(component)
      return new.status(followingLinks: false) == nil ? nil : new
    }
    // If only a sidecar is written, the photo stays as it was. Plans of earlier versions have no contents.
    let staysAsItWas = edit == nil || companions.contains { $0.becomes != nil }
    guard newName != nil || companions.contains(where: { $0.newName != nil }),
      let path = place(of: path, newName), let content = becomes ?? (staysAsItWas ? was.content : nil)
    else { return nil }
    var files: [Companion] = []
    for companion in companions {
      guard let path = place(of: companion.path, companion.newName) else { return nil }
      files.append(
        Companion(
          path: path, role: companion.role, was: companion.was, becomes: companion.becomes, dates: companion.dates,
          newName: nil))
    }
    return PlanRow(
      path: path, was: was, becomes: content, edit: edit, reason: reason, newName: nil, companions: files,
      isSeparate: isSeparate, namesakes: namesakes)
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
    let known = Set(companions.filter { $0.was != nil || $0.becomes != nil }.compactMap { $0.path.lastComponent })
    for path in isLink ? [] : photos {
      guard let name = path.lastComponent else { continue }
      let folder = folders.index(of: path.removingLastComponent())
      let own = folders.sidecars(of: name, in: folder).own
      let new = own.compactMap(\.lastComponent).first { !known.contains($0) && !namesakes.contains($0.string) }
      if let new {
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
