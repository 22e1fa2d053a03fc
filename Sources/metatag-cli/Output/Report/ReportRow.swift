import MetaTag
import SystemPackage

/// What became of a file.
enum RowOutcome: String, Sendable, CaseIterable {
  /// It has what was asked for now; in a dry run, it would have.
  case changed
  /// It is as it was; what was asked for was made of it.
  case created
  /// It is as it was; a JPEG beside it has its metadata and what was asked for.
  case fallbackJPEG = "fallback-jpeg"
  /// It is as it was; a sidecar beside it says what was asked for.
  case fallbackSidecar = "fallback-sidecar"
  /// It had what was asked for already.
  case unchanged
  /// It could not get what was asked for, and was left as it is.
  case skipped
  /// It could not be read or written, and is as it was.
  case failed
  /// The run ended before its turn.
  case notRun
}

/// One file's line in a report.
struct ReportRow: Sendable, Hashable {
  var path: FilePath
  var outcome: RowOutcome
  /// Why it is not `changed`, or what to know although it is; without the file's name.
  var reason: String?
  /// The reason without the file's own values, under which rows are counted together.
  var heading: String?
  /// Where in the file the trouble is, in bytes from its start.
  var offset: Int?
  /// What the photo recorded, and records now.
  var before: PhotoValues?
  var after: PhotoValues?
  /// The file's own time of last change, in UTC, where that is what changes.
  var modified: Modified?
  /// What the change rests on: the fix that was used, the zone that was assumed.
  var explanation: Explanation?
  /// It has only part of what was asked for; `reason` says what it lacks.
  var isPartial = false
  /// What it has in common with others that are changed alike, in words.
  var common: String?
  /// What a reader should know of the photo besides.
  var notes: [String] = []
  /// The bytes that are replaced.
  var patch: Patch?
  /// What was written instead.
  var substitute: Substitute?
  /// Its name from now on, when that changes.
  var newName: String?
  /// Files that belong to this one and fare as it does.
  var companions: [Companion] = []

  /// A file's time of last change; nil where it isn't known.
  struct Modified: Sendable, Hashable {
    let before: String?
    let after: String?
  }

  /// A file that is reported with another.
  struct Companion: Sendable, Hashable {
    let path: FilePath
    let role: String
    /// It wasn't there before.
    var isNew = false
    var patch: Patch?
    var newName: String?

    var name: String { path.lastComponent?.printable ?? path.printable }
  }

  /// A file that was written instead of another.
  struct Substitute: Sendable, Hashable {
    let path: FilePath
    /// Else it was there, and is changed.
    let isNew: Bool
    let losses: [String]
  }

  init(_ path: FilePath, _ outcome: RowOutcome, reason: String? = nil) {
    self.path = path
    self.outcome = outcome
    self.reason = reason
  }

  /// A file that could not be read or changed; one that was refused on purpose is skipped.
  init(_ path: FilePath, _ error: FileError) {
    self.init(path, error.kind == .refused ? .skipped : .failed, reason: error.sentence)
    offset = error.offset
  }

  /// A note without the file's own name, under which rows are counted together: `….MP4, which has its name, …`.
  func heading(of note: String) -> String {
    guard let stem = path.stem, !stem.isEmpty else { return note }
    var heading = ""
    var rest = note[...]
    while let found = rest.firstRange(of: stem + ".") {
      let isName =
        rest[..<found.lowerBound].last.map { !$0.isLetter && !$0.isNumber } ?? true
        && rest[found.upperBound...].first.map { $0.isLetter || $0.isNumber } ?? false
      heading += rest[..<found.lowerBound] + (isName ? "…." : rest[found])
      rest = rest[found.upperBound...]
    }
    return heading + rest
  }

