import ArgumentParser
import MetaTag

/// `metatag date from-json`: sets the date of photos from the JSON files of Google Takeout.
struct DateFromJSONCommand: PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "from-json",
    abstract: "Set the date of photos from the JSON files of Google Takeout.",
    usage: "metatag date from-json [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date from-json --dry-run "Photos from 2023/"
            IMG_1.jpg is read from IMG_1.jpg.supplemental-metadata.json next to it
        metatag date from-json --zone Europe/Vienna "Photos from 2023/"*.jpg
            Takeout writes UTC: convert to the time in Vienna

      Photos with a date keep it. Without --zone, the time is converted to the zone
      of the location in the photo or in the JSON file, or else stays in UTC. JSON
      files are matched with photos as by 'metatag takeout', which also imports
      locations.
      """)

  @OptionGroup var dating: DatingOptions
  @OptionGroup(title: "Files") var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup(title: "Fallback for HEIF and AVIF", visibility: .shared) var instead: FallbackOptions
  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions

  func run() async throws {
    let console = input.console
    var files = try input.files(console: console, separately: edit.separately)
    let folders = TakeoutFolders(beside: files.inputs)
    files.inputs = folders.inputs
    let catalog = edit.condition.catalog
    try await write(
      to: folders.divided(await photos(of: files, catalog)), on: console, catalog,
      planner: folders.planners(dating, TakeoutFields(), console: console))
  }
}
