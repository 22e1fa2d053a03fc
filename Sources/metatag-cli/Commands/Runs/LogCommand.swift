import ArgumentParser
import MetaTag
import SystemPackage

/// `metatag log`: lists the runs that changed photos, newest first, or the files of one run.
struct LogCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "List the runs that changed photos, newest first, or the files of one run.",
    usage: "metatag log [<run>] [<options>]",
    discussion: """
      EXAMPLES:
        metatag log
        metatag log 7               the files that run 7 changed
        metatag log --limit 0 --json

      The journal is ~/.local/state/metatag/journal.db; if XDG_STATE_HOME is set,
      $XDG_STATE_HOME/metatag/journal.db. If there is none under HOME, or HOME isn't
      an absolute path, the one in your account's home folder is used.
      """)

  @Argument(help: ArgumentHelp("Run whose files to list.", valueName: "run"))
  var number: Int?

  @Option(help: ArgumentHelp("Show at most this many runs; 0 is all.", valueName: "count"))
  var limit = 20

  @Flag(help: "Print one JSON document.")
  var json = false

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit takes 0 or more, not \(limit).") }
  }

  func run() async throws {
    let console = Console()
    let journal = try Journal.ifAny()
    if let number {
      try listFiles(of: RunID(Int64(number)), in: journal, on: console)
      return try console.finish()
    }
    if let damage = try journal?.damage() {
      console.warn("metatag: the journal is damaged, and some runs may be missing here: \(damage)")
    }
    let unnoted = try journal?.unnoted() ?? [:]
    let runs = try journal?.runs(limit: limit == 0 ? .max : limit).map { $0.counting(unnoted[$0.id]) } ?? []
    if json {
      var writer = JSONWriter(.pretty)
      writer.array { writer in runs.forEach { $0.write(to: &writer) } }
      writer.endLine()
      console.write(writer.take())
    } else if runs.isEmpty {
      console.warn("no runs yet. \(Journal.pathSentence)")
    } else {
      var table = Table([
        .init("RUN", .right), .init("BEGUN (UTC)"), .init("CHANGED", .right), .init("CREATED", .right),
        .init("UNDONE", .right), .init("FAILED", .right), .init("COMMAND", .left, .atEnd(20)),
      ])
      for run in runs {
        table.add([
          "\(run.id)", run.began.replacing("T", with: " "), "\(run.changed)", "\(run.created)", "\(run.undone)",
          "\(run.failed)",
          run.isDamaged ? "(can't be read)" : run.words + (run.state == .finished ? "" : " (\(run.state.rawValue))"),
        ])
      }
      console.print(table)
    }
    try console.finish()
  }
}

extension LogCommand {
  private func listFiles(of run: RunID, in journal: Journal?, on console: Console) throws {
    guard let journal, try journal.has(run) else { throw SetupError(noRun: run) }
    let lost = try journal.unreadableChanges(of: run)
    if lost > 0 {
      console.warn("metatag: the journal is damaged: \(lost) change\(lost == 1 ? "" : "s") of run \(run) can't be read")
    }
    // Photos are done in any order, but listed in one.
    let operations = try journal.operations(of: run).inOrder(of: \.path)
    guard json else {
      for operation in operations {
        let target = operation.target.map { " → \($0.lastComponent?.printable ?? "")" } ?? ""
        let reason = operation.reason.map { ": \($0.printable)" } ?? ""
        console.print("\(operation.path.printable)\(target): \(operation.words)\(reason)")
      }
      return
    }
    var writer = JSONWriter(.pretty)
    writer.array { writer in
      for operation in operations {
        writer.object { writer in
          writer.member(path: operation.path)
          writer.member("newName", operation.target?.lastComponent?.printable)
          if let origin = operation.origin { writer.member(path: origin, as: "copyOf") }
          writer.member("state", operation.words)
          writer.member("reason", operation.reason)
        }
      }
    }
    writer.endLine()
    console.write(writer.take())
  }
}

extension Journal {
  /// Whether the journal knows a run.
  func has(_ run: RunID) throws -> Bool { try runs(limit: .max).contains { $0.id == run } }
}

extension SetupError {
  /// The journal doesn't know a run.
  init(noRun run: RunID) {
    self.init("there is no run \(run); 'metatag log' lists the runs. \(Journal.pathSentence)")
  }
}

extension Sequence {
  /// Returns the elements sorted by their paths; those of one path keep their order.
  func inOrder(of path: (Element) -> FilePath) -> [Element] {
    enumerated().map { (path: path($0.element).string, offset: $0.offset, element: $0.element) }
      .sorted { ($0.path, $0.offset) < ($1.path, $1.offset) }.map(\.element)
  }
}

extension JournalOperation {
  /// The state, in one word.
  fileprivate var words: String {
    switch state {
    case .staged: "begun"
    case .committed, .cleaned:
      switch kind {
      case .bytes, .time: "changed"
      case .name: "renamed"
      case .creation: "created"
      case .removal: "removed"
      case .trashing: "moved to the trash"
      case .untrashing: "taken out of the trash"
      }
    case .failed, .conflict: "failed"
    case .undone: "undone"
    }
  }
}

extension RunSummary {
  /// The start time in UTC: `2024-05-18T10:12:07`.
  var began: String { isDamaged ? "" : CivilTime(secondsSince1970: started.seconds).map { "\($0)" } ?? "" }

  /// The command line, quoted for a shell.
  var words: String { arguments.inShell }

  /// Writes an object that identifies the run.
  func writeName(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("run", Int(id.rawValue))
      writer.member("begun", isDamaged ? nil : began + "Z")
      writer.key("arguments")
      writer.array { writer in arguments.forEach { writer.value($0) } }
    }
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("run", Int(id.rawValue))
      writer.member("begun", isDamaged ? nil : began + "Z")
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
