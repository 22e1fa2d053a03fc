import ArgumentParser

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
      sentence = "\(names) is given twice, and takes one value."
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
