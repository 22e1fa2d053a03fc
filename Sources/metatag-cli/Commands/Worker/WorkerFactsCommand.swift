import ArgumentParser
import MetaTag

/// `metatag worker facts`: reads what files record about their camera, time and place.
struct WorkerFactsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "facts",
    abstract: "Read what photos record about their camera, time and place.",
    usage: "metatag worker facts [<options>]",
    discussion: """
      EXAMPLES:
        find photos -type f |
          parallel --pipe metatag worker facts --no-hello > facts
            read all photos with one worker per processor

      Each line is the path of a file. The answers are for 'metatag clocks', which
      learns the cameras' clocks from all of them and finds out which files belong
      together. No photo is changed.
      """)

  @OptionGroup var worker: WorkerOptions
  @OptionGroup var confinement: ConfinementOption

  func run() async throws {
    let reading = FactsReading(jobs: worker.jobs)
    try worker.enterFolder()
    try await worker.serve(.facts, on: Console()) { await reading.answer($0) }
  }
}
