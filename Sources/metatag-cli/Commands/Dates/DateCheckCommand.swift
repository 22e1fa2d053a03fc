import ArgumentParser
import MetaTag

/// `metatag date check`: finds photos whose dates contradict each other.
struct DateCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Find photos whose dates contradict each other.",
    usage: "metatag date check [--json | --jsonl] [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date check *.JPG
            list the contradictions of each file
        metatag date check -r ~/Pictures | less
        metatag date check --jsonl -r . | jq -c 'select(.findings != [])'

      Compares the dates in EXIF, XMP, IPTC and QuickTime, the GPS time, the
      sidecar, the file name and the file's modification time. A date that is only
      less precise (no fraction, zone, seconds or time of day) agrees. These
      differences are normal and not reported: a GPS fix up to an hour old, a file
      name one minute off, a later modification time, a scan digitized later, and
      the old date in a raw file whose sidecar metatag corrected. Data that may hold
      a date but can't be read is listed as not compared.

      The report names the command that corrects the dates of a wrong clock: if the
      GPS time proves that it was wrong, or if 'geotag --offset' placed the photos
      and they haven't changed since. A date without a time zone may differ from the
      GPS time by whole quarter hours and be right. This is only reported if 'geotag
      --offset' placed the photo, or if no time zone has such an offset.

      Exit status: 0 if no contradiction was found; 1 if there was one, or a file
      could not be read. 'metatag date repair' proposes corrections.
      """)

  @OptionGroup(title: "Files") var input: InputOptions

  @Flag(help: "Report as one JSON document.")
  var json = false

  @Flag(help: "Report as JSON Lines: one object per line, as results arrive.")
  var jsonl = false

  @OptionGroup(title: "Files") var condition: ConditionOption
  @OptionGroup var work: JobsOption

  func validate() throws {
    if json, jsonl { throw ValidationError("--json and --jsonl can't be used together.") }
  }

  func run() async throws {
    let console = Console()
    var listing = DateFindingsListing(
      json ? .json : jsonl ? .jsonLines : .text, on: console, correcting: DateFixCommand(Argv.typed, input))
    let photos = await condition.reading(try input.photos(console: console), jobs: work, console: console)
    let now = Instant.now
    let history = try DateFacts.History(among: photos)
    let zones = ZoneLookup(console: console)
    Interrupt.listen()
    let done = await orderedParallelMap(
      photos, width: work.count, until: { Interrupt.isWished || console.isClosed }
    ) { photo in
      let dates = Result { () throws(FileError) in
        try PhotoDates(photo, now: now, history: history) { zones.zone(at: $0) }
      }
      return (photo.input.path, dates)
    } consume: {
      listing.add($0.0, $0.1)
    }
    let status = try listing.finish(notRun: Interrupt.isWished ? photos.count - done : 0)
    try Interrupt.announce(on: console, done: done, of: photos.count)
    if status != .success { throw status }
  }
}
