import MetaTag

extension Report {
  /// Prints what became of a photo.
  mutating func add(_ outcome: Outcome) { add(ReportRow(outcome)) }
}

extension ReportRow {
  init(_ outcome: Outcome) {
    switch outcome.status {
    case .changed:
      self.init(outcome.path, .changed)
      before = outcome.before.map(PhotoValues.init)
      after = outcome.after.map(PhotoValues.init)
      explanation = outcome.explanation
      common = outcome.explanation?.common
      patch = outcome.patch
      if !outcome.warnings.isEmpty { reason = outcome.warnings.joined(separator: "; ") }
    case .substituted(let substitute):
      self.init(outcome.path, substitute.kind == .jpeg ? .fallbackJPEG : .fallbackSidecar)
      reason = substitute.reason.description + (substitute.obstacle.map { "; no JPEG: \($0)" } ?? "")
      heading = substitute.reason.sentence
      before = outcome.before.map(PhotoValues.init)
      after = outcome.after.map(PhotoValues.init)
      explanation = outcome.explanation
      self.substitute = Substitute(path: substitute.path, isNew: substitute.isNew, losses: substitute.losses)
    case .unchanged(let reason):
      self.init(outcome.path, .unchanged, reason: reason.sentence)
      heading = reason.heading
    case .skipped(let reason):
      self.init(outcome.path, .skipped, reason: reason.sentence)
      heading = reason.heading
    case .failed(let error):
      self.init(outcome.path, error)
    case .notRun:
      self.init(outcome.path, Ending.notRun)
    }
    notices = (outcome.before?.notices ?? []) + outcome.notices
    newName = outcome.newName?.printable
    companions = outcome.companions.map {
      Companion(path: $0.path, role: $0.role.rawValue, patch: $0.patch, newName: $0.newName?.printable)
    }
    let changed = companions.filter { $0.patch != nil }
    if case .changed = outcome.status, outcome.patch == nil, !changed.isEmpty {
      reason = "only \(changed.map(\.name).joined(separator: ", ")) had to change"
    }
  }
}
