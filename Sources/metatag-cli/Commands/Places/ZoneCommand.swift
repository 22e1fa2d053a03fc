import ArgumentParser

struct ZoneCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "zone",
    abstract: "Look time zones up, offline.",
    discussion: """
      EXAMPLES:
        metatag zone at 35.0116,135.7681
      """,
    subcommands: [ZoneAtCommand.self])
}
