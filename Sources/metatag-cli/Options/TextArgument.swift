import ArgumentParser

/// Text on the command line, such as a place's name.
struct TextArgument: ExpressibleByArgument, Sendable, Hashable {
  let text: String

  init?(argument: String) {
    text = Argv.text(of: argument)
    guard !text.isEmpty else { return nil }
  }
}
