import MetaTag

/// The commands that continue an interrupted run.
struct ResumeCommands {
  let undo: String
  /// Computed only if needed, because the parser takes time.
  private let resumption: () -> String?

  /// The command that resumes the run; nil if it can only be undone.
  var resume: String? { resumption() }

  /// Creates the commands from the one that undoes the run.
  /// - Parameter resumption: Returns the command that completes the run; nil if it can only be undone.
  init(undo: String, resumption: @escaping () -> String?) {
    self.undo = undo
    self.resumption = resumption
  }

  /// Creates the commands for an undo: the same again.
  init(undoing run: RunID, by undo: RunID) {
    self.init(undo: "metatag redo \(undo)") { "metatag undo \(run)" }
  }

  var lines: [String] { [resume.map { "  Resume: \($0)" }, "  Undo:   \(undo)"].compactMap(\.self) }
}

extension [String] {
  /// The words as one line for a shell, quoted if necessary.
  var inShell: String {
    map { word in
      let isPlain = !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "-_./+,:=@%".contains($0) }
      return isPlain ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
    }.joined(separator: " ").printable
  }
}
