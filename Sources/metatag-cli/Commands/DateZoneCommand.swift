import ArgumentParser
import MetaTag

struct DateZoneCommand: PhotoEditing, PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "zone",
    abstract: "Record in which time zone the camera's clock was, or move photos to another zone.",
    usage: "metatag date zone <zone> [--keep-instant] [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date zone +09:00 *.JPG
            the clock was right for this zone: only record it
        metatag date zone Asia/Tokyo --keep-instant *.JPG
            the clock still showed home's time, and its zone: show Tokyo's

      With a zone's name, daylight saving time is that of each photo's date.
      """)

  @Argument(
    help: ArgumentHelp("+09:00, -03:00, Z, or a name: Asia/Tokyo.", valueName: "zone"), transform: Zone.argument)
  var zone: Zone

  @Flag(help: "What the clock showed stays; only the zone is recorded. The default.")
  var keepClock = false

  @Flag(help: "The moment stays; the clock's reading moves to the new zone.")
  var keepInstant = false

  @Option(
    help: ArgumentHelp(
      "With --keep-instant: zone of the camera's clock until now, for photos that don't record it.",
      valueName: "zone"),
    transform: Zone.argument)
  var cameraZone: Zone?

  @OptionGroup var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup var instead: FallbackOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if keepClock, keepInstant {
      throw ValidationError(
        "--keep-clock and --keep-instant exclude each other: with the first, what the clock showed stays; with the second, "
          + "the moment does, and what the clock shows moves.")
    }
    if cameraZone != nil, !keepInstant { throw ValidationError("--camera-zone is about --keep-instant.") }
  }

  var relativeChange: RelativeChange? { keepInstant ? RelativeChange(option: "--keep-instant") : nil }

  func planner(_ console: Console) -> any Planner {
    var planner = DatePlanner(keepInstant ? .keepInstant(zone) : .keepClock(zone))
    planner.clock.zone = cameraZone
    return planner
  }
}
