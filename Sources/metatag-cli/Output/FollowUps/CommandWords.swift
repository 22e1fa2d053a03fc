import ArgumentParser
import MetaTag

/// A command line as the journal has it, taken apart: its options are kept where it is resumed, the files it named
/// aren't.
struct CommandWords {
  /// `metatag date shift`.
  let path: [String]
  /// Options with their values, and words that are no files.
  let options: [String]
  /// Options that say which files are meant.
  let choice: [String]
  /// The files it names.
  let files: [String]
  /// Whether the command takes `--retry-failed`.
  let canRetry: Bool

  private static let choosing: Set = ["--files-from", "--null", "-0"]
  private static let ofRuns: Set = ["--retry-failed", "--despite-run"]

  /// - Parameter line: The program's name, the command and its arguments.
  init?(_ line: [String], of command: any ParsableCommand.Type) {
    guard let help = CommandHelp(of: command), let path = CommandWords.path(in: line, of: command) else { return nil }
    self.path = path
    canRetry = help.option(named: "--retry-failed") != nil
    var missing = (help.arguments ?? []).count { $0.kind == "positional" && !$0.isRepeating }
    var (options, choice, files): ([String], [String], [String]) = ([], [], [])
    var rest = line.dropFirst(path.count)
    var isNamesOnly = false
    while let word = rest.popFirst() {
      if word == "--", !isNamesOnly {
        isNamesOnly = true
        continue
      }
      let name = String(word.prefix { $0 != "=" })
      let option = isNamesOnly ? nil : help.option(named: name) ?? help.lastOption(in: name)
      guard let option else {
        guard missing > 0 else {
          files.append(word)
          continue
        }
        missing -= 1
        // A word with a dash in front that is no option: `-1h`.
        options.append(word)
        continue
      }
      let value = option.takesValue && name == word ? rest.popFirst() : nil
      let words = [word] + [value].compactMap(\.self)
      if CommandWords.ofRuns.contains(name) { continue }
      if CommandWords.choosing.contains(name) { choice += words } else { options += words }
    }
    (self.options, self.choice, self.files) = (options, choice, files)
  }

  /// The words up to the command's own name.
  static func path(in line: [String], of command: any ParsableCommand.Type) -> [String]? {
    guard let name = command.configuration.commandName, let index = line.prefix(4).lastIndex(of: name) else {
      return nil
    }
    return Array(line[...index])
  }

  /// The command that does what `run` left.
  /// - Parameter files: Named beside it, where the run could not note what it left.
  func retrying(_ run: RunID, naming files: [String] = []) -> String {
    (path + options + ["--retry-failed", "\(run)"] + files).inShell
  }
}

extension CommandHelp {
  /// `-ro` is `-r -o`: only the last can take a value.
  func lastOption(in word: String) -> Argument? {
    guard word.hasPrefix("-"), !word.hasPrefix("--"), let last = word.last, last.isLetter else { return nil }
    return word.dropFirst().allSatisfy { option(named: "-\($0)") != nil } ? option(named: "-\(last)") : nil
  }
}
