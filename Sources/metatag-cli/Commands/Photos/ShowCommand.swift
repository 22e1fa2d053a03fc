import ArgumentParser
import GeoIndex
import MetaTag
import SystemPackage

struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show when and where photos were taken, and with what.",
    usage: "metatag show [--all] [--json | --jsonl | --csv] [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag show *.JPG                     a table
        metatag show --recursive ~/Pictures    the photos of all folders in it
        metatag show --names -r ~/Pictures     what their positions are called
        metatag show --all IMG_0001.JPG        every tag there is, of movies too
        metatag show --jsonl -r . | jq         one object a line, for programs
        metatag show --thumbnail small.jpg IMG_0001.HEIC

      What a sidecar (IMG_1.NEF.xmp, IMG_1.xmp) says is shown with its photo: of raw
      files it is believed first, of others where the file says nothing. A NOTE
      tells where they disagree. On a terminal, the table is as wide as that: texts
      are cut, notes stand below their photos; COLUMNS=200 makes it wider.

      In JSON, a name that isn't UTF-8 also has its bytes, in base64: "pathBytes".
      """)

  @OptionGroup var input: InputOptions

  @Flag(help: "Show every tag, the camera maker's own too.")
  var all = false

  @Flag(
    help: """
      Look up what positions are called, as 'metatag name' does, and show it in parentheses where a photo holds no names. \
      Nothing is written. In JSON: derivedPlace; in CSV: columns of their own.
      """)
  var names = false

  @Option(
    help: ArgumentHelp(
      "--names in this language as far as they are known: de, ja, zh-TW. (default: the gazetteer's, mostly English)",
      valueName: "language"),
    transform: TextArgument.argument)
  var language: TextArgument?

  @Flag(help: "Report as one JSON document.")
  var json = false

  @Flag(help: "Report as JSON Lines: one object a line, as soon as it is known.")
  var jsonl = false

  @Flag(help: "Report as comma-separated values (RFC 4180).")
  var csv = false

  @Option(
    help: ArgumentHelp(
      "Write a small picture of one photo, a JPEG, into this new file; - is standard output. Of a file that isn't JPEG, "
        + "HEIF or AVIF, its preview.",
      valueName: "file"))
  var thumbnail: PathArgument?

  @Option(help: ArgumentHelp("Pixels of the longer side of --thumbnail. (default: 512)", valueName: "pixels"))
  var thumbnailSize: Int?

  @OptionGroup var condition: ConditionOption
  @OptionGroup var work: JobsOption

  func validate() throws {
    if thumbnail != nil, all || names || json || jsonl || csv {
      throw ValidationError("--thumbnail shows nothing else: leave out --all, --names, --json, --jsonl and --csv.")
    }
    if language != nil, !names { throw ValidationError("--language is about --names.") }
    if let thumbnailSize {
      if thumbnail == nil { throw ValidationError("--thumbnail-size is about --thumbnail.") }
      guard (1...8_192).contains(thumbnailSize) else {
        throw ValidationError("--thumbnail-size takes 1 to 8192, not \(thumbnailSize).")
      }
    }
    if [json, jsonl, csv].count(where: { $0 }) > 1 {
      throw ValidationError("--json, --jsonl and --csv exclude each other.")
    }
    if all, csv { throw ValidationError("--all has different columns for every photo: take --json.") }
    if all, names, !json, !jsonl { throw ValidationError("--all lists tags alone: for --names too, take --json.") }
  }

  func run() async throws {
    let console = Console()
    let namer = names ? try PlaceNamer.opened(language?.text, in: Gazetteer.opened(console: console)) : nil
    let photos = await condition.reading(try input.photos(console: console), jobs: work, console: console)
    if let thumbnail {
      guard let photo = photos.first?.input, photos.count == 1 else {
        throw SetupError("--thumbnail takes one photo, not \(photos.count)")
      }
      let writing = ThumbnailWriting(photo: photo, output: thumbnail.path, size: thumbnailSize ?? 512)
      let status = try writing.run(on: console)
      if status != .success { throw status }
      return
    }
    let form = PhotoListing.Form(json: json, jsonLines: jsonl, csv: csv, allTags: all, namer: namer)
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