  /// `beach.jpg: changed: nothing → 35.0116, 135.7681`; a photo of several files, `beach.heic + beach.mov: changed: …`.
  func line(isDryRun: Bool = false, paint: (String, Console.Colour?) -> String = { text, _ in text }) -> String {
    let names = [path.printable] + companions.map(\.name)
    var line = names.joined(separator: " + ") + ": " + paint(outcome.words(isDryRun: isDryRun), outcome.colour)
    if let substitute { line += ": \(substitute.path.printable)" }
    if outcome == .changed || substitute != nil, let before, let after, before != after {
      line += ": \((before.text(against: after) ?? "nothing").printable)"
      line += " → \((after.text(against: before) ?? "nothing").printable)"
    }
    let renamed = [newName].compactMap(\.self) + companions.compactMap(\.newName)
    if !renamed.isEmpty { line += "; \(isDryRun ? "would be named" : "is named") \(renamed.joined(separator: ", "))" }
    if let modified { line += ": its file's time: \(modified.before ?? "unknown") → \(modified.after ?? "unknown")" }
    if let reason { line += ": " + reason.printable }
    if let offset { line += " (offset \(offset))" }
    if let losses = substitute?.losses, !losses.isEmpty {
      line += "; the copy is without " + losses.joined(separator: ", ").printable
    }
    return line
  }

  func write(to writer: inout JSONWriter, isDryRun: Bool = false, showsSplices: Bool = false) {
    writer.object { writer in
      writer.member(path: path)
      writer.member("outcome", outcome.rawValue)
      if isDryRun { writer.member("dryRun", true) }
      writer.member("reason", reason)
      writer.member("offset", offset)
      writer.member("newName", newName)
      for (name, values, other) in [("before", before, after), ("after", after, before)] {
        guard let values else { continue }
        writer.key(name)
        values.write(to: &writer, against: other ?? values)
      }
      if let modified {
        writer.key("modified")
        writer.object { writer in
          writer.member("before", modified.before)
          writer.member("after", modified.after)
        }
      }
      if let substitute { substitute.write(to: &writer) }
      writer.member("explanation", explanation?.description)
      if case .matched(let match, let reading)? = explanation?.ofPosition {
        writer.member(match: match, reading: reading)
      }
      if !notes.isEmpty {
        writer.key("notes")
        writer.array { writer in notes.forEach { writer.value($0) } }
      }
      if showsSplices, let patch { patch.write(to: &writer) }
      if !companions.isEmpty {
        writer.key("companions")
        writer.array { writer in companions.forEach { $0.write(to: &writer, showsSplices: showsSplices) } }
      }
    }
  }
}

extension ReportRow.Companion {
  fileprivate func write(to writer: inout JSONWriter, showsSplices: Bool) {
    writer.object { writer in
      writer.member(path: path)
      writer.member("role", role)
      if isNew { writer.member("created", true) }
      writer.member("newName", newName)
      if showsSplices, let patch { patch.write(to: &writer) }
    }
  }
}

extension ReportRow.Substitute {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member(path: path, as: isNew ? "created" : "edited")
    guard !losses.isEmpty else { return }
    writer.key("losses")
    writer.array { writer in losses.forEach { writer.value($0) } }
  }
}

extension RowOutcome {
  func words(isDryRun: Bool) -> String {
    switch self {
    case .changed: isDryRun ? "would change" : "changed"
    case .created: isDryRun ? "would create" : "created"
    case .fallbackJPEG, .fallbackSidecar: isDryRun ? "would be \(rawValue)" : rawValue
    case .unchanged: "unchanged"
    case .skipped: "left alone"
    case .failed: "failed"
    case .notRun: "not done"
    }
  }

  fileprivate var colour: Console.Colour? {
    switch self {
    case .changed, .created: .green
    case .unchanged: .dim
    case .fallbackJPEG, .fallbackSidecar, .skipped, .notRun: .yellow
    case .failed: .red
    }
  }
}

extension Patch {
  /// Which bytes of the old file become how many new ones.
  fileprivate func write(to writer: inout JSONWriter) {
    writer.key("splices")
    writer.array { writer in
      for splice in splices {
        writer.object { writer in
          writer.member("offset", splice.range.lowerBound)
          writer.member("removed", splice.range.count)
          writer.member("inserted", splice.bytes.count)
        }
      }
    }
  }
}
