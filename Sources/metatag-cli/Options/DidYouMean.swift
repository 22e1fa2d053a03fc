import ArgumentParser
import MetaTag

/// A message about an unknown option or command. The parser itself doesn't name it if something required is missing,
/// and might suggest anything, even `--yes`, which would change photos without asking.
struct DidYouMean {
  let sentence: String

  /// Finds the first unknown word of a command line that the parser refused; nil if there is none.
  init?(in words: [String], of tool: any ParsableCommand.Type) {
    guard var command = CommandHelp(of: tool) else { return nil }
    var rest = words[...]
    while let word = rest.first, let next = command.subcommands?.first(where: { $0.commandName == word }) {
      command = next
      rest = rest.dropFirst()
    }
    if let word = rest.first, !word.hasPrefix("-"), command.takesNoWords {
      let commands = command.subcommands ?? []
      let group = commands.first { $0.subcommands?.contains { $0.commandName == word } == true }
      let hint = group.map { " Did you mean '\($0.commandName) \(word)'?" }
      sentence =
        "Unknown command '\(Argv.shown(word).printable)'."
        + (hint ?? DidYouMean.suggestion(commands.map(\.commandName), for: word))
      return
    }
    while let word = rest.popFirst(), word != "--" {
      guard word.hasPrefix("--") else {
        if command.option(named: word)?.takesValue == true { rest = rest.dropFirst() }
        continue
      }
      let name = String(word.prefix { $0 != "=" })
      guard let option = command.option(named: name) else {
        let names = command.options.filter { $0 != "--yes" && $0.hasPrefix("--") }
        sentence = "Unknown option '\(Argv.shown(name).printable)'.\(DidYouMean.suggestion(names, for: name))"
        return
      }
      if option.takesValue, !word.contains("="), rest.first?.hasPrefix("-") == false { rest = rest.dropFirst() }
    }
    return nil
  }

  /// Returns ` Did you mean '--dry-run'?`: the shortest name that starts with `word`, or one that differs in a letter
  /// or two.
  private static func suggestion(_ names: [String], for word: String) -> String {
    let begun = names.filter { word.count > 2 && $0.hasPrefix(word) }.min { ($0.count, $0) < ($1.count, $1) }
    let near = names.map { (distance: EditDistance.between(word, $0), name: $0) }.min {
      ($0.distance, $0.name) < ($1.distance, $1.name)
    }
    let alike = near.flatMap { $0.distance <= min(2, word.count / 4) ? $0.name : nil }
    return (begun ?? alike).map { " Did you mean '\($0)'?" } ?? ""
  }
}

/// A message about an option that takes one value and is given twice. The parser would silently use the last value.
struct RepeatedOption {
  let sentence: String

  /// Finds the first such option among the words that were parsed as `command`.
  init?(in words: [String], of command: any ParsableCommand.Type) {
    let options = words.prefix { $0 != "--" }
    guard RepeatedOption.mayRepeat(options), let help = CommandHelp(of: command) else { return nil }
    var given: Set<String> = []
    var rest = options
    while let word = rest.popFirst() {
      guard word.hasPrefix("-") else { continue }
      let name = String(word.prefix { $0 != "=" })
      guard let option = help.option(named: name) ?? help.option(namedLastIn: name), option.takesValue else { continue }
      // The next word is its value, whatever it looks like.
      if name == word { rest = rest.dropFirst() }
      guard !option.isRepeating, !given.insert(option.words.joined()).inserted else { continue }
      let names = option.words.joined(separator: " or ")
      sentence = "\(names) is given twice, but takes only one value."
      return
    }
    return nil
  }

  /// Whether two words may be the same option. A quick check, because asking the parser takes a tenth of a small run's
  /// time.
  private static func mayRepeat(_ options: some Sequence<String>) -> Bool {
    var letters: Set<Character?> = []
    return options.contains { word in
      guard word.hasPrefix("-") else { return false }
      // All names of an option end with words of the same first letter: `--jpeg-quality` and `--quality`, `--output`
      // and `-o`. In `-ro`, only the last can have a value.
      let name = word.prefix { $0 != "=" }
      let letter = name.hasPrefix("--") ? name.split(separator: "-").last?.first : name.last
      return !letters.insert(letter).inserted
    }
  }
}

extension CommandHelp {
  /// Returns the last option in `-ro`, which is `-r -o`: only the last can have a value.
  fileprivate func option(namedLastIn word: String) -> Argument? {
    word.hasPrefix("--") ? nil : word.last.flatMap { option(named: "-\($0)") }
  }
}
