import SystemPackage

extension Outcome {
  /// Plans the right name of each file whose ending isn't that of its content.
  mutating func name(_ photos: [OpenPhoto], of shot: Shot) throws(PhotoError) {
    for photo in photos {
      let path = photo.image.path
      guard let right = path.lastComponent.flatMap({ photo.image.type.rightName(for: $0) }) else { continue }
      _ = try Place.renaming(path, to: right)
      if path == self.path { newName = right }
      for index in companions.indices where companions[index].path == path { companions[index].newName = right }
      try nameSidecars(of: path, right, shot)
      try nameDescriptions(of: path, right)
    }
  }

  /// A sidecar of the whole name goes along, or it would be no one's.
  private mutating func nameSidecars(
    of path: FilePath, _ right: FilePath.Component, _ shot: Shot
  ) throws(PhotoError) {
    for index in companions.indices where companions[index].role == .sidecar {
      let sidecar = companions[index].path
      guard shot.owner(of: sidecar) == path, let name = sidecar.lastComponent,
        name.stemBytes == path.lastComponent?.bytes
      else { continue }
      let new = FilePath.Component(right.bytes + name.bytes.dropFirst(name.stemBytes.count))
      if let new { _ = try Place.renaming(sidecar, to: new) }
      (companions[index].newName, companions[index].namesake) = (new, path)
    }
  }

  /// So do Google Takeout's JSON files of the whole name; and with a name that has one already, the photo would be taken for
  /// another, which may be in another part of the export.
  private mutating func nameDescriptions(of path: FilePath, _ right: FilePath.Component) throws(PhotoError) {
    guard let old = path.lastComponent else { return }
    let folder = try Place(resolving: path).folder
    let names = TakeoutName(old.bytes).wholeDescriptions.compactMap { FilePath.Component($0) }
    let newNames = TakeoutName(right.bytes).wholeDescriptions.compactMap { FilePath.Component($0) }
    for name in newNames where try folder.status(of: name) != nil {
      throw PhotoError(
        .refused,
        "can't be named \(right): \(name) is there, which is about a photo of that name; move that one away first")
    }
    for (name, new) in zip(names, newNames) where try folder.status(of: name) != nil {
      let description = path.removingLastComponent().appending(name)
      try OpenPhoto.naming(description) { () throws(PhotoError) in _ = try Place.renaming(description, to: new) }
      let index = companions.firstIndex { $0.path == description } ?? companions.endIndex
      if index == companions.endIndex { companions.append(Companion(path: description, role: .takeout)) }
      (companions[index].newName, companions[index].namesake) = (new, path)
    }
  }

  /// Nothing is renamed.
  mutating func keepNames() {
    newName = nil
    // They are named for their names' sake only.
    companions.removeAll { $0.role == .takeout }
    for index in companions.indices { companions[index].newName = nil }
  }

  /// No byte has to change; perhaps a name.
  mutating func leave(_ reason: Reason) {
    after = nil
    let isNamed = newName != nil || companions.contains { $0.newName != nil }
    status = isNamed ? .changed : .unchanged(reason)
  }
}

extension Rewriter {
  /// Gives the files of a photo the names they were found to need, after their bytes are on the disk.
  func rename(_ outcome: inout Outcome) {
    var kept: Set<FilePath> = []
    func rename(_ path: FilePath, _ name: inout FilePath.Component?) {
      guard let new = name else { return }
      do throws(PhotoError) {
        try self.rename(path, to: new)
      } catch {
        name = nil
        kept.insert(path)
        if outcome.patch == nil, !outcome.changesCompanions {
          outcome.status = .failed(error)
        } else {
          outcome.notices.append("keeps its name: \(error.sentence)")
        }
      }
    }
    var name = outcome.newName
    rename(outcome.path, &name)
    outcome.newName = name
    for index in outcome.companions.indices {
      // Under the new name it would be no one's, or another's.
      if outcome.companions[index].namesake.map(kept.contains) ?? false { outcome.companions[index].newName = nil }
      var name = outcome.companions[index].newName
      rename(outcome.companions[index].path, &name)
      outcome.companions[index].newName = name
    }
  }
}
