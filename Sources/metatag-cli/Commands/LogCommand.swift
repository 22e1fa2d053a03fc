import ArgumentParser
import MetaTag

struct LogCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "List the runs of commands that change photos, the last one first.",
    discussion: """
      EXAMPLES:
        metatag log
        metatag log --limit 0 --json
      """)

  @Option(help: ArgumentHelp("Show so many runs at most; 0 is all.", valueName: "count"))
  var limit = 20

  @Flag(help: "Answer as one JSON document.")
  var json = false

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit takes 0 or more, not \(limit).") }
  }

  func run() async throws {
    let console = Console()
    let journal = try Journal.ifAny()
    let unnoted = try journal?.unnoted() ?? [:]
    let runs = try journal?.runs(limit: limit == 0 ? .max : limit).map { $0.counting(unnoted[$0.id]) } ?? []
    if json {
      var writer = JSONWriter(.pretty)
      writer.array { writer in runs.forEach { $0.write(to: &writer) } }
      writer.endLine()
      console.write(writer.take())
    } else if runs.isEmpty {
      console.complain("there was no run yet")
    } else {
      var table = Table([
        .init("RUN", .right), .init("BEGUN (UTC)"), .init("CHANGED", .right), .init("CREATED", .right),
        .init("UNDONE", .right), .init("FAILED", .right), .init("COMMAND"),
      ])
      for run in runs {
        table.add([
          "\(run.id)", run.began.replacing("T", with: " "), "\(run.changed)", "\(run.created)", "\(run.undone)",
          "\(run.failed)",
          run.words + (run.state == .finished ? "" : " (\(run.state.rawValue))"),
        ])
      }
      table.lines.forEach { console.print($0) }
    }
    try console.finish()
  }
}

extension RunSummary {
  /// When it began, in UTC: `2024-05-18T10:12:07`.
  var began: String { CivilTime(secondsSince1970: started.seconds).map { "\($0)" } ?? "" }

  /// Its command line, quoted as a shell needs it.
  var words: String { arguments.inShell }

  /// What tells it from others, as an object.
  func writeName(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("run", Int(id.rawValue))
      writer.member("begun", began + "Z")
      writer.key("arguments")
      writer.array { writer in arguments.forEach { writer.value($0) } }
    }
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("run", Int(id.rawValue))
      writer.member("begun", began + "Z")
      writer.member("state", state.rawValue)
      writer.member("changed", changed)
      writer.member("created", created)
      writer.member("undone", undone)
      writer.member("failed", failed)
      writer.member("undoes", undoes.map { Int($0.rawValue) })
      writer.member("version", version)
      writer.key("arguments")
      writer.array { writer in arguments.forEach { writer.value($0) } }
    }
  }
}
