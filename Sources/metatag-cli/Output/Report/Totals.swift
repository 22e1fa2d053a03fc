import ArgumentParser
import MetaTag
import SystemPackage

/// How many files had which outcome; the parts add up to the whole.
struct Totals: Sendable, Hashable {
  private var counts: [RowOutcome: Int] = [:]
  private var reasons: [Reason: Int] = [:]
  /// What changed files have in common, and how many.
  private var changes: [String: Int] = [:]
  /// What to know of files that were changed, without their names: of how many, and how it is said of the first.
  private var notes: [String: Notice] = [:]

  /// Changed files, or substituted ones, that have only part of what was asked for.
  private var partial = 0
  /// Files that are reported with another.
  private(set) var companions = 0
  /// What was left out in folders.
  var leftOut = Walk.LeftOut()

  private struct Notice: Hashable, Sendable {
    static let mostNames = 5
    let first: String
    var count = 0
    /// Names of its files; where there are more, none is said.
    var names: [String] = []

    mutating func add(_ path: FilePath) {
      count += 1
      if count <= Self.mostNames { names.append(path.lastComponent?.printable ?? path.printable) }
    }

    /// Which files it is about, in a run of several.
    var files: String {
      count > Self.mostNames ? " ('--jsonl' names them)" : " (\(names.joined(separator: ", ")))"
    }
  }

  private struct Reason: Hashable, Sendable {
    let outcome: RowOutcome
    let sentence: String
  }

  subscript(outcome: RowOutcome) -> Int { counts[outcome, default: 0] }

  /// Every file of the run.
  var files: Int { counts.values.reduce(0, +) }

  mutating func add(_ row: ReportRow) {
    counts[row.outcome, default: 0] += 1
    companions += row.companions.count
    if row.isPartial { partial += 1 }
    if row.outcome == .changed, let common = row.common { changes[common, default: 0] += 1 }
    for note in row.outcome == .changed ? row.notes : [] {
      notes[row.heading(of: note), default: Notice(first: note)].add(row.path)
    }
    guard row.outcome != .changed, let sentence = row.heading ?? row.reason else { return }
    reasons[Reason(outcome: row.outcome, sentence: sentence), default: 0] += 1
  }

  /// Files for which something else was written.
  var substituted: Int { self[.fallbackJPEG] + self[.fallbackSidecar] }

  /// 0: every file has what was asked for, or (unless `isStrict`) what `--fallback` wrote beside it has. 1: some were
  /// left, in part or whole, or failed. 130: interrupted, as after a signal.
  func exitCode(isInterrupted: Bool, isStrict: Bool = false) -> ExitCode {
    if isInterrupted { return ExitCode(130) }
    let done = self[.changed] + self[.created] + self[.unchanged] + (isStrict ? 0 : substituted)
    return files == done && partial == 0 ? .success : .failure
  }

  /// `412 files: 400 changed, 12 left alone`, then each reason that several files share, and what to know of changed
  /// files, the most frequent first.
  ///
  /// With `sumsUp`, also how many files have which change.
  func lines(isDryRun: Bool, sumsUp: Bool = false) -> [String] {
    let parts = RowOutcome.allCases.filter { self[$0] > 0 }.map { "\(self[$0]) \($0.words(isDryRun: isDryRun))" }
    var head = files == 1 ? "1 file" : "\(files) files"
    if companions > 0 {
      let lead = files == 1 ? "it" : "them"
      head += " and \(companions) that \(companions == 1 ? "belongs" : "belong") to \(lead)"
    }
    let groups = reasons.filter { $0.value > 1 }
      .sorted { ($1.value, $0.key.sentence) < ($0.value, $1.key.sentence) }
      .map { "  \($0.value) \($0.key.outcome.words(isDryRun: isDryRun)): \($0.key.sentence.printable)" }
    let notes = notes.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
      .map { heading, note in
        let sentence = (note.count == 1 ? note.first : heading).printable
        return "  note on \(note.count) changed\(files == 1 ? "" : note.files): \(sentence)"
      }
    let alike = changes.filter { sumsUp && $0.value > 1 }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "  \($0.value) \(RowOutcome.changed.words(isDryRun: isDryRun)): \($0.key.printable)" }
    return [parts.isEmpty ? head : head + ": " + parts.joined(separator: ", ")] + alike + groups + notes
      + (leftOut.sentence.map { [$0] } ?? [])
  }

  /// `{"files": 412, "changed": 400, …}`, every outcome, zeros too.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("files", files)
      if companions > 0 { writer.member("companions", companions) }
      for outcome in RowOutcome.allCases { writer.member(outcome.rawValue, self[outcome]) }
      leftOut.write(to: &writer)
    }
  }
}
