import ArgumentParser

/// In which form a command reports.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Report as one JSON document.")
  var json = false

  @Flag(help: "Report as JSON Lines: one object a line, as soon as it is known.")
  var jsonl = false

  @Flag(help: "Report as comma-separated values (RFC 4180), one row a file.")
  var csv = false

  @Flag(help: "With --json or --jsonl: also list which bytes of each file are replaced.")
  var splices = false

  @Flag(help: "Of files that are as asked for, print only which change how many of them got.")
  var summary = false

  @Flag(name: [.customShort("q"), .long], help: "Report only files that were not done.")
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
