import ArgumentParser

/// Options for the report.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Report as one JSON document.")
  var json = false

  @Flag(help: "Report as JSON Lines: one object per line, as results arrive.")
  var jsonl = false

  @Flag(help: "Report as CSV (RFC 4180), one row per file.")
  var csv = false

  @Flag(help: "With --json or --jsonl, list which bytes of each file are replaced.")
  var splices = false

  @Flag(help: "Print counts instead of one line per file, except for skipped and failed files.")
  var summary = false

  @Flag(name: [.customShort("q"), .long], help: "Report only files that were skipped or failed.")
  var quiet = false

  func validate() throws {
    if [json, jsonl, csv].count(where: { $0 }) > 1 {
      throw ValidationError("--json, --jsonl and --csv exclude each other.")
    }
    if splices, !json, !jsonl { throw ValidationError("--splices requires --json or --jsonl.") }
    if summary, format != .text { throw ValidationError("--summary is about reports for people: leave out the form.") }
  }

  var format: Report.Format { json ? .json : jsonl ? .jsonLines : csv ? .csv : .text }
}
