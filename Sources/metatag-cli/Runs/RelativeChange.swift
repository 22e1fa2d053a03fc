import ArgumentParser
import MetaTag
import SystemPackage

/// A change that starts from what photos record: made twice, it moves them twice.
struct RelativeChange {
  /// How a run that was ended before its time is brought to its end.
  enum Resumption {
    /// By `--retry-failed`.
    case retry
    /// By the whole command once more: what it gives a photo depends on all of them.
    case repetition
    /// Not at all.
    case none
  }

  /// The option that makes it one; nil where the command always is.
  var option: String?
  var resumption = Resumption.retry

  /// Whether a command line, whose first words are `path`, makes such a change.
  fileprivate func isMade(by line: [String], _ path: [String]) -> Bool {
    let words = line.prefix { $0 != "--" }
    return words.starts(with: path) && (option.map(words.contains) ?? true)
  }
}

/// Runs of one command that belong together, one of which was ended before its time, and the photos they changed.
private struct UnfinishedRuns {
  /// Those with changes that stand, newest first.
  var runs: [RunSummary] = []
  var photos: Set<FilePath> = []
  /// The run that `--retry-failed` takes; nil where none has noted what it left.
  var resumable: RunID?
  let newest: RunSummary
}

extension PhotoPlanning {
  var relativeChange: RelativeChange? { nil }

  /// Refuses to move photos once more that a run of the same command has moved which was never brought to its end.
  func demandNoneMovedTwice(among shots: [Shot], telling console: Console) throws {
    guard let change = relativeChange, let path = CommandWords.path(in: Argv.typed, of: Self.self) else {
      guard edit.despiteRun.isEmpty else {
        console.complain("Error: --despite-run is only for commands that move dates from what photos record.")
        throw ExitCode.validationFailure
      }
      return
    }
    let unfinished = try Journal.unfinished(change, path, telling: console)
    var overridden: Set<RunID> = []
    for (found, chain) in try unfinished(shots) {
      if let retried = Argv.typed.retriedRun, chain.contains(retried) { continue }
      let named = chain.intersection(edit.despiteRun.map { RunID(Int64($0)) })
      overridden.formUnion(named)
      guard named.isEmpty else { continue }
      throw StartError(refusal(of: change, found, shots.count))
    }
    if let wrong = edit.despiteRun.first(where: { !overridden.contains(RunID(Int64($0))) }) {
      console.complain(
        "Error: --despite-run \(wrong): there is no such unfinished run of this command over these photos.")
      throw ExitCode.validationFailure
    }
  }

  private func refusal(of change: RelativeChange, _ found: UnfinishedRuns, _ count: Int) -> String {
    let runs = found.runs.map { "\($0.id)" }.reversed().joined(separator: ", ")
    let undo = found.runs.map { "metatag undo \($0.id)" }.joined(separator: " && ")
    var lines = [
      "run \(runs) did not reach its end and has changed \(found.photos.count) of these \(count.things("photo")) already; "
        + "another run would change them twice. Nothing was changed.",
      "  \(found.newest.words.shortened(to: 200))",
    ]
    if let resume = resume(change, found) { lines.append("  Resume it: \(resume)") }
    lines.append("  Undo it:   \(undo)")
    lines.append("  To change them all the same: --despite-run \(found.newest.id)")
    return lines.joined(separator: "\n")
  }

  private func resume(_ change: RelativeChange, _ found: UnfinishedRuns) -> String? {
    switch change.resumption {
    case .none: nil
    case .repetition: (found.newest.arguments.withoutRuns + ["--despite-run", "\(found.newest.id)"]).inShell
    case .retry:
      CommandWords(found.newest.arguments, of: Self.self).map { words in
        words.retrying(
          found.resumable ?? found.newest.id, naming: found.resumable == nil ? Argv.typed.namedFiles(of: Self.self) : []
        )
      }
    }
  }
}

extension Journal {
  /// Looks for unfinished runs of the command `path` that have changed photos; each with all runs of its chain.
  fileprivate static func unfinished(
    _ change: RelativeChange, _ path: [String], telling console: Console
  ) throws -> ([Shot]) throws -> [(UnfinishedRuns, chain: Set<RunID>)] {
    guard let journal = try Journal.settled(telling: console) else { return { _ in [] } }
    let unfinished = try journal.unfinishedRuns()
    guard !unfinished.isEmpty else { return { _ in [] } }
    let runs = try journal.runs(limit: .max).filter {
      $0.state != .running && change.isMade(by: $0.arguments, path)
    }
    return { shots in
      let files = Set(shots.flatMap { [$0.input.path] + $0.companions.map(\.path) }.compactMap(\.resolved))
      return try runs.chains(repetitionContinues: change.resumption == .repetition).compactMap { chain in
        // What was taken back whole has done nothing.
        let standing = chain.filter { $0.changed + $0.created > 0 || $0.undone == 0 }
        guard let newest = standing.first, unfinished.contains(newest.id) else { return nil }
        var found = UnfinishedRuns(newest: newest)
        for run in standing {
          let changed = try journal.files(among: files, changedBy: run.id)
          if !changed.isEmpty { found.runs.append(run) }
          found.photos.formUnion(changed)
          if found.resumable == nil, try journal.unfinished(of: run.id) != nil { found.resumable = run.id }
        }
        return found.photos.isEmpty ? nil : (found, Set(chain.map(\.id)))
      }
    }
  }
}

extension [RunSummary] {
  /// Runs that retried one another, newest first; all of them newest first.
  fileprivate func chains(repetitionContinues: Bool) -> [[RunSummary]] {
    var first: [RunID: RunID] = [:]
    for run in reversed() {
      let before = run.retried ?? (repetitionContinues ? run.arguments.despiteRun : nil)
      first[run.id] = before.map { first[$0] ?? $0 } ?? run.id
    }
    return Dictionary(grouping: self) { first[$0.id] ?? $0.id }.values.sorted { $0[0].id > $1[0].id }
  }
}

extension [String] {
  /// The run that this command line retries.
  var retriedRun: RunID? { RunID(retriedBy: self) }

  /// The run that it is carried out despite of.
  fileprivate var despiteRun: RunID? { RunID(in: self, behind: "--despite-run") }

  /// The same without what names a run.
  var withoutRuns: [String] {
    var (words, rest) = (Self(), self[...])
    while let word = rest.popFirst() {
      if ["--despite-run", "--retry-failed"].contains(word) {
        rest = rest.dropFirst()
      } else if !word.hasPrefix("--despite-run="), !word.hasPrefix("--retry-failed=") {
        words.append(word)
      }
    }
    return words
  }

  /// The files that it names, and the options that do.
  fileprivate func namedFiles(of command: any ParsableCommand.Type) -> [String] {
    guard let words = CommandWords(self, of: command) else { return [] }
    return words.choice + (words.files.contains { $0.hasPrefix("-") } ? ["--"] : []) + words.files
  }
}
