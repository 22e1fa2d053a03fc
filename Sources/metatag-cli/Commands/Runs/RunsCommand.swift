import ArgumentParser

/// `metatag runs`: takes over the runs of workers.
struct RunsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs",
    abstract: "Take over the journals of workers, as one run.",
    subcommands: [RunsAdoptCommand.self])
}
