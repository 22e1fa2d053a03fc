import ArgumentParser
import MetaTag

struct DateShiftCommand: PhotoEditing, PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "shift",
    abstract: "Move the dates of photos whose camera had a wrong clock.",
    usage: "metatag date shift <duration> [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date shift +1h23m *.JPG        the clock was 1 h 23 min slow
        metatag date shift -1h *.JPG           the clock was an hour fast
        metatag date shift +1d2h3m4.5s *.JPG
        metatag date shift -1y *.JPG           the calendar was a year ahead
        metatag date shift "+1 month" *.JPG

      A number needs its unit: y, mo, d, h, m (minutes) or s; 1:30:00 is 1h30m, and
      1:30 is refused, as it may be hours or minutes. What the clock shows is moved
      as on a calendar, whatever daylight saving time does; the recorded zone stays.
      Years and months go first and end on the month's last day where it has no such
      day: 31 January and a month is 28 or 29 February, which is told.

      A date without a time of day (IPTC, XMP) goes where the photo's time of that day
      goes; where there is none, it moves by whole days and months only. The time of
      the position (GPSDateStamp, GPSTimeStamp) is the satellites', and stays. That of
      the file's last change (EXIF DateTime) moves if it has a zone (OffsetTime) and
      shows the same second as the photo's own date, as the camera wrote both. It
      stays if a program wrote it, and without a zone.
      """)

  @Argument(
    help: ArgumentHelp("How far: +1h23m, -40s, +1y2mo.", valueName: "duration"), transform: CalendarShift.argument)
  var shift: CalendarShift

  @OptionGroup var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup var instead: FallbackOptions
  @OptionGroup var output: OutputOptions

  var relativeChange: RelativeChange? { RelativeChange() }

  func planner(_ console: Console) -> any Planner { DatePlanner(.shift(shift)) }
}
