import SystemPackage

/// A file to be copied, and its change.
private struct Original {
  let path: FilePath
  let file: FileSource
  /// The ranges of image data in the copy.
  let pictures: [Range<Int>]
  var change: FileEdit?

  init(_ photo: OpenFile, _ changes: [FileEdit]) {
    (path, file) = (photo.image.path, photo.file)
    change = changes.first { $0.photo.file === photo.file && $0.photo.newFile == nil }
    pictures = (change?.after ?? photo.image).layout.imageData
  }

  /// Opens a file without metadata.
  init(unread path: FilePath) throws(FileError) { (self.path, file, pictures) = (path, try FileSource(path), []) }
}

/// Copies of photos with their changes.
extension Batch {
  /// Returns a photo that needs no change as the copy that it nevertheless gets, if copies are written.
  func copied(_ opened: OpenPhoto, of photo: Photo, to targets: CopyTargets?, _ outcome: Outcome) throws(FileError)
    -> Work
  {
    guard let targets else { return Work(outcome: outcome) }
    var objection: FileError?
    return try copied(opened, of: photo, to: targets, with: [], outcome, objection: &objection)
  }

  /// Returns the copies of all files of a photo, with its changes: to be committed all or none.
  /// - Parameters:
  ///   - left: The file of which there is no copy, because another file is written instead.
  ///   - atomicGroup: The group that the copies belong to; nil for one of their own.
  ///   - objection: Receives the second reader's error about the photo's own file.
  func copied(
    _ opened: OpenPhoto, of photo: Photo, to targets: CopyTargets, with changes: [FileEdit], _ outcome: Outcome,
    without left: OpenFile? = nil, atomicGroup: Int? = nil, objection: inout FileError?
  ) throws(FileError) -> Work {
    if let obstacle = targets.objection { throw obstacle }
    var outcome = outcome
    let own = opened.primary.photo
    let lists = photo.companions.filter { $0.role == .adjustments }.map(\.path)
    let files =
      opened.files.filter { $0.file !== left?.file }.map { Original($0, changes) }
      + (try lists.map { path throws(FileError) in
        try OpenFile.naming(path) { () throws(FileError) in try Original(unread: path) }
      })
    let new = changes.filter { $0.photo.newFile != nil }
    let atomicGroup = atomicGroup ?? (files.count + new.count > 1 ? rewriter?.atomicGroup() : nil)
    var work = Work(outcome: outcome)
    do throws(FileError) {
      for file in files {
        guard let target = targets.paths[file.path] else { continue }
        let isOwn = file.file === own.file
        func stage() throws(FileError) {
          if let home = options.copies?.trash, left == nil { _ = try DirectoryEntry.trashing(file.path, home: home) }
          let staged = try self.stage(copyOf: file, to: target, atomicGroup) { if isOwn { objection = $0 } }
          if let staged { work.staged.append(staged) }
        }
        try isOwn ? stage() : OpenFile.naming(file.path, stage)
        outcome.setCopy(target, of: file.path)
        if options.copies?.trash != nil, left == nil { work.originals.append(TrashedFile(file.path, file.file)) }
      }
      for change in new {
        let target = targets.target(of: change.photo)
        if let staged = try stage(newSidecar: change, at: target, atomicGroup) { work.staged.append(staged) }
        outcome.setPath(target, ofNew: change.photo.image.path)
      }
    } catch {
      rewriter?.withdraw(work.staged)
      throw error
    }
    outcome.isTrashed = !work.originals.isEmpty
    work.outcome = outcome
    return work
  }

  /// Stages the substitute for a photo in the folder of the copies. A JPEG is written instead of the photo's copy; a
  /// sidecar is one of `changes` and gets a copy of the photo.
  func substitute(
    _ substitution: Substitution, for opened: OpenPhoto, of photo: Photo, to targets: CopyTargets,
    with changes: [FileEdit], _ outcome: Outcome
  ) throws(FileError) -> Work {
    var objection: FileError?
    guard case .copy(let copy) = substitution else {
      var work = try copied(opened, of: photo, to: targets, with: changes, outcome, objection: &objection)
      if case .substituted(var substitute) = outcome.status {
        let sidecar = changes.first { $0.photo.image.path == substitute.path }?.photo
        substitute.path = sidecar.map(targets.target) ?? targets.paths[substitute.path] ?? substitute.path
        substitute.isNew = true
        work.outcome.status = .substituted(substitute)
      }
      return work
    }
    let file = opened.primary.photo
    let group = rewriter?.atomicGroup()
    var work = try copied(
      opened, of: photo, to: targets, with: changes, outcome, without: file, atomicGroup: group, objection: &objection)
    do throws(FileError) {
      let target = (targets.paths[file.image.path] ?? "").removingLastComponent().appending(copy.name)
      if let place = try place(target), let rewriter {
        let new = try rewriter.stage(
          new: try copy.change.patch.applied(to: copy.change.photo.file), as: place.name, in: place.folder,
          like: file.file, atomicGroup: group
        ) { new throws(FileError) in try confirm(copy.change, in: new) }
        work.staged.append(try new.named(place.name))
      }
      var substitute = copy.substitute
      substitute.path = target
      work.outcome.status = .substituted(substitute)
    } catch {
      rewriter?.withdraw(work.staged)
      throw error
    }
    return work
  }

