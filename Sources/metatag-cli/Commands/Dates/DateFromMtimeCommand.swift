import ArgumentParser
import MetaTag

/// `metatag date from-mtime`: sets the date of photos from the modification times of their files.
struct DateFromMtimeCommand: PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "from-mtime",
    abstract: "Set the date of photos from the modification times of their files.",
    usage: "metatag date from-mtime [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date from-mtime --dry-run --zone Europe/Vienna scans/
        metatag date from-mtime --zone +02:00 screenshot.png.jpg

      Copying and downloading often change a file's modification time: check with
      --dry-run first. The time is converted to --zone, or else to the zone of the
      photo's location; if neither is known, the photo is skipped. Photos with a
      date keep it, and modification times stay as they are.
      """)

  @OptionGroup var dating: DatingOptions
  @OptionGroup(title: "Files") var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup(title: "Fallback for HEIF and AVIF", visibility: .shared) var instead: FallbackOptions
  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions

  // The date comes from the file's modification time, which a new one would hide.
  var keepsMtime: Bool { true }

  func run() async throws {
    let console = input.console
    let zones = ZoneLookup(console: console)
    let catalog = edit.condition.catalog
    let photos = await photos(of: try input.files(console: console, separately: edit.separately), catalog)
    try await write(to: photos, on: console, catalog) { photo in
      var planner = InstantDatePlanner(.file(photo.input.modified)) { zones.zone(at: $0) }
      planner.zone = dating.zone
      planner.overwrite = dating.overwrite.rule
      return planner
    }
  }
}
