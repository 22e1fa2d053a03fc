import MetaTag
import SystemPackage

/// The outcome of a file.
enum RowOutcome: String, Sendable, CaseIterable {
  /// Changed; in a dry run, it would be.
  case changed
  /// Not changed; a new file was created from it.
  case created
  /// Not changed; a JPEG copy with its metadata has the change.
  case fallbackJPEG = "fallback-jpeg"
  /// Not changed; a sidecar has the change.
  case fallbackSidecar = "fallback-sidecar"
  /// Nothing to do.
  case unchanged
  /// Not changed, because the change isn't possible or not wanted.
  case skipped
  /// Could not be read or written; not changed.
  case failed
  /// The run ended before it was started.
  case notRun
}

/// One file's row in a report.
struct ReportRow: Sendable, Hashable {
  var path: FilePath
  var outcome: RowOutcome
  /// The reason why it wasn't changed, or a remark on its change; without the file's name.
  private(set) var reason: String?
  /// The reason's code, which doesn't change from one version to the next. A row with a reason has one.
  private(set) var code: String?
  /// The reason without the file's own values, by which rows are grouped.
  var heading: String?
  /// The position of the problem, in bytes from the start of the file. Only JSON and CSV have it.
  var offset: Int?
  /// The values before and after the change.
  var before: PhotoValues?
  var after: PhotoValues?
  /// The file's modification time in UTC, if that is what changes.
  var modified: Modified?
  /// The basis of the change: the fixes used, the zone assumed.
  var explanation: Explanation?
  /// Whether it has only part of the change; `reason` says what is missing.
  var isPartial = false
  /// A description that it shares with other files that change the same way.
  var common: String?
  /// Further remarks on the photo.
  var notes: [Note] = []
  /// The bytes that are replaced.
  var patch: Patch?
  /// The file that was written instead.
  var substitute: Substitute?
  /// The path of the unchanged copy, if a sidecar next to it has the change.
  var copy: FilePath?
  /// The new name, if it changes.
  var newName: String?
  /// Files that belong to this one and share its outcome.
  var companions: [Companion] = []

  /// A file's modification time before and after; nil if unknown.
  struct Modified: Sendable, Hashable {
    let before: String?
    let after: String?
  }

  /// A file that is reported with another.
  struct Companion: Sendable, Hashable {
    let path: FilePath
    let role: String
    /// Whether it is new.
    var isNew = false
    var patch: Patch?
    var newName: String?
    /// The path of its copy.
    var copy: FilePath?

    var name: String { path.lastComponent?.printable ?? path.printable }
  }

  /// A file that was written instead of another.
  struct Substitute: Sendable, Hashable {
    let path: FilePath
    /// Whether it is new; otherwise it existed and was changed.
    let isNew: Bool
    let losses: [Note]
    /// Whether the file itself is in the trash now.
    var isOriginalTrashed = false
  }

  init(_ path: FilePath, _ outcome: RowOutcome) {
    self.path = path
    self.outcome = outcome
  }

  /// Creates a row with a reason and its code.
  init(_ path: FilePath, _ outcome: RowOutcome, _ code: String, reason: String) {
    self.init(path, outcome)
    explain(code, reason)
  }

  /// Creates a row for a file that could not be read or changed. A deliberate refusal counts as skipped. A file
  /// whose change may not last is changed, but the exit status isn't 0.
  init(_ path: FilePath, _ error: FileError) {
    let outcome: RowOutcome =
      error.code == .notDurable ? .changed : error.kind == .refused ? .skipped : .failed
    self.init(path, outcome, error.reportedCode, reason: error.words)
    isPartial = error.code == .notDurable
    offset = error.offset
  }

  /// Sets the reason and its code.
  mutating func explain(_ code: String, _ reason: String) { (self.code, self.reason) = (code, reason) }

  /// Returns the row as a line: `beach.jpg: changed: nothing → 35.0116, 135.7681`, or, for a photo of several files,
  /// `beach.heic + beach.mov: changed: …`.
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
    if let copy { line += isDryRun ? "; would be copied to \(copy.printable)" : "; copied to \(copy.printable)" }
    if substitute?.isOriginalTrashed == true {
      line += isDryRun ? "; the original would be moved to the trash" : "; the original is in the trash"
    }
    if let losses = substitute?.losses, !losses.isEmpty {
      line += "; the copy is without " + losses.map(\.description).joined(separator: ", ").printable
    }
    return line
  }

  func write(to writer: inout JSONWriter, isDryRun: Bool = false, showsSplices: Bool = false) {
    writer.object { writeMembers(to: &$0, isDryRun: isDryRun, showsSplices: showsSplices) }
  }

  /// Writes the members of the row's object.
  func writeMembers(to writer: inout JSONWriter, isDryRun: Bool = false, showsSplices: Bool = false) {
    writer.member(path: path)
    writer.member("outcome", outcome.rawValue)
    if isDryRun { writer.member("dryRun", true) }
    writer.member("reason", reason)
    writer.member("code", code)
    writer.member("offset", offset)
    writer.member("newName", newName)
    for (name, values, other) in [("before", before, after), ("after", after, before)] {
      guard let values else { continue }
      writer.key(JSONKey(name))
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
    if let copy { writer.member(path: copy, as: "copy") }
    writer.member("explanation", explanation?.description)
    writer.member("explanationCode", explanation?.code.rawValue)
    if case .matched(let match, let reading)? = explanation?.ofPosition {
      writer.member(match: match, reading: reading)
    }
    if !notes.isEmpty {
      writer.key("notes")
      writer.array { writer in notes.forEach { writer.value($0.words) } }
      writer.key("noteCodes")
      writer.array { writer in notes.forEach { writer.value($0.code.rawValue) } }
    }
    if showsSplices, let patch { patch.write(to: &writer) }
    if !companions.isEmpty {
      writer.key("companions")
      writer.array { writer in companions.forEach { $0.write(to: &writer, showsSplices: showsSplices) } }
    }
  }
}

