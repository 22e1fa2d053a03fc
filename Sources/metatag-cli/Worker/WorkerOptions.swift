import ArgumentParser
import Dispatch
import Glibc
import MetaTag
import SystemPackage

/// Options of all workers.
struct WorkerOptions: ParsableArguments {
  /// The exit status if a line was not answered.
  static let unanswered = ExitCode(70)
  /// The version of the protocol.
  private static let form = 1

  /// The task of a worker.
  enum Pass: String { case facts, plan, apply, undo }

  @Flag(help: "Don't print the first line, which names the protocol; for engines that take every line as an answer.")
  var noHello = false

  @Option(help: ArgumentHelp("Read relative paths in rows as relative to this folder.", valueName: "folder"))
  var relativeTo: PathArgument?

  @Option(help: ArgumentHelp("Photos to process at once.", valueName: "count"))
  var jobs = 1

  func validate() throws {
    if !(1...1_024).contains(jobs) { throw ValidationError("--jobs takes 1 to 1024, not \(jobs).") }
  }

  /// Makes the folder of relative paths the working folder.
  func enterFolder() throws {
    if let folder = relativeTo?.path { try Self.enter(folder) }
  }

  /// Makes a folder the working folder.
  static func enter(_ folder: FilePath) throws {
    guard folder.withPlatformString({ chdir($0) }) == 0 else {
      throw SetupError("--relative-to: can't enter \(folder.printable): \(Errno(rawValue: errno).words)")
    }
  }

  /// Answers all lines of standard input.
  /// - Parameters:
  ///   - pass: The worker's task.
  ///   - mostLines: The most lines to answer at once.
  ///   - answer: Returns the answers to some lines, in any order.
  ///   - end: Called after the last line.
  /// - Throws: `unanswered` if a line was not answered.
  func serve(
    _ pass: Pass, on console: Console, mostLines: Int = 512,
    answer: ([WorkerLines.Line]) async throws -> [WorkerAnswer], end: () throws -> Void = {}
  ) async throws {
    Interrupt.listen()
    let queue = AnswerQueue(spillingInto: XDGDirectories().cache)
    // Answers are written while the next lines are answered.
    let writing = DispatchQueue(label: "answers")
    if !noHello {
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("metatagWorker", Self.form)
        writer.member("version", Console.version)
        writer.member("pass", pass.rawValue)
      }
      writer.endLine()
      queue.add(writer.take())
    }
    var (lines, totals) = (WorkerLines(portion: mostLines), WorkerTotals(isDryRun: pass == .plan))
    var failure: (any Error)?
    do {
      while !queue.isClosed {
        let portion = try lines.next { Interrupt.isWished }
        guard !portion.isEmpty else { break }
        let answers = try await answer(portion)
        writing.async {
          var writer = JSONWriter()
          for answer in answers { answer.write(to: &writer) }
          queue.add(writer.take())
        }
        for answer in answers { totals.add(answer) }
        totals.report(to: console)
      }
      try end()
    } catch {
      guard !totals.areEmpty else { throw error }
      failure = error
    }
    writing.sync {}
    do throws(Errno) { try queue.finish() } catch { failure = failure ?? error }
    console.warn(totals.sentence)
    if let failure { console.warn("metatag: not every line was answered: \(failure.words)") }
    guard failure == nil, lines.isAtEnd else { throw Self.unanswered }
  }
}

/// The option of workers that change photos.
struct WorkerJournalOption: ParsableArguments {
  @Option(help: ArgumentHelp("Make a journal for this worker in this folder.", valueName: "folder"))
  var journal: PathArgument?

  /// The folder of journals; nil for the user's journal. Call this before the working folder changes.
  var journals: WorkerJournals? {
    get throws { try journal.map { try WorkerJournals(in: $0.path.located) } }
  }
}

/// Counts what a worker answered.
private struct WorkerTotals {
  private var counts: [RowOutcome: Int] = [:]
  /// The number of files that were read.
  private var read = 0
  /// Whether the outcomes are those of a dry run.
  private let isDryRun: Bool
  private var last = ContinuousClock.now

  init(isDryRun: Bool) { self.isDryRun = isDryRun }

  /// Whether no row was answered.
  var areEmpty: Bool { counts.isEmpty && read == 0 }

  mutating func add(_ answer: WorkerAnswer) {
    if let outcome = answer.outcome { counts[outcome, default: 0] += 1 } else if answer.isOfPhoto { read += 1 }
  }

  /// Prints the totals if a minute has passed since the last time.
  mutating func report(to console: Console) {
    guard last.duration(to: .now) >= .seconds(60) else { return }
    last = .now
    console.warn(sentence)
  }

  var sentence: String {
    let outcomes = RowOutcome.allCases.compactMap { outcome in
      counts[outcome].map { "\($0) \(outcome.words(isDryRun: isDryRun))" }
    }
    let parts = (read > 0 ? ["\(read) read"] : []) + outcomes
    return "metatag: \(parts.isEmpty ? "no rows" : parts.joined(separator: ", "))"
  }
}
