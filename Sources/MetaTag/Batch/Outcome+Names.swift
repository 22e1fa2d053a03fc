import SystemPackage

extension Outcome {
  /// Plans the right name of each file whose ending isn't that of its content.
  mutating func name(_ photos: [OpenPhoto]) throws(PhotoError) {
    for photo in photos {
      let path = photo.image.path
      guard let right = path.lastComponent.flatMap({ photo.image.type.rightName(for: $0) }) else { continue }
      _ = try Place.renaming(path, to: right)
      if path == self.path { newName = right }
      for index in companions.indices where companions[index].path == path { companions[index].newName = right }
    }
  }

  mutating func keepNames() {
    newName = nil
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
    func rename(_ path: FilePath, _ name: inout FilePath.Component?) {
      guard let new = name else { return }
      do throws(PhotoError) {
        try self.rename(path, to: new)
      } catch {
        name = nil
        if outcome.patch == nil, !outcome.companions.contains(where: { $0.patch != nil }) {
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
      var name = outcome.companions[index].newName
      rename(outcome.companions[index].path, &name)
      outcome.companions[index].newName = name
    }
  }
}
