import ArgumentParser
import Foundation

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
