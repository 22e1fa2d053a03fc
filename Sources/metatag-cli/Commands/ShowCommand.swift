import ArgumentParser

struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show when and where photos were taken, and with what.",
    discussion: """
      EXAMPLES:
        metatag show *.JPG                         a table
        metatag show --recursive ~/Pictures        with the photos of all folders in it
        metatag show --all IMG_0001.JPG            every tag there is
        metatag show --jsonl --recursive . | jq    one object a line, for programs

      Names that aren't UTF-8 have their bytes, in base64, in "pathBytes".
      """)

  @OptionGroup var input: InputOptions

  @Flag(help: "Show every tag, the camera maker's own too.")
  var all = false

  @Flag(help: "Report as one JSON document.")
  var json = false

  @Flag(help: "Report as JSON Lines: one object a line, as soon as it is known.")
  var jsonl = false

  @Flag(help: "Report as comma-separated values (RFC 4180).")
  var csv = false

  @Option(help: ArgumentHelp("Photos worked on at once. (default: one per processor)", valueName: "count"))
  var jobs: Int?

  func validate() throws {
    if [json, jsonl, csv].count(where: { $0 }) > 1 {
      throw ValidationError("--json, --jsonl and --csv exclude each other.")
    }
    if all, csv { throw ValidationError("--all has different columns for every photo: take --json.") }
  }
}
