import MetaTag

/// Builds the commands that correct the dates of the files in a command line.
struct DateFixCommand: Sendable {
  /// The whole command line.
  private let line: [String]
  /// The options that select files, such as `--recursive` and `--where`.
  private let choice: [String]
  private let files: [String]

  /// Creates commands that correct the dates of these files.
  /// - Parameters:
  ///   - choice: The options that choose among the files.
  ///   - files: The names of the files, as they are printed.
  init(_ line: [String], choice: [String], files: [String]) {
    self.line = line
    self.choice = choice
    self.files = (files.contains { $0.hasPrefix("-") } ? ["--"] : []) + files
  }

  /// Returns the command that shifts the dates of all photos, or of one camera's.
  func shift(by seconds: Int64, of conditions: [String]) -> String {
    let size = TimeShift(seconds: seconds)
    let filter = conditions.flatMap { ["--where", $0] }
    return (["metatag", "date", "shift", "\(size)"] + choice + filter + files).inShell
  }

  /// The command that corrects each photo by what it records.
  var repair: String { (["metatag", "date", "repair", "--apply"] + choice + files).inShell }

  /// The command line with `--fix-dates` added.
  var fixing: String {
    var rest = line.dropFirst(2).filter { !["--dry-run", "-n"].contains($0) && !$0.hasPrefix("--plan=") }
    if let plan = rest.firstIndex(of: "--plan") { rest.removeSubrange(plan...min(plan + 1, rest.endIndex - 1)) }
    return (line.prefix(2) + ["--fix-dates"] + rest).inShell
  }
}

extension [String] {
  /// Returns all values of an option.
  func values(of option: String) -> [String] {
    let words = prefix { $0 != "--" }
    return words.indices.compactMap { index in
      if words[index] == option, index + 1 < words.endIndex { return words[index + 1] }
      return words[index].hasPrefix(option + "=") ? String(words[index].dropFirst(option.count + 1)) : nil
    }
  }
}
