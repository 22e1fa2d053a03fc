import ArgumentParser
import MetaTag

/// `metatag date repair`: corrects contradictory dates when the photo itself shows which is right.
struct DateRepairCommand: PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Correct contradictory dates when the photo itself shows which is right.",
    usage: "metatag date repair [--apply] [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date repair *.JPG              show what would change, and why
        metatag date repair --apply *.JPG      change it

      Corrects these:
      - a date in the wrong form: 2024:5:3 8:3:1 or 2024-05-03 08:03;
      - copies that disagree: the date wins that most other sources support (other
        metadata, the date of digitizing, the GPS time, the file name);
      - a missing time zone, if XMP has it, or if the GPS time and the zone of the
        location agree on it;
      - the date of a wrong clock, after 'geotag --offset' placed the photo: it is
        moved by the same correction, and keeps its zone. The clock was wrong if
        the GPS time proves it, if the date hasn't changed since that run, or if the
        date matches the track in no time zone.

      If anything is in doubt, the photo is skipped. A less precise date (a year, a
      month or a day, as on a scan) is never replaced by one that contradicts it,
      and text such as 1885/1890 or 'circa 1885' is never replaced at all. 'metatag
      date check' lists every contradiction.
      """)

  @Flag(help: "Change the photos. (default: a dry run, as with -n)")
  var apply = false

  @OptionGroup(title: "Files") var input: InputOptions
  @OptionGroup var given: EditOptions
  @OptionGroup(title: "Fallback for HEIF and AVIF", visibility: .shared) var instead: FallbackOptions
  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions

  var edit: EditOptions {
    var edit = given
    (edit.running.dryRun, edit.running.explain) = (!apply || given.dryRun, edit.explain || !apply)
    return edit
  }

  func validate() throws {
    if input.isStandardInput, !apply, !given.dryRun {
      throw ValidationError(
        "Without --apply nothing is changed, so there is no photo for standard output. Add --apply.")
    }
  }

  func run() async throws {
    let console = input.console
    let (zones, now) = (ZoneLookup(console: console), Instant.now)
    let catalog = edit.condition.catalog
    let photos = await photos(of: try input.files(console: console, separately: edit.separately), catalog)
    let history = try DateFacts.History(among: photos)
    try await write(to: photos, on: console, catalog) { photo in
      // If the file can't be read, the run itself reports why.
      let dates = try? PhotoDates(photo, now: now, history: history) { zones.zone(at: $0) }
      let facts = dates?.facts ?? DateFacts()
      return DateRepairPlanner(facts) { zones.zone(at: $0) }
    }
  }
}
