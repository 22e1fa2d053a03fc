import MetaTag

/// The commands that lead on from a run that ended before its time.
struct Ways {
  let undo: String
  /// Only few runs need it, and asking the parser for it takes time.
  private let resumption: () -> String?

  /// Nil where it can only be undone.
  var resume: String? { resumption() }

  /// - Parameter resumption: Returns the command that does what the run left; nil where it can only be undone.
  init(undo: String, resumption: @escaping () -> String?) {
    self.undo = undo
    self.resumption = resumption
  }

  /// Of an undo: the same once more.
  init(undoing run: RunID, by undo: RunID) {
    self.init(undo: "metatag redo \(undo)") { "metatag undo \(run)" }
  }

  var lines: [String] { [resume.map { "  Resume: \($0)" }, "  Undo:   \(undo)"].compactMap(\.self) }
}
