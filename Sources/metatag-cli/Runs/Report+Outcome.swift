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
      patch = outcome.patch
    case .unchanged(let reason):
      self.init(outcome.path, .unchanged, reason: reason.sentence)
      heading = reason.heading
    case .skipped(let reason):
      self.init(outcome.path, .skipped, reason: reason.sentence)
      heading = reason.heading
    case .failed(let error):
      self.init(outcome.path, error)
    case .notRun:
      self.init(outcome.path, .notRun)
    }
    notices = outcome.before?.notices ?? []
  }
}
