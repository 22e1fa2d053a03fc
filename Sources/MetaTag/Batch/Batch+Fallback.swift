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
  /// What is done for `photo`, which can't be changed itself because of `error`; its companions are changed themselves,
  /// or nothing is done.
  func substitute(
    _ photo: OpenPhoto, _ companions: [OpenPhoto], by edit: MetadataEdit, _ planner: any Planner, _ planned: Outcome,
    because error: PhotoError
  ) throws(PhotoError) -> Work {
    let substitution = try options.fallback.substitute(for: photo, by: edit, because: error)
    var outcome = planned
    let changes = try changes(of: companions, by: edit, planner, &outcome)
    outcome.notices += changes.flatMap(\.notices)
    let bond = changes.isEmpty ? nil : rewriter?.bond()
    var objection: PhotoError?
    let staged = try stage(changes, of: photo, bond: bond, objection: &objection)
    do throws(PhotoError) {
      var work = try stage(substitution, of: photo, bond: bond, outcome)
      work.staged = staged + work.staged
      return work
    } catch {
      rewriter?.withdraw(staged)
      throw error
    }
  }

  private func stage(
    _ substitution: Substitution, of photo: OpenPhoto, bond: Int?, _ planned: Outcome
  ) throws(PhotoError) -> Work {
    var outcome = planned
    outcome.status = .substituted(substitution.substitute)
    outcome.after = substitution.metadata
    outcome.patch = nil
    outcome.keepNames()
    let name = substitution.name
    switch substitution.content {
    case .edit(_, let patch) where patch.isEmpty:
      if !outcome.changesCompanions { outcome.leave(.hasSubstitute(name.string)) }
      return Work(outcome: outcome)
    case .edit(let file, let patch):
      let path = substitution.folder.path.appending(name)
      // It was parsed again when it was planned.
      let staged = try rewriter?.stage(file, at: path, patch: patch, bond: bond) { _ throws(PhotoError) in }
      return Work(outcome: outcome, staged: staged.map { [$0] } ?? [])
    case .copy(let change):
      let bytes = try change.patch.applied(to: change.photo.file)
      guard let rewriter else {
        return Work(outcome: outcome, unnamed: .planned(name, substitution.folder, try WholeContent(Bytes(bytes))))
      }
      let file = try rewriter.stage(new: bytes, as: name, in: substitution.folder, like: photo.file, bond: bond) {
        new throws(PhotoError) in try confirm(change, in: new)
      }
      return Work(outcome: outcome, unnamed: .copy(file))
    case .sidecar(let bytes):
      let file = try rewriter?.stage(new: bytes, as: name, in: substitution.folder, like: photo.file, bond: bond) {
        _ throws(PhotoError) in
      }
      return Work(outcome: outcome, unnamed: file.map { .sidecar($0) })
    }
  }
}

extension Work {
  /// With a name for its new file; where the same file is there already, there is none. Nothing of what can't get one is
  /// done.
  func named(by names: inout NewNames, _ rewriter: Rewriter?) -> Work {
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
        if !outcome.changesCompanions { work.outcome.leave(.hasSubstitute(wanted.string)) }
        return work
      }
      substitute.path = substitute.path.removingLastComponent().appending(given)
      work.outcome.status = .substituted(substitute)
    } catch {
      rewriter?.withdraw(work.staged)
      work.staged = []
      work.outcome.status = .failed(error)
      work.outcome.after = nil
    }
    return work
  }
}
