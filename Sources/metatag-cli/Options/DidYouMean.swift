import ArgumentParser

/// An option or a command that there isn't. The parser names none while something required is missing, and what it
/// suggests may be anything, `--yes` too, with which photos are changed without a question.
struct DidYouMean {
  let sentence: String

  /// The first such word of a command line that was refused; nil when the reason must be another.
  init?(in words: [String], of tool: any ParsableCommand.Type) {
    guard var command = CommandHelp(of: tool) else { return nil }
    var rest = words[...]
    while let word = rest.first, let next = command.subcommands?.first(where: { $0.commandName == word }) {
      command = next
      rest = rest.dropFirst()
    }
    if let word = rest.first, !word.hasPrefix("-"), command.takesNoWords {
      let names = command.subcommands?.map(\.commandName) ?? []
      sentence = "Unknown command '\(Argv.shown(word).printable)'.\(DidYouMean.suggestion(names, for: word))"
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

  /// ` Did you mean '--dry-run'?`: of those that begin with `word` the shortest, else one that differs in a letter or
  /// two.
  private static func suggestion(_ names: [String], for word: String) -> String {
    let begun = names.filter { word.count > 2 && $0.hasPrefix(word) }.min { ($0.count, $0) < ($1.count, $1) }
    let near = names.map { (distance: distance(word, $0), name: $0) }.min {
      ($0.distance, $0.name) < ($1.distance, $1.name)
    }
    let alike = near.flatMap { $0.distance <= min(2, word.count / 3) ? $0.name : nil }
    return (begun ?? alike).map { " Did you mean '\($0)'?" } ?? ""
  }

  /// Letters that are missing, too many, others, or changed places with their neighbour.
  private static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        let changed = rows[i][j] + (a[i] == b[j] ? 0 : 1)
        var least = min(changed, rows[i][j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, rows[i - 1][j - 1] + 1) }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
