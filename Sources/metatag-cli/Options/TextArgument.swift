import ArgumentParser

/// Text on the command line, such as a place name.
struct TextArgument: Sendable, Hashable {
  let text: String

  static func argument(_ word: String) throws -> TextArgument {
    let text = try Argv.text(of: word)
    guard !text.isEmpty else { throw ValidationError("it is empty.") }
    return TextArgument(text: text)
  }
}
