import ArgumentParser

/// In which form a command reports.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Report as one JSON document.")
  var json = false

  @Flag(help: "Report as JSON Lines: one object a line, as soon as it is known.")
  var jsonl = false

  @Flag(name: [.customShort("q"), .long], help: "Report only files that were not done.")
  var quiet = false

  func validate() throws {
    if json, jsonl { throw ValidationError("--json and --jsonl exclude each other.") }
  }

  var format: Report.Format { json ? .json : jsonl ? .jsonLines : .text }
}
