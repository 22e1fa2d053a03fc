import ArgumentParser
import MetaTag

struct DateFromMtimeCommand: PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "from-mtime",
    abstract: "Give photos the time at which their files were last changed.",
    usage: "metatag date from-mtime [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date from-mtime --dry-run --zone Europe/Vienna scans/
        metatag date from-mtime --zone +02:00 screenshot.png.jpg

      Only as good as the file's time is: copying and downloading often change it.
      It is an instant; the zone in which a clock showed it is that of --zone, else of
      the photo's place. Where neither is known, the photo is left alone. Photos that
      have a date keep it, and the file's time of last change stays as it is.
      """)

  @OptionGroup var dating: DatingOptions
  @OptionGroup var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup var instead: FallbackOptions
  @OptionGroup var output: OutputOptions

  // The file's time is where the date comes from: a new one would hide that.
  var keepsMtime: Bool { true }

  func run() async throws {
    let console = Console()
    let zones = ZoneLookup(console: console)
    try await write(to: await photos(of: try input.files(console: console, separately: edit.separately)), on: console) {
      photo in
      var planner = InstantDatePlanner(.file(photo.input.modified)) { zones.zone(at: $0) }
      planner.zone = dating.zone
      planner.overwrite = dating.overwrite.rule
      return planner
    }
  }
}
