import ArgumentParser
import MetaTag
import SystemPackage

/// Counts of files by outcome.
struct Totals: Sendable, Hashable {
  private var counts: [RowOutcome: Int] = [:]
  private var reasons: [Reason: Int] = [:]
  /// Counts of changed files by what they have in common.
  private var changes: [String: Int] = [:]
  /// Notes on changed files, without file names: how many files each concerns, and its text for the first.
  private var notes: [String: Notice] = [:]

  /// The number of changed or substituted files that have only part of the change.
  private var partial = 0
  /// The number of files that are reported with another.
  private(set) var companions = 0
  /// The files that were left out in folders.
  var leftOut = Walk.LeftOut()

  private struct Notice: Hashable, Sendable {
    static let mostNames = 5
    let first: String
    var count = 0
    /// The names of its files, if there are only a few.
    var names: [String] = []

    mutating func add(_ path: FilePath) {
      count += 1
      if count <= Self.mostNames { names.append(path.lastComponent?.printable ?? path.printable) }
    }

    /// The files it concerns, in words, in a run of several.
    var files: String {
      count > Self.mostNames ? " ('--jsonl' lists them)" : " (\(names.joined(separator: ", ")))"
    }
  }

  private struct Reason: Hashable, Sendable {
    let outcome: RowOutcome
    let sentence: String
  }

  subscript(outcome: RowOutcome) -> Int { counts[outcome, default: 0] }

  /// The number of files in the run.
  var files: Int { counts.values.reduce(0, +) }

  mutating func add(_ row: ReportRow) {
    counts[row.outcome, default: 0] += 1
    companions += row.companions.count
    if row.isPartial { partial += 1 }
    if row.outcome == .changed, let common = row.common { changes[common, default: 0] += 1 }
    for note in row.outcome == .changed ? row.notes : [] {
      notes[note.summary, default: Notice(first: note.words)].add(row.path)
    }
    guard row.outcome != .changed, let sentence = row.heading ?? row.reason else { return }
    reasons[Reason(outcome: row.outcome, sentence: sentence), default: 0] += 1
  }

  /// The number of files for which another was written.
  var substituted: Int { self[.fallbackJPEG] + self[.fallbackSidecar] }

  /// Returns 0 if every file has its change or (unless `isStrict`) a substitute by `--fallback`; 1 if some were
  /// skipped, changed in part, or failed; 130 if the run was interrupted.
  func exitCode(isInterrupted: Bool, isStrict: Bool = false) -> ExitCode {
    if isInterrupted { return ExitCode(130) }
    let done = self[.changed] + self[.created] + self[.unchanged] + (isStrict ? 0 : substituted)
    return files == done && partial == 0 ? .success : .failure
  }

  /// Returns the summary: `412 files: 400 changed, 12 skipped`, then each reason and each note that several files
  /// share, the most frequent first. With `sumsUp`, also the count of each change.
  func lines(isDryRun: Bool, sumsUp: Bool = false) -> [String] {
    let parts = RowOutcome.allCases.filter { self[$0] > 0 }.map { "\(self[$0]) \($0.words(isDryRun: isDryRun))" }
    var head = files == 1 ? "1 file" : "\(files) files"
    if companions > 0 {
      let pronoun = files == 1 ? "it" : "them"
      head += " and \(companions) that \(companions == 1 ? "belongs" : "belong") to \(pronoun)"
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

  /// Writes the count of every outcome, also 0: `{"files": 412, "changed": 400, …}`.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("files", files)
      if companions > 0 { writer.member("companions", companions) }
      for outcome in RowOutcome.allCases { writer.member(JSONKey(outcome.rawValue), self[outcome]) }
      leftOut.write(to: &writer)
    }
  }
}

extension Walk.LeftOut {
  /// A sentence such as `1 special file and 2 photos without an extension were left out. …`; nil if there are none.
  var sentence: String? {
    let parts = [
      (symbolicLinks, "symbolic link", "symbolic links"), (specialFiles, "special file", "special files"),
      (photosWithoutExtension, "photo without an extension", "photos without an extension"),
      (sidecarsWithoutPhoto, "sidecar without a photo", "sidecars without a photo"),
    ].filter { $0.0 > 0 }
    guard let last = parts.last else { return nil }
    let words = parts.map { $0.0.pluralized($0.1, $0.2) }
    let list = ([words.dropLast().joined(separator: ", ")].filter { !$0.isEmpty } + [words[words.count - 1]])
      .joined(separator: " and ")
    let isOne = parts.count == 1 && last.0 == 1
    let them = isOne ? "it" : "them"
    var sentence = "\(list) \(isOne ? "was" : "were") left out in folders."
    if symbolicLinks + photosWithoutExtension + sidecarsWithoutPhoto > 0 { sentence += " Name \(them) to use \(them)." }
    if photosWithoutExtension == 1 { sentence += " 'metatag fix-extension' gives the photo its extension." }
    if photosWithoutExtension > 1 { sentence += " 'metatag fix-extension' gives the photos their extensions." }
    return sentence
  }

  /// Writes the counts that aren't 0.
  func write(to writer: inout JSONWriter) {
    for (key, count) in [
      ("symbolicLinks", symbolicLinks), ("specialFiles", specialFiles),
      ("photosWithoutExtension", photosWithoutExtension), ("sidecarsWithoutPhoto", sidecarsWithoutPhoto),
    ] where count > 0 { writer.member(JSONKey(key), count) }
  }
}
