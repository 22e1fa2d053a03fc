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
        metatag date set 1975-06 slides/*.tif
            only the month is known; or the year, 1975; or the day, 1975-06-12

      A zone that the photo records stays, unless the date has one.

      A year, a month or a day stands alone in every format that photos have: XMP
      says 1975-06, IPTC 19750600, and EXIF leaves blank what is not known. Nothing is
      made up; programs that need a time show none. When a picture was digitized
      stays, as that is another date of a scan. Tracks can't place such photos, 'date
      shift' moves them by whole years, months or days, and movies can't have such
      dates. A time on that day that is found later takes its place.
      """)

  @Argument(
    help: ArgumentHelp(
      "What the clock showed: 2024-05-01T10:30:00, perhaps with a zone; or 1975-06-12, 1975-06, 1975.",
      valueName: "date"),
    transform: { word in try DatePlanner.Rule(setting: try Argv.text(of: word)) })
  var date: DatePlanner.Rule

  @OptionGroup var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup var instead: FallbackOptions
  @OptionGroup var output: OutputOptions

  func planner(_ console: Console) -> any Planner { DatePlanner(date) }
}
