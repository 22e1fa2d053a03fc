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

  /// What stays when the zone changes.
  enum Kept: String, EnumerableFlag {
    case keepClock, keepInstant

    static func help(for value: Kept) -> ArgumentHelp? {
      switch value {
      case .keepClock: "What the clock showed stays; only the zone is recorded."
      case .keepInstant: "The moment stays; the clock's reading moves to the new zone."
      }
    }
  }

  @Argument(
    help: ArgumentHelp("+09:00, -03:00, Z, or a name: Asia/Tokyo.", valueName: "zone"), transform: Zone.argument)
  var zone: Zone

  @Flag var kept = Kept.keepClock

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
    if cameraZone != nil, kept == .keepClock { throw ValidationError("--camera-zone is about --keep-instant.") }
  }

  func planner(_ console: Console) -> any Planner {
    var planner = DatePlanner(kept == .keepClock ? .keepClock(zone) : .keepInstant(zone))
    planner.clock.zone = cameraZone
    return planner
  }
}
