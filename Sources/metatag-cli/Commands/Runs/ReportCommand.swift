import ArgumentParser

/// `metatag report`: adds up the answers of workers.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Add up the answers of workers.",
    subcommands: [ReportJoinCommand.self])
}