extension ReportRow.Companion {
  fileprivate func write(to writer: inout JSONWriter, showsSplices: Bool) {
    writer.object { writer in
      writer.member(path: path)
      writer.member("role", role)
      if isNew { writer.member("created", true) }
      if let copy { writer.member(path: copy, as: "copy") }
      writer.member("newName", newName)
      if showsSplices, let patch { patch.write(to: &writer) }
    }
  }
}

extension ReportRow.Substitute {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member(path: path, as: isNew ? "created" : "edited")
    if isOriginalTrashed { writer.member("originalTrashed", true) }
    guard !losses.isEmpty else { return }
    writer.key("losses")
    writer.array { writer in losses.forEach { writer.value($0.description) } }
    writer.key("lossCodes")
    writer.array { writer in losses.forEach { writer.value($0.code.rawValue) } }
  }
}

extension RowOutcome {
  func words(isDryRun: Bool) -> String {
    switch self {
    case .changed: isDryRun ? "would change" : "changed"
    case .created: isDryRun ? "would create" : "created"
    case .fallbackJPEG, .fallbackSidecar: isDryRun ? "would be \(rawValue)" : rawValue
    case .unchanged: "unchanged"
    case .skipped: "skipped"
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
  /// Writes which bytes of the old file are replaced, and by how many.
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

extension ReportRow {
  /// The columns of a report as CSV.
  static let csvTitles: [String] = {
    let head = ["path", "outcome", "reason", "offset", "newName"]
    let tail = ["written", "losses", "explanation", "notes", "companions"]
    return head + bothSides(["taken", "latitude", "longitude", "altitude", "place"]) + tail
      + bothSides(additionalTitles)
      + ["dryRun", "code", "explanationCode", "noteCodes", "lossCodes"]
  }()
  /// Columns added later come last, so that existing programs keep working.
  private static let additionalTitles: [String] = ["modified"] + PhotoField.allCases.map(\.rawValue) + ["tags"]

  private static func bothSides(_ titles: [String]) -> [String] {
    ["before", "after"].flatMap { side in titles.map { "\(side).\($0)" } }
  }

  /// Writes one row. Several values of a field are separated by semicolons.
  func write(to writer: inout CSVWriter, isDryRun: Bool = false) {
    writer.field(path: path)
    let head: [String?] = [outcome.rawValue, reason, offset?.description, newName]
    for field in head + ReportRow.fields(before) + ReportRow.fields(after) { writer.field(field) }
    if let substitute { writer.field(path: substitute.path) } else { writer.field(nil) }
    let tail: [String?] = [
      ReportRow.list(substitute?.losses.map(\.description) ?? []), explanation?.description,
      ReportRow.list(notes.map(\.words)),
      ReportRow.list(companions.map { $0.path.string }),
    ]
    let additional =
      fields(before, against: after, modified?.before) + fields(after, against: before, modified?.after)
    let codes = [
      code, explanation?.code.rawValue, ReportRow.list(notes.map(\.code.rawValue)),
      ReportRow.list(substitute?.losses.map(\.code.rawValue) ?? []),
    ]
    for field in tail + additional + [isDryRun.description] + codes { writer.field(field) }
    writer.endRow()
  }

  private static func fields(_ values: PhotoValues?) -> [String?] {
    let location = values?.location
    return [
      values?.taken, location?.coordinate.latitude.description,
      location?.coordinate.longitude.description, location?.altitude?.description, values?.names?.description,
    ]
  }

  /// Returns the changed title, author, camera fields and tags, as JSON.
  private func fields(_ values: PhotoValues?, against other: PhotoValues?, _ modified: String?) -> [String?] {
    let fields = PhotoField.allCases.map { values?.changed($0, against: other ?? values) }
    return [modified] + fields + [ReportRow.list(values?.tagWords(against: other ?? values) ?? [])]
  }

  private static func list(_ texts: [String]) -> String? { texts.isEmpty ? nil : texts.joined(separator: "; ") }
}
