import SystemPackage

/// A new file that is written or planned. It gets its name later, in the order of the inputs.
enum Unnamed: Sendable {
  /// A written copy that gets the first free name.
  case copy(CreatedFile)
  /// The copy that a dry run would write.
  case planned(FilePath.Component, Directory, WholeContent)
}

extension Batch {
  /// Substitutes a JPEG or a sidecar for `opened`, which can't be changed itself because of `error`. Its companions are
  /// changed themselves. If any of that fails, nothing is done.
  func substitute(
    _ opened: OpenPhoto, of photo: Photo, by whole: MetadataEdit, _ planner: any Planner, _ planned: Outcome,
    because error: FileError
  ) throws(FileError) -> Work {
    let file = opened.lead.photo
    let edit = whole.own(for: opened.lead.metadata)
    let substitution = try options.fallback.substitute(for: file, by: edit, because: error)
    var outcome = planned
    outcome.keepNames()
    var changes: [FileEdit] = []
    switch substitution {
    case .copy(let copy):
      outcome.status = .substituted(copy.substitute)
      outcome.after = copy.change.metadata
    case .sidecar(let obstacle):
      let beside = try change(beside: opened.lead, by: edit, photo)
      guard let path = (beside.sidecar?.photo ?? opened.lead.sidecar)?.image.path else { throw error }
      let isNew = beside.sidecar?.photo.newFile != nil
      outcome.status = .substituted(
        Substitute(kind: .sidecar, path: path, isNew: isNew, reason: error, losses: [], obstacle: obstacle))
      outcome.after = beside.metadata
      changes = beside.all
      outcome.notes += beside.notes
      if !isNew { outcome.note(changes) }
    }
    changes += try self.changes(of: opened.others, photo, by: whole, planner, &outcome)
    outcome.notes += changes.flatMap(\.notes)
    if case .sidecar = substitution, changes.isEmpty, case .substituted(let substitute) = outcome.status {
      outcome.leave(.hasSubstitute(substitute.path.lastComponent?.string ?? ""))
      return Work(outcome: outcome)
    }
    var isCopied = false
    if case .copy = substitution { isCopied = true }
    let atomicGroup = changes.count + (isCopied ? 1 : 0) > 1 ? rewriter?.atomicGroup() : nil
    var objection: FileError?
    let staged = try stage(changes, of: file, atomicGroup: atomicGroup, objection: &objection)
    guard case .copy(let copy) = substitution else { return Work(outcome: outcome, staged: staged) }
    do throws(FileError) {
      return Work(outcome: outcome, staged: staged, unnamed: try stage(copy, of: file, atomicGroup: atomicGroup))
    } catch {
      rewriter?.withdraw(staged)
      throw error
    }
  }

  private func stage(_ copy: Copy, of photo: OpenFile, atomicGroup: Int?) throws(FileError) -> Unnamed {
    let bytes = try copy.change.patch.applied(to: copy.change.photo.file)
    guard let rewriter else {
      try copy.folder.requireWritable()
      return .planned(copy.name, copy.folder, try WholeContent(Bytes(bytes)))
    }
    let file = try rewriter.stage(
      new: bytes, as: copy.name, in: copy.folder, like: photo.file, atomicGroup: atomicGroup
    ) {
      new throws(FileError) in try confirm(copy.change, in: new)
    }
    return .copy(file)
  }
}

extension Work {
  /// Returns the work with a name for its new file. There is no new file if an identical one exists already. If no name
  /// can be given, the work fails and its staged files are withdrawn.
  func named(by names: inout NewNames, _ rewriter: Rewriter?) -> Work {
    guard let unnamed, case .substituted(var substitute) = outcome.status else { return self }
    var work = self
    work.unnamed = nil
    do throws(FileError) {
      let wanted: FilePath.Component
      var given: FilePath.Component?
      switch unnamed {
      case .copy(let file):
        wanted = file.wantedName
        if let staged = try names.name(file) {
          given = staged.place.name
          work.staged.append(staged)
        }
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
