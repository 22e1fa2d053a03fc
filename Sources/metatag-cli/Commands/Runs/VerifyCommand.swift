import ArgumentParser
import MetaTag
import SystemPackage

/// `metatag verify`: compares the files of a run with what it left.
struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compare the files of a run with what it left.",
    usage: "metatag verify <run> [<options>]",
    discussion: """
      EXAMPLES:
        metatag verify 7
        metatag verify 7 --json

      Reads every file that run 7 changed, and names those that have changed since,
      are missing or can't be read; see 'metatag log' for the runs. The others are
      counted; --json lists them, too. If the run had --verify full, every byte is
      compared. Otherwise these are: the bytes that the run wrote, the bytes outside
      the picture, and the picture's length, beginning and end.

      The exit status is 1 if a file is named.
      """)

  @Argument(help: ArgumentHelp("Run number.", valueName: "run"))
  var number: Int

  @Flag(help: "Print one JSON document.")
  var json = false

  func run() async throws {
    let console = Console()
    let run = RunID(Int64(number))
    guard let journal = try Journal.read(console: console), try journal.has(run) else { throw SetupError(noRun: run) }
    let found = try journal.standings(of: run).inOrder(of: \.operation.path)
    if json {
      var writer = JSONWriter(.pretty)
      writer.array { writer in
        for (operation, standing) in found {
          writer.object { writer in
            writer.member(path: operation.path)
            writer.member("newName", operation.target?.lastComponent?.printable)
            writer.member("code", standing.rawValue)
            writer.member("reason", standing.words)
          }
        }
      }
      writer.endLine()
      console.write(writer.take())
    } else {
      for (operation, standing) in found where standing.isTrouble {
        console.print("\(operation.path.printable): \(standing.words)")
      }
      let counts = Dictionary(grouping: found, by: \.standing).mapValues(\.count)
      let parts = FileStanding.allCases.compactMap { standing in counts[standing].map { "\($0) \(standing.words)" } }
      console.print("run \(run): \(parts.isEmpty ? "no file was changed" : parts.joined(separator: ", "))")
    }
    try console.finish()
    if found.contains(where: { $0.standing.isTrouble }) { throw ExitCode(1) }
  }
}

extension FileStanding {
  fileprivate var words: String {
    switch self {
    case .asLeft: "as the run left it"
    case .otherTime:
      "with another modification time, otherwise as the run left it (the picture wasn't compared as a whole)"
    case .changedByLaterRun: "changed by a later run"
    case .changedSince: "changed since the run"
    case .missing: "not where the run left it"
    case .unreadable: "can't be read"
    case .damagedRow: "not compared, because the journal is damaged"
    case .undone: "undone"
    case .failed: "not changed by the run"
    }
  }

  fileprivate var isTrouble: Bool {
    switch self {
    case .changedSince, .missing, .unreadable, .damagedRow: true
    case .asLeft, .otherTime, .changedByLaterRun, .undone, .failed: false
    }
  }
}
