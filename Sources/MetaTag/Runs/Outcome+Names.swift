import SystemPackage

extension Outcome {
  /// Plans the right name of each file whose extension is missing or doesn't match its content.
  mutating func name(_ files: [OpenFile], of photo: Photo) throws(FileError) {
    for file in files {
      let path = file.image.path
      let type = file.image.type
      guard let name = path.lastComponent, let right = type.rightName(for: name) ?? type.wholeName(for: name) else {
        continue
      }
      _ = try DirectoryEntry.renaming(path, to: right)
      if path == self.path { newName = right }
      for index in companions.indices where companions[index].path == path { companions[index].newName = right }
      try nameSidecars(of: path, right, photo)
      try nameDescriptions(of: path, right)
    }
  }

  /// Plans the renaming of new sidecars. A sidecar is first created for the photo's old name and then renamed along
  /// with the photo, so that it belongs to the photo at every instant.
  mutating func nameNewSidecars() throws(FileError) {
    let names = [(path, newName)] + companions.map { ($0.path, $0.newName) }
    for index in companions.indices where companions[index].isNew {
      let sidecar = companions[index].path
      for (path, right) in names {
        guard let right, let name = sidecar.lastComponent, name.stemBytes == path.lastComponent?.bytes else { continue }
        let new = FilePath.Component(right.bytes + name.bytes.dropFirst(name.stemBytes.count))
        if let new { try Directory(resolving: sidecar.removingLastComponent()).requireFree(new) }
        companions[index].newName = new
      }
    }
  }

  /// Plans the renaming of sidecars that have the photo's whole name; otherwise they would lose their photo.
  private mutating func nameSidecars(
    of path: FilePath, _ right: FilePath.Component, _ photo: Photo
  ) throws(FileError) {
    for index in companions.indices where companions[index].role == .sidecar {
      let sidecar = companions[index].path
      guard photo.owner(of: sidecar) == path, let name = sidecar.lastComponent,
        name.stemBytes == path.lastComponent?.bytes
      else { continue }
      let new = FilePath.Component(right.bytes + name.bytes.dropFirst(name.stemBytes.count))
      if let new { _ = try DirectoryEntry.renaming(sidecar, to: new) }
      companions[index].newName = new
    }
  }

  /// Plans the renaming of Google Takeout's JSON files that have the photo's whole name. Refuses a name that has such a
  /// JSON file already: the photo would be taken for another one, which may be in another part of the export.
  private mutating func nameDescriptions(of path: FilePath, _ right: FilePath.Component) throws(FileError) {
    guard let old = path.lastComponent else { return }
    let folder = try DirectoryEntry(resolving: path).folder
    let names = TakeoutName(old.bytes).wholeDescriptions.compactMap { FilePath.Component($0) }
    let newNames = TakeoutName(right.bytes).wholeDescriptions.compactMap { FilePath.Component($0) }
    for name in newNames where try folder.status(of: name) != nil {
      throw FileError(
        .nameTaken, "can't be named \(right): \(name) exists and belongs to another photo", remedy: .moveAway("\(name)")
      )
    }
    for (name, new) in zip(names, newNames) where try folder.status(of: name) != nil {
      let description = path.removingLastComponent().appending(name)
      try OpenFile.naming(description) { () throws(FileError) in _ = try DirectoryEntry.renaming(description, to: new)
      }
      let index = companions.firstIndex { $0.path == description } ?? companions.endIndex
      if index == companions.endIndex { companions.append(Companion(path: description, role: .takeout)) }
      companions[index].newName = new
    }
  }

  /// Cancels all renaming.
  mutating func keepNames() {
    newName = nil
    // These are listed only because of their new name.
    companions.removeAll { $0.role == .takeout }
    for index in companions.indices { companions[index].newName = nil }
  }

  /// Records that no byte changes; a name may.
  mutating func leave(_ reason: Reason) {
    after = nil
    let isNamed = newName != nil || companions.contains { $0.newName != nil }
    status = isNamed ? .changed : .unchanged(reason)
  }
}

extension Rewriter {
  /// Gives the files of a photo their right names, after their bytes are on the disk.
  func rename(_ outcome: inout Outcome) {
    let names = [(outcome.path, outcome.newName)] + outcome.companions.map { ($0.path, $0.newName) }
    do throws(FileError) {
      try rename(names.compactMap { path, name in name.map { Renaming(path: path, name: $0) } })
    } catch {
      outcome.keepNames()
      if outcome.patch == nil, !outcome.changesCompanions {
        outcome.status = .failed(error)
      } else {
        outcome.notes.append(
          Note(.nameKept, "keeps its name: \(error.description)", remedy: error.remedy))
      }
    }
  }
}
