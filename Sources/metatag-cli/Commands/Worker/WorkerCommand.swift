import ArgumentParser

/// `metatag worker`: does one task for each line of standard input, for engines that run many workers.
struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker",
    abstract: "Work for Spark, Dask, GNU parallel or Slurm: one line in, one line out.",
    discussion: """
      An engine starts many workers and gives each some of the lines of a large job.
      A worker reads lines from standard input until its end, and writes exactly one
      line of JSON for each to standard output. It never waits for its output to be
      read. SCALE.md has recipes for engines, and WORKER.md describes the lines.

      The exit status is 0 if every line was answered, whatever the answers are, and
      70 if not: the engine then has to start the task again. That is safe, because
      a photo that is done already is reported as unchanged. SIGTERM finishes the
      photos in progress, and answers the other lines with "notRun".
      """,
    subcommands: [
      WorkerFactsCommand.self, WorkerPlanCommand.self, WorkerApplyCommand.self, WorkerUndoCommand.self,
    ])

  func run() throws { throw ValidationError("Name the worker's task: facts, plan, apply or undo.") }
}