  /// Stages the copy of one file; in a dry run, only checks that it could be written.
  private func stage(
    copyOf original: Original, to target: FilePath, _ atomicGroup: Int?, objection: (FileError) -> Void
  ) throws(FileError) -> StagedFile? {
    let place = try place(target)
    guard let rewriter, let place else { return nil }
    let patch =
      if let change = original.change { change.patch } else { try Patch([], to: original.file.count, imageData: []) }
    return try rewriter.stage(
      copyOf: original.file, at: original.path, to: place, patch: patch, pictures: original.pictures,
      atomicGroup: atomicGroup
    ) { new throws(FileError) in
      guard let change = original.change else { return }
      do throws(FileError) { try confirm(change, in: new) } catch {
        objection(error)
        throw error
      }
    }
  }

  /// Stages a new sidecar next to the copies.
  private func stage(
    newSidecar change: FileEdit, at target: FilePath, _ atomicGroup: Int?
  ) throws(FileError) -> StagedFile? {
    guard let newFile = change.photo.newFile, let place = try place(target), let rewriter else { return nil }
    let file = try rewriter.stage(
      new: try change.patch.applied(to: change.photo.file), as: place.name, in: place.folder,
      like: newFile.attributeSource, datedAlike: options.keepsModificationTime, atomicGroup: atomicGroup
    ) { new throws(FileError) in try confirm(change, in: new) }
    return try file.named(place.name)
  }

  /// Returns the place of a new file, whose folder is created. In a dry run it is only checked; nil if the folder
  /// doesn't exist.
  private func place(_ target: FilePath) throws(FileError) -> DirectoryEntry? {
    guard let name = target.lastComponent else { throw FileError(.noName, "could not find a name for the copy") }
    let folder = target.removingLastComponent()
    if rewriter == nil {
      try Directory.requireCreatable(folder)
      guard Walk.isFolder(folder.isEmpty ? "." : folder) else { return nil }
    }
    let place = DirectoryEntry(try rewriter == nil ? Directory(resolving: folder) : Directory(creating: folder), name)
    try place.requireNew()
    return place
  }
}

extension CopyTargets {
  /// Returns the path of the copy of a sidecar, or of a new sidecar next to the copies.
  fileprivate func target(of sidecar: OpenFile) -> FilePath {
    let path = sidecar.image.path
    return sidecar.newFile.map { target(ofNew: $0.name, beside: path) } ?? paths[path] ?? path
  }

  /// Returns the path of a new sidecar, named after the photo's old name, next to the copies.
  private func target(ofNew name: FilePath.Component, beside sidecar: FilePath) -> FilePath {
    for (path, target) in paths {
      guard let old = path.lastComponent, let new = target.lastComponent, name.stemBytes == old.bytes,
        path.removingLastComponent() == sidecar.removingLastComponent()
      else { continue }
      let rest = name.bytes.dropFirst(old.bytes.count)
      if let name = FilePath.Component(new.bytes + rest) { return target.removingLastComponent().appending(name) }
    }
    let beside = paths.first { $0.key.removingLastComponent() == sidecar.removingLastComponent() }
    return (beside?.value.removingLastComponent() ?? "").appending(name)
  }
}

extension Outcome {
  /// Records that no copy was written.
  mutating func forgetCopies() {
    copy = nil
    isTrashed = false
    for index in companions.indices { companions[index].copy = nil }
  }

  /// Records the copy of one of the photo's files.
  fileprivate mutating func setCopy(_ copy: FilePath, of path: FilePath) {
    if path == self.path { self.copy = copy }
    for index in companions.indices where companions[index].path == path { companions[index].copy = copy }
  }

  /// Records where a new sidecar is, which has no original.
  fileprivate mutating func setPath(_ path: FilePath, ofNew sidecar: FilePath) {
    for index in companions.indices where companions[index].isNew && companions[index].path == sidecar {
      companions[index].path = path
    }
  }

  /// Plans the right names of copies whose extension is missing or doesn't match their content.
  mutating func nameCopies(of files: [OpenFile], _ photo: Photo) throws(FileError) {
    for file in files {
      let path = file.image.path
      guard let name = path.lastComponent,
        let right = file.image.type.rightName(for: name) ?? file.image.type.wholeName(for: name)
      else { continue }
      try photo.folders.requireFirst(path, to: right)
      if path == self.path { newName = right }
      for index in companions.indices {
        let companion = companions[index]
        if companion.path == path { companions[index].newName = right }
        guard companion.role == .sidecar, photo.owner(of: companion.path) == path,
          let sidecar = companion.path.lastComponent, sidecar.stemBytes == name.bytes
        else { continue }
        companions[index].newName = FilePath.Component(right.bytes + sidecar.bytes.dropFirst(name.bytes.count))
      }
    }
  }
}
