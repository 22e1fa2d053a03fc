import ArgumentParser
import MetaTag

/// `metatag date shift`: shifts the dates of photos whose camera clock was wrong.
struct DateShiftCommand: PhotoEditing, PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "shift",
    abstract: "Shift the dates of photos whose camera clock was wrong.",
    usage: "metatag date shift <duration> [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date shift +1h23m *.JPG        the clock was 1 h 23 min slow
        metatag date shift -1h *.JPG           the clock was an hour fast
        metatag date shift +1d2h3m4.5s *.JPG
        metatag date shift -1y *.JPG           the year was one too high
        metatag date shift "+1 month" *.JPG

      Each number needs a unit: y, mo, d, h, m (minutes) or s. 1:30:00 is 1h30m;
      1:30 is refused because it is ambiguous. The local time is moved as on a
      calendar, without regard to daylight saving time; the recorded zone stays.
      Years and months are added first. If the day doesn't exist in that month, it
      becomes the last day: 31 January plus a month is 28 or 29 February, which is
      reported.

      A date without a time of day (IPTC, XMP) moves with the photo's time on that
      day; without such a time, it moves by whole days and months only. The GPS time
      stays. EXIF DateTime, the time of the last change, moves only if the camera
      wrote it: if it has a zone (OffsetTime) and equals the photo's date.
      """)

  @Argument(
    help: ArgumentHelp("Time to add: +1h23m, -40s, +1y2mo.", valueName: "duration"), transform: CalendarShift.argument)
  var shift: CalendarShift

  @OptionGroup(title: "Files") var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup(title: "Fallback for HEIF and AVIF", visibility: .shared) var instead: FallbackOptions
  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions

  var relativeChange: RelativeChange? { RelativeChange() }

  func planner(_ console: Console) -> any Planner { DatePlanner(.shift(shift)) }
}
