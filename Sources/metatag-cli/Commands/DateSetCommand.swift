import ArgumentParser
import MetaTag

struct DateSetCommand: PhotoEditing, PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Give photos a date.",
    usage: "metatag date set <date> [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date set 2024-05-01T10:30:00 scan.tif
        metatag date set 2024-05-01T10:30:00+09:00 *.JPG

      A zone that the photo records stays, unless the date has one.
      """)

  @Argument(
    help: ArgumentHelp("What the clock showed: 2024-05-01T10:30:00, perhaps with a zone.", valueName: "date"),
    transform: CaptureTime.argument)
  var date: CaptureTime

  @OptionGroup var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup var instead: FallbackOptions
  @OptionGroup var output: OutputOptions

  func planner(_ console: Console) -> any Planner { DatePlanner(.set(date)) }
}
