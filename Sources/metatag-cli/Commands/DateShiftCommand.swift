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

      A number needs its unit: d, h, m or s. What the clock shows is moved as on a
      calendar, whatever daylight saving time does; the recorded zone stays.
      """)

  @Argument(help: ArgumentHelp("How far: +1h23m, -40s.", valueName: "duration"), transform: TimeShift.argument)
  var shift: TimeShift

  @OptionGroup var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup var instead: FallbackOptions
  @OptionGroup var output: OutputOptions

  func planner(_ console: Console) -> any Planner { DatePlanner(.shift(shift)) }
}
