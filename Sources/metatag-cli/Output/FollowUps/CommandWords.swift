import ArgumentParser
import Foundation
import MetaTag

/// A command line from the journal, in parts: a command that resumes the run keeps its options, but not its files.
struct CommandWords {
  /// The command: `metatag date shift`.
  let path: [String]
  /// The options with their values, and arguments that aren't files.
  let options: [String]
  /// The options that select files.
  let choice: [String]
  /// The files it names.
  let files: [String]
  /// Whether the command has the option `--retry-failed`.
  let canRetry: Bool

  private static let choosing: Set = ["--files-from", "--null", "-0"]
  private static let ofRuns: Set = ["--retry-failed", "--despite-run"]

  /// Finds the parts of a command line; nil if the command can't be determined.
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
        // A negative value, not an option: `-1h`.
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

  /// Returns the words up to the command's name.
  static func path(in line: [String], of command: any ParsableCommand.Type) -> [String]? {
    guard let name = command.configuration.commandName, let index = line.prefix(4).lastIndex(of: name) else {
      return nil
    }
    return Array(line[...index])
  }

  /// Returns the command that retries `run`.
  /// - Parameter files: The files to name, if the run crashed before it could record what was left.
  func retrying(_ run: RunID, naming files: [String] = []) -> String {
    (path + options + ["--retry-failed", "\(run)"] + files).inShell
  }
}

extension CommandHelp {
  /// Returns the last option in `-ro`, which is `-r -o`: only the last can have a value.
  func lastOption(in word: String) -> Argument? {
    guard word.hasPrefix("-"), !word.hasPrefix("--"), let last = word.last, last.isLetter else { return nil }
    return word.dropFirst().allSatisfy { option(named: "-\($0)") != nil } ? option(named: "-\(last)") : nil
  }
}

/// The parser's description of a command and its options.
struct CommandHelp: Decodable {
  struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String

      var word: String { (kind == "long" ? "--" : "-") + name }
    }

    let kind: String
    let names: [Name]?
    let isRepeating: Bool
    let shouldDisplay: Bool

    var words: [String] { (names ?? []).map(\.word) }
    var takesValue: Bool { kind == "option" }
  }

  private struct Document: Decodable {
    let command: CommandHelp
  }

  let commandName: String
  let arguments: [Argument]?
  let subcommands: [CommandHelp]?

  init?(of command: any ParsableCommand.Type) {
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(command._dumpHelp().utf8)) else {
      return nil
    }
    self = document.command
  }

  private static let parserOptions = [
    "--help", "--help-hidden", "--version", "--generate-completion-script", "--experimental-dump-help",
  ]

  /// All option names, including those of the parser itself.
  var options: [String] { (arguments ?? []).flatMap(\.words) + CommandHelp.parserOptions }

  /// Whether it has subcommands and takes no arguments itself.
  var takesNoWords: Bool { subcommands?.isEmpty == false && !(arguments ?? []).contains { $0.kind == "positional" } }

  /// Whether `--help` leaves out some of its options.
  var hidesOptions: Bool { arguments?.contains { !$0.shouldDisplay } ?? false }

  func option(named word: String) -> Argument? {
    arguments?.first { $0.words.contains(word) }
      ?? (CommandHelp.parserOptions.contains(word)
        ? Argument(kind: "flag", names: nil, isRepeating: false, shouldDisplay: true) : nil)
  }
}
