import ArgumentParser
import MetaTag

struct DateFromJSONCommand: PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "from-json",
    abstract: "Give photos the date in the JSON files that Google Takeout puts beside them.",
    usage: "metatag date from-json [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date from-json --dry-run "Photos from 2023/"
            IMG_1.jpg, by IMG_1.jpg.supplemental-metadata.json beside it
        metatag date from-json --zone Europe/Vienna "Photos from 2023/"*.jpg
            Takeout writes UTC: show what a clock in Vienna showed

      Photos that have a date keep it. Without --zone, the time is that of a clock
      at the photo's place, or at the one in the JSON file, or else in UTC. Which
      JSON file is meant is told as by 'metatag takeout', which takes places too.
      """)

  @OptionGroup var dating: DatingOptions
  @OptionGroup var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup var instead: FallbackOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let console = Console()
    var files = try input.files(console: console, separately: edit.separately)
    let folders = TakeoutFolders(beside: files.inputs)
    files.inputs = folders.inputs
    try await write(
      to: folders.divided(await photos(of: files)), on: console,
      planner: folders.planners(dating, TakeoutWishes(), console: console))
  }
}
