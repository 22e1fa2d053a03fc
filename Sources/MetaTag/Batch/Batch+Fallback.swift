import SystemPackage

/// A new file that was written, or planned, and gets its name in the order of the inputs.
enum Unnamed: Sendable {
  /// The first free name.
  case copy(NewFile)
  /// Just the name it wants: programs find a sidecar by its name.
  case sidecar(NewFile)
  /// Of a dry run.
  case planned(FilePath.Component, Folder, WholeContent)
}

extension Batch {
  /// What is done for `photo`, which can't be changed itself because of `error`.
  func substitute(
    _ photo: OpenPhoto, by edit: MetadataEdit, _ planned: Outcome, because error: PhotoError
  ) throws(PhotoError) -> Work {
    let substitution = try options.fallback.substitute(for: photo, by: edit, because: error)
    var outcome = planned
    outcome.status = .substituted(substitution.substitute)
    outcome.after = substitution.metadata
    outcome.patch = nil
    outcome.keepNames()
    let name = substitution.name
    switch substitution.content {
    case .edit(_, let patch) where patch.isEmpty:
      outcome.leave(.hasSubstitute(name.string))
      return Work(outcome: outcome)
    case .edit(let file, let patch):
      let path = substitution.folder.path.appending(name)
      // It was parsed again when it was planned.
      let staged = try rewriter?.stage(file, at: path, patch: patch) { _ throws(PhotoError) in }
      return Work(outcome: outcome, staged: staged.map { [$0] } ?? [])
    case .copy(let change):
      let bytes = try change.patch.applied(to: change.photo.file)
      guard let rewriter else {
        return Work(outcome: outcome, unnamed: .planned(name, substitution.folder, try WholeContent(Bytes(bytes))))
      }
      let file = try rewriter.stage(new: bytes, as: name, in: substitution.folder, like: photo.file) {
        new throws(PhotoError) in try confirm(change, in: new)
      }
      return Work(outcome: outcome, unnamed: .copy(file))
    case .sidecar(let bytes):
      let file = try rewriter?.stage(new: bytes, as: name, in: substitution.folder, like: photo.file) {
        _ throws(PhotoError) in
      }
      return Work(outcome: outcome, unnamed: file.map { .sidecar($0) })
    }
  }
}

extension Work {
  /// With a name for its new file; it is unchanged when the same file is there already.
  func named(by names: inout NewNames) -> Work {
    guard let unnamed, case .substituted(var substitute) = outcome.status else { return self }
    var work = self
    work.unnamed = nil
    do throws(PhotoError) {
      let wanted: FilePath.Component
      var given: FilePath.Component?
      switch unnamed {
      case .copy(let file):
        wanted = file.wantedName
        if let staged = try names.name(file) {
          given = staged.place.name
          work.staged.append(staged)
        }
      case .sidecar(let file):
        (wanted, given) = (file.wantedName, file.wantedName)
        work.staged.append(try file.named(file.wantedName))
      case .planned(let name, let folder, let content):
        wanted = name
        if case .free(let name) = try names.name(name, in: folder, for: content) { given = name }
      }
      guard let given else {
        work.outcome.leave(.hasSubstitute(wanted.string))
        return work
      }
      substitute.path = substitute.path.removingLastComponent().appending(given)
      work.outcome.status = .substituted(substitute)
    } catch {
      work.outcome.status = .failed(error)
      work.outcome.after = nil
    }
    return work
  }
}
