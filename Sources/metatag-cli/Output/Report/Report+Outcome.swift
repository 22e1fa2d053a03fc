import MetaTag
import SystemPackage

extension Report {
  /// Prints what became of a photo.
  mutating func add(_ outcome: Outcome) {
    cameras?.take(outcome)
    add(ReportRow(outcome))
  }
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
      reason =
        ([substitute.reason.description + (substitute.obstacle.map { "; no JPEG: \($0)" } ?? "")] + outcome.warnings)
        .joined(separator: "; ")
      heading = substitute.reason.sentence
      before = outcome.before.map(PhotoValues.init)
      after = outcome.after.map(PhotoValues.init)
      explanation = outcome.explanation
      self.substitute = Substitute(path: substitute.path, isNew: substitute.isNew, losses: substitute.losses)
    case .unchanged(let reason):
      let reasons = [reason.sentence] + outcome.warnings + outcome.doubts
      self.init(outcome.path, .unchanged, reason: reasons.joined(separator: "; "))
      heading = reason.heading
    case .skipped(let reason):
      self.init(outcome.path, .skipped, reason: reason.sentence)
      heading = reason.heading
    case .failed(let error):
      self.init(outcome.path, error)
    case .notRun:
      self.init(outcome.path, RowOutcome.notRun)
    }
    isPartial = outcome.explanation?.isPartial ?? false
    notes = outcome.lastingNotices + outcome.notes
    for tag in outcome.tags {
      before?.tags[tag.key] = tag.before
      after?.tags[tag.key] = tag.after
    }
    newName = outcome.newName?.printable
    companions = outcome.companions.map {
      Companion(
        path: $0.path, role: $0.role.rawValue, isNew: $0.isNew, patch: $0.patch, newName: $0.newName?.printable)
    }
    if case .changed = outcome.status, outcome.patch == nil, let place = outcome.placeOfChange {
      reason = [place, reason].compactMap(\.self).joined(separator: "; ")
    }
  }
}

extension Outcome {
  /// Where the change is, of a photo that is as it was.
  fileprivate var placeOfChange: String? {
    let changed = companions.filter { $0.patch != nil || $0.isNew }
    let names = changed.map { $0.path.lastComponent?.string ?? "" }.joined(separator: ", ")
    if changed.isEmpty { return nil }
    guard changed.allSatisfy({ $0.role == .sidecar }) else { return "only \(names) had to change" }
    return changed.allSatisfy(\.isNew) ? "in its new sidecar \(names)" : "in its sidecar \(names)"
  }
}
