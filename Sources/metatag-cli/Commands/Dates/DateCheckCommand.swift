import ArgumentParser
import MetaTag

struct DateCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Report where the dates of photos contradict each other.",
    usage: "metatag date check [--json | --jsonl] [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date check *.JPG               what disagrees, file by file
        metatag date check -r ~/Pictures | less
        metatag date check --jsonl -r . | jq -c 'select(.findings != [])'

      Compared are EXIF, XMP, IPTC and QuickTime dates, the receiver's time, the
      sidecar, the file's name and its own time. What only knows less (no fraction, no
      zone, no seconds, only a day) agrees. Also in order: a fix up to an hour old; a
      name that is a minute off; a file that was changed later; a scan that was
      digitized later. What may tell dates and can't be read is named as not compared.
      'metatag date repair' proposes what to do. Where the receiver's time proves a
      camera's clock wrong, or 'geotag --offset' placed the photos and they weren't
      changed since, the command that corrects their dates is told. A date without a
      zone can be right in any. It is named if that run is in the journal, or if it is
      the time that a track gave the photo in no zone; so a difference of whole
      quarter hours is none by itself. It is then read in the --camera-zone of the
      run, or in the zone of the photo's place, which is told. The date that metatag
      corrected in a raw file's sidecar agrees with the one that the raw file keeps.

      Ends with status 0 when nothing was found, and with 1 when something was, or a
      file could not be read.
      """)

  @OptionGroup var input: InputOptions

  @Flag(help: "Report as one JSON document.")
  var json = false

  @Flag(help: "Report as JSON Lines: one object a line, as soon as it is known.")
  var jsonl = false

  @OptionGroup var condition: ConditionOption
  @OptionGroup var work: JobsOption

  func validate() throws {
    if json, jsonl { throw ValidationError("--json and --jsonl exclude each other.") }
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
