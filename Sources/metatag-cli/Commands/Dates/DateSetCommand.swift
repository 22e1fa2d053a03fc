import ArgumentParser
import MetaTag

/// `metatag date set`: sets the date of photos.
struct DateSetCommand: PhotoEditing, PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set the date of photos.",
    usage: "metatag date set <date> [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date set 2024-05-01T10:30:00 scan.tif
        metatag date set 2024-05-01T10:30:00+09:00 *.JPG
        metatag date set 1975-06 slides/*.tif
            only the month is known; or the year, 1975; or the day, 1975-06-12

      A photo keeps its time zone, unless the date has one.

      A year, a month or a day is written as such: XMP gets 1975-06, IPTC 19750600,
      and EXIF leaves the unknown parts blank. Programs that need a time show no
      date. The date of digitizing stays. Such photos can't be placed by tracks, and
      'date shift' moves them by whole years, months or days only. Movies can't have
      such dates. If a time on that day is found later, it replaces the day.
      """)

  @Argument(
    help: ArgumentHelp(
      "Local time, with or without a zone: 2024-05-01T10:30:00; or a day, month or year: 1975-06-12, 1975-06, 1975.",
      valueName: "date"),
    transform: { word in try ArgumentError.inWords { try DatePlanner.Rule(setting: try Argv.text(of: word)) } })
  var date: DatePlanner.Rule

  @OptionGroup(title: "Files") var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup(title: "Fallback for HEIF and AVIF", visibility: .shared) var instead: FallbackOptions
  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions

  func planner(_ console: Console) -> any Planner { DatePlanner(date) }
}
