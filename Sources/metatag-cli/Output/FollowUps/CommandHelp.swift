import ArgumentParser
import Foundation

/// What the parser tells of a command and its options.
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

  private static let parsersOwn = [
    "--help", "--help-hidden", "--version", "--generate-completion-script", "--experimental-dump-help",
  ]

  /// Those of the parser itself among them.
  var options: [String] { (arguments ?? []).flatMap(\.words) + CommandHelp.parsersOwn }

  /// It has commands below and takes no words of its own.
  var takesNoWords: Bool { subcommands?.isEmpty == false && !(arguments ?? []).contains { $0.kind == "positional" } }

  func option(named word: String) -> Argument? {
    arguments?.first { $0.words.contains(word) }
      ?? (CommandHelp.parsersOwn.contains(word) ? Argument(kind: "flag", names: nil, isRepeating: false) : nil)
  }
}
