import ArgumentParser
import MetaTag
import SystemPackage

/// A change relative to what photos record: making it twice moves them twice.
struct RelativeChange {
  /// How to complete a run that was interrupted.
  enum Resumption {
    /// With `--retry-failed`.
    case retry
    /// By running the whole command again: the change to each photo depends on all of them.
    case repetition
    /// By running the whole command again; it learns from all photos and skips those that are done.
    case continuation
    /// It can't be completed.
    case none
  }

  /// The option that makes the change relative; nil if the command always is.
  var option: String?
  var resumption = Resumption.retry

  /// Whether a command line that starts with the words `path` makes such a change.
  fileprivate func isMade(by line: [String], _ path: [String]) -> Bool {
    let words = line.prefix { $0 != "--" }
    return words.starts(with: path) && (option.map(words.contains) ?? true)
  }
}

/// The photos changed by runs of one command that belong together, one of which was interrupted.
private struct UnfinishedRuns {
  /// The runs whose changes weren't undone, newest first.
  var runs: [RunSummary] = []
  var photos: Set<FilePath> = []
  /// The run that `--retry-failed` can resume; nil if none recorded what was left.
  var resumable: RunID?
  let newest: RunSummary
}

extension PhotoPlanning {
  var relativeChange: RelativeChange? { nil }

  var considersFinishedRuns: Bool { false }

  /// Returns the photos that no unfinished run of the same command has moved.
  /// - Throws: An error if an unfinished run moved some of them, unless the user names that run.
  func notMovedBefore(among photos: [Photo], console: Console) throws -> [Photo] {
    let done = try earlierChanges(among: photos, console: console)
    guard !done.isEmpty else { return photos }
    let left = photos.filter { !done.has($0.input.path) }
    console.warn("\((photos.count - left.count).pluralized("photo was", "photos were")) done before.")
    return left
  }

  /// Returns the photos already done by the runs that this command line completes.
  /// - Throws: An error if an unfinished run moved some photos and isn't named.
  func earlierChanges(among photos: [Photo], console: Console) throws -> EarlierChanges {
    var (done, known) = (EarlierChanges(), Set<RunID>())
    let despite = Set(edit.despiteRun.map { RunID(Int64($0)) })
    if let change = relativeChange, let path = CommandWords.path(in: Argv.typed, of: Self.self) {
      let unfinished = try Journal.unfinished(change, path, console: console)
      for (found, chain) in try unfinished(photos) {
        if let retried = Argv.typed.retriedRun, chain.contains(retried) { continue }
        known.formUnion(chain)
        guard !chain.isDisjoint(with: despite) else { throw SetupError(refusal(of: change, found, photos.count)) }
        if change.resumption == .continuation { try done.add(found.photos, of: chain, among: photos) }
      }
    } else if !despite.isEmpty, !considersFinishedRuns {
      console.warn("Error: --despite-run is only for commands that move dates from what photos record.")
      throw ExitCode.validationFailure
    }
    guard !despite.isSubset(of: known) else { return done }
    let finished = considersFinishedRuns ? try Journal.ifAny()?.runs(limit: .max).filter(\.mayMoveDates).map(\.id) : nil
    known.formUnion(finished ?? [])
    if let wrong = edit.despiteRun.first(where: { !known.contains(RunID(Int64($0))) }) {
      let kind = considersFinishedRuns ? "run that moved dates" : "unfinished run of this command over these photos"
      console.warn("Error: --despite-run \(wrong): there is no such \(kind).")
      throw ExitCode.validationFailure
    }
    return done
  }

  private func refusal(of change: RelativeChange, _ found: UnfinishedRuns, _ count: Int) -> String {
    let runs = found.runs.map { "\($0.id)" }.reversed().joined(separator: ", ")
    let undo = found.runs.map { "metatag undo \($0.id)" }.joined(separator: " && ")
    var lines = [
      "run \(runs) is unfinished and has changed \(found.photos.count) of these \(count.pluralized("photo")) already; "
        + "another run would change them twice. Nothing was changed.",
      "  \(found.newest.words.shortened(to: 200))",
    ]
    if let resume = resume(change, found) { lines.append("  Resume it: \(resume)") }
    lines.append("  Undo it:   \(undo)")
    if change.resumption != .continuation, Argv.standIn == nil {
      lines.append("  To change them anyway: --despite-run \(found.newest.id)")
    }
    return lines.joined(separator: "\n")
  }

  private func resume(_ change: RelativeChange, _ found: UnfinishedRuns) -> String? {
    switch change.resumption {
    case .none: nil
    case .repetition: (found.newest.arguments.withoutRuns + ["--despite-run", "\(found.newest.id)"]).inShell
    case .continuation: found.newest.arguments.continuing(found.newest.id).inShell
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
  /// Finds unfinished runs of the command `path` that changed photos, each with all runs of its chain.
  fileprivate static func unfinished(
    _ change: RelativeChange, _ path: [String], console: Console
  ) throws -> ([Photo]) throws -> [(UnfinishedRuns, chain: Set<RunID>)] {
    guard let journal = try Journal.settled(console: console) else { return { _ in [] } }
    let unfinished = try journal.unfinishedRuns()
    guard !unfinished.isEmpty else { return { _ in [] } }
    let runs = try journal.runs(limit: .max).filter {
      $0.state != .running && change.isMade(by: $0.arguments, path)
    }
    return { photos in
      let files = Set(photos.flatMap { [$0.input.path] + $0.companions.map(\.path) }.compactMap(\.resolved))
      return try runs.chains(repetitionContinues: [.repetition, .continuation].contains(change.resumption)).compactMap {
        chain in
        // A run that was undone completely counts as nothing.
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
  /// Returns the runs that retried one another; chains and runs are sorted newest first.
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

  /// The run in `--despite-run`.
  fileprivate var despiteRun: RunID? { RunID(in: self, behind: "--despite-run") }

  /// Returns the command that completes `run`.
  func continuing(_ run: RunID) -> [String] { self + ["--despite-run", "\(run)"] }

  /// The words without the options that name a run.
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

  /// Returns the files that it names, and the options that select files.
  fileprivate func namedFiles(of command: any ParsableCommand.Type) -> [String] {
    guard let words = CommandWords(self, of: command) else { return [] }
    return words.choice + (words.files.contains { $0.hasPrefix("-") } ? ["--"] : []) + words.files
  }
}

extension ResumeCommands {
  /// Creates the commands for a run of `command`.
  /// - Parameter resumption: How a relative change is resumed.
  init(onFrom run: RunID, of command: any ParsableCommand.Type, _ resumption: RelativeChange.Resumption? = nil) {
    self.init(undo: "metatag undo \(run)") {
      switch resumption ?? .retry {
      case .none: nil
      case .repetition: (Argv.typed.withoutRuns + ["--despite-run", "\(run)"]).inShell
      case .continuation: Argv.typed.continuing(run).inShell
      case .retry where Argv.typed.contains { $0 == "--copy-to" || $0.hasPrefix("--copy-to=") }:
        // The copies keep their place below the folders, which must be named again.
        (Argv.typed.withoutRuns + ["--retry-failed", "\(run)"]).inShell
      case .retry:
        // A plan itself records which files are done.
        CommandWords(Argv.typed, of: command).map { $0.canRetry ? $0.retrying(run) : Argv.typed.inShell }
      }
    }
  }
}
