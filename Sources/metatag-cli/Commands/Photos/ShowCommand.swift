import ArgumentParser
import GeoIndex
import MetaTag
import SystemPackage

/// `metatag show`: shows when, where and with which camera photos were taken.
struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show when, where and with which camera photos were taken.",
    usage: "metatag show [--all] [--json | --jsonl | --csv] [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag show *.JPG                     a table
        metatag show --recursive ~/Pictures    with all subfolders
        metatag show --names -r ~/Pictures     with the place names of locations
        metatag show --all IMG_0001.JPG        every tag, of movies too
        metatag show --sort taken *.JPG        in the order of the clock
        metatag show --jsonl -r . | jq         one JSON object per line
        metatag show --thumbnail small.jpg IMG_0001.HEIC

      A photo is shown with the values of its sidecar (IMG_1.NEF.xmp or IMG_1.xmp).
      In a raw file, the sidecar takes precedence; in other files, it adds what is
      missing. A NOTE says if they disagree. In a terminal, the table is cut to its
      width, and notes are below their photos; COLUMNS=200 makes it wider.

      In JSON, a file name that isn't UTF-8 is also given in base64 ("pathBytes").
      """)

  @OptionGroup(title: "Files") var input: InputOptions

  @Flag(help: "Show every tag, including maker notes.")
  var all = false

  @Flag(
    help: """
      Look up place names as 'metatag name' does, and show them in parentheses for photos without names. Nothing is \
      written. In JSON: derivedPlace; in CSV: extra columns.
      """)
  var names = false

  @Option(
    help: ArgumentHelp(
      "Preferred language of --names: de, ja, zh-TW. (default: mostly English)",
      valueName: "language"),
    transform: TextArgument.argument)
  var language: TextArgument?

  @Option(
    help: ArgumentHelp(
      "Sort by a field of --where, dates as the cameras' clocks showed them; photos without it come last.",
      valueName: "field"),
    transform: PhotoOrder.argument)
  var sort: PhotoOrder?

  @Flag(help: "With --sort: later dates, larger numbers and later letters first.")
  var reverse = false

  @Flag(help: "Report as one JSON document.")
  var json = false

  @Flag(help: "Report as JSON Lines: one object per line, as results arrive.")
  var jsonl = false

  @Flag(help: "Report as CSV (RFC 4180).")
  var csv = false

  @Option(
    help: ArgumentHelp(
      "Write a JPEG thumbnail of one photo to this new file; - is standard output. Of a raw file or a movie, its preview.",
      valueName: "file"))
  var thumbnail: PathArgument?

  @Option(
    help: ArgumentHelp("Length of the longer side of --thumbnail, in pixels. (default: 512)", valueName: "pixels"))
  var thumbnailSize: Int?

  @OptionGroup(title: "Files") var condition: ConditionOption
  @OptionGroup var work: JobsOption

  func validate() throws {
    if thumbnail != nil, all || names || json || jsonl || csv || sort != nil {
      throw ValidationError("--thumbnail can't be used with --all, --names, --sort, --json, --jsonl or --csv.")
    }
    if reverse, sort == nil { throw ValidationError("--reverse requires --sort.") }
    if language != nil, !names { throw ValidationError("--language requires --names.") }
    if let thumbnailSize {
      if thumbnail == nil { throw ValidationError("--thumbnail-size requires --thumbnail.") }
      guard (1...8_192).contains(thumbnailSize) else {
        throw ValidationError("--thumbnail-size takes 1 to 8192, not \(thumbnailSize).")
      }
    }
    if [json, jsonl, csv].count(where: { $0 }) > 1 {
      throw ValidationError("--json, --jsonl and --csv can't be used together.")
    }
    if all, csv {
      throw ValidationError("--all can't be used with --csv, because tags differ between photos. Use --json.")
    }
    if all, names, !json, !jsonl { throw ValidationError("--all can only be used with --names in JSON. Use --json.") }
  }

  func run() async throws {
    let console = Console()
    let namer = names ? try PlaceNamer.opened(language?.text, in: Gazetteer.opened(console: console)) : nil
    let inputs = try input.standardInput().map { [$0] } ?? input.photos(console: console)
    let photos = await condition.reading(inputs, jobs: work, console: console)
    if let thumbnail {
      guard let photo = photos.first?.input, photos.count == 1 else {
        throw SetupError("--thumbnail takes one photo, not \(photos.count)")
      }
      let writing = ThumbnailWriting(photo: photo, output: thumbnail.path, size: thumbnailSize ?? 512)
      let status = try await writing.run(on: console)
      if status != .success { throw status }
      return
    }
    var order = sort
    order?.isReversed = reverse
    let form = PhotoListing.Form(json: json, jsonLines: jsonl, csv: csv, allTags: all, namer: namer, order: order)
    var listing = PhotoListing(form, on: console)
    Interrupt.listen()
    let done = await orderedParallelMap(photos, width: work.count, until: { Interrupt.isWished || console.isClosed }) {
      photo in
      form.entry(for: photo)
    } consume: {
      listing.add($0)
    }
    let status = try listing.finish()
    try Interrupt.announce(on: console, done: done, of: photos.count)
    if status != .success { throw status }
  }
}

extension PhotoOrder {
  fileprivate static func argument(_ word: String) throws -> PhotoOrder {
    try ArgumentError.inWords { try PhotoOrder(parsing: try Argv.text(of: word)) }
  }
}
