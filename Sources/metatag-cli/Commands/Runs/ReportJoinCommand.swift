import ArgumentParser
import MetaTag
import SystemPackage

/// `metatag report join`: adds up the answers of workers, and finds rows that none has answered.
struct ReportJoinCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Add up the answers of workers, and find rows that none has answered.",
    usage: "metatag report join <files> ... [--rows <file>] [<options>]",
    discussion: """
      EXAMPLES:
        metatag report join --rows plan.jsonl rows/*.jsonl

      The files contain the lines that workers wrote. If a row has several answers,
      because its task was started again, the best one counts: changed, unchanged,
      skipped, failed, not done.

      The exit status is 0 if every row was answered and done. With --rows, rows
      without an answer are named. Photos that don't match --where are no failures.
      """)

  @Argument(help: ArgumentHelp("Files with answers; - is standard input.", valueName: "files"))
  var files: [PathArgument]

  @Option(
    help: ArgumentHelp(
      "The rows that were given to the workers: a plan, or those of 'metatag undo --rows'.", valueName: "file"))
  var rows: PathArgument?

  @Flag(help: "Print one JSON document.")
  var json = false

  func run() async throws {
    let console = Console()
    var sum = AnswerSum()
    for path in files.flatMap(\.paths) {
      try path.eachLine { line, number in
        if !sum.add(line) {
          console.warn("\(path.printable), line \(number): not an answer of a worker; was it cut off?")
        }
      }
    }
    if let path = rows?.path {
      sum.missing = []
      try path.eachLine { line, number in
        guard sum.look(for: line) else {
          throw SetupError("\(path.printable), line \(number): not a row of a plan or an undo")
        }
      }
    }
    if json {
      var writer = JSONWriter(.pretty)
      sum.write(to: &writer)
      writer.endLine()
      console.write(writer.take())
    } else {
      sum.lines.forEach { console.print($0) }
    }
    try console.finish()
    if !sum.isComplete { throw ExitCode.failure }
  }
}
