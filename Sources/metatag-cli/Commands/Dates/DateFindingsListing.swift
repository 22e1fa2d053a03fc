import ArgumentParser
import MetaTag
import SystemPackage

/// Prints the output of `metatag date check`, in the order of the inputs. Text lists only photos with findings.
struct DateFindingsListing {
  enum Format: Sendable { case text, json, jsonLines }

  private let format: Format
  private let console: Console
  private var writer: JSONWriter
  private var files = 0
  private var failures = 0
  private var doubtful = 0
  private var counts: [DateFinding.Kind: Int] = [:]

  private var clocks: ProvenClocks

  init(_ format: Format, on console: Console, correcting command: DateFixCommand) {
    (self.format, self.console) = (format, console)
    clocks = ProvenClocks(command)
    writer = JSONWriter(format == .jsonLines ? .oneLine : .pretty)
    guard format == .json else { return }
    writer.open("{")
    writer.key("rows")
    writer.open("[")
  }

  mutating func add(_ path: FilePath, _ result: Result<PhotoDates, FileError>) {
    files += 1
    switch result {
    case .success(let dates):
      let findings = dates.findings
      clocks.take(dates.metadata, dates.facts)
      if !findings.isEmpty { doubtful += 1 }
      for finding in findings { counts[finding.kind, default: 0] += 1 }
      if format == .text {
        let lines = findings.map(\.description) + dates.notCompared.map { "not compared: \($0)" }
        if !lines.isEmpty { console.print("\(path.printable):") }
        for line in lines { console.print("  \(line.printable)") }
      } else {
        writer.object { writer in
          writer.member(path: path)
          writer.key("findings")
          writer.array { writer in findings.forEach { $0.write(to: &writer) } }
          guard !dates.notCompared.isEmpty else { return }
          writer.key("notCompared")
          writer.array { writer in dates.notCompared.forEach { writer.value($0) } }
        }
        emit()
      }
    case .failure(let error):
      failures += 1
      let row = ReportRow(path, error)
      if format == .text { return console.warn(row.line()) }
      row.write(to: &writer)
      emit()
    }
  }

  /// Prints the totals, including `notRun` photos that weren't reached, and returns the exit status.
  mutating func finish(notRun: Int) throws(Errno) -> ExitCode {
    let leftOut = console.takeLeftOut()
    switch format {
    case .text:
      console.print(total(notRun))
      if let sentence = leftOut.sentence { console.print(sentence) }
      clocks.lines.forEach { console.print($0) }
    case .jsonLines: if let sentence = leftOut.sentence { console.warn(sentence) }
    case .json:
      writer.close("]")
      writer.key("totals")
      writer.object { writer in
        writer.member("files", files + notRun)
        writer.member("agree", files - doubtful - failures)
        writer.member("disagree", doubtful)
        writer.member("failed", failures)
        writer.member("notRun", notRun)
        for kind in DateFinding.Kind.allCases { writer.member(JSONKey(kind.rawValue), counts[kind, default: 0]) }
        leftOut.write(to: &writer)
      }
      clocks.write(to: &writer)
      writer.close("}")
      writer.endLine()
      console.write(writer.take())
    }
    try console.finish()
    return doubtful == 0 && failures == 0 ? .success : .failure
  }

  private mutating func emit() {
    if format == .jsonLines { writer.endLine() }
    console.write(writer.take())
  }

  /// `412 files: 400 agree, 11 disagree (8 offset, 3 file-name), 1 failed`.
  private func total(_ notRun: Int) -> String {
    let kinds = DateFinding.Kind.allCases.compactMap { kind in counts[kind].map { "\($0) \(kind.rawValue)" } }
    let agreeing = self.files - doubtful - failures
    let parts = [
      (agreeing, agreeing == 1 ? "agrees" : "agree", ""),
      (doubtful, doubtful == 1 ? "disagrees" : "disagree", " (\(kinds.joined(separator: ", ")))"),
      (failures, "failed", ""), (notRun, "not done", ""),
    ]
    let files = self.files + notRun
    return files.pluralized("file")
      + parts.filter { $0.0 > 0 }.enumerated().map { ($0 == 0 ? ": " : ", ") + "\($1.0) \($1.1)\($1.2)" }.joined()
  }
}

extension DateFinding {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("kind", kind.rawValue)
      statement.write(to: &writer)
      writer.member("seconds", seconds.map { Int($0) })
      guard let believed else { return }
      writer.key("believed")
      writer.object { believed.write(to: &$0) }
    }
  }
}

extension DateFinding.Statement {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("value", value)
    writer.member("source", source)
    writer.member("tag", tag)
  }
}
