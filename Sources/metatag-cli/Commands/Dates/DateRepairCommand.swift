import ArgumentParser
import MetaTag

struct DateRepairCommand: PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Mend dates that contradict each other, where the photo itself tells which is right.",
    usage: "metatag date repair [--apply] [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date repair *.JPG              only show what would change, and why
        metatag date repair --apply *.JPG

      A text such as 2024:5:3 8:3:1 or 2024-05-03 08:03 becomes the date it means.
      Where copies disagree, the one that most of the rest speaks for is taken: the
      other namespaces, the date of digitizing, the receiver's time, the file's name.
      A zone is recorded where XMP has it, or where the receiver's time and the zone
      of the place agree about it. A date that the receiver's time proves wrong, as a
      track placed the photo by a corrected clock, is moved by as much and keeps its
      zone, unless it shows the right time of its place; so is one without such a time
      or without a zone that is still as 'geotag --offset' left it. A date without a
      zone also moves where no zone makes it the time that a track gave the photo.
      Where anything is in doubt the photo is left: nothing is made up, and a copy
      that knows only a year, a month or a day, as of a scan, is never written over by
      a date that contradicts it, nor a text such as 1885/1890 or 'circa 1885' by any.
      'metatag date check' reports every contradiction.
      """)

  @Flag(help: "Change the photos; without it, nothing is written.")
  var apply = false

  @OptionGroup var input: InputOptions
  @OptionGroup var given: EditOptions
  @OptionGroup var instead: FallbackOptions
  @OptionGroup var output: OutputOptions

  var edit: EditOptions {
    var edit = given
    (edit.running.dryRun, edit.running.explain) = (!apply || given.dryRun, edit.explain || !apply)
    return edit
  }

  func run() async throws {
    let console = Console()
    let (zones, now) = (ZoneLookup(console: console), Instant.now)
    let photos = await photos(of: try input.files(console: console, separately: edit.separately))
    let history = try DateFacts.History(among: photos)
    try await write(to: photos, on: console) { photo in
      // Of a file that can't be read, the run itself says why.
      let dates = try? PhotoDates(photo, now: now, history: history) { zones.zone(at: $0) }
      let facts = dates?.facts ?? DateFacts()
      return DateRepairPlanner(facts) { zones.zone(at: $0) }
    }
  }
}
