import ArgumentParser
import MetaTag

struct DateZoneCommand: PhotoEditing, PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "zone",
    abstract: "Record the time zone of the camera's clock, or move photos to another zone.",
    usage: "metatag date zone <zone> [--keep-instant] [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date zone +09:00 *.JPG
            the clock was right for this zone: only record it
        metatag date zone Asia/Tokyo --keep-instant *.JPG
            the clock still showed home's time, and its zone: show Tokyo's
        metatag date zone Kyoto *.JPG
            the zone of a city; @home is that of a pin

      Photos that record their zone keep it, and are skipped, unless --overwrite
      replace or --keep-instant is given. With a zone's name or a city, daylight
      saving time is that of each photo's date. Movies whose time is in their headers
      only are skipped, as it may be in UTC or on the clock; in a Live Photo, the
      still decides.

      A zone is an offset from UTC between -12:00 and +14:00 (+09:00, UTC+9, Z), a
      name of the IANA database in any case (Asia/Tokyo, asia/tokyo), a city that
      needs no choice (Kyoto; "Portland, Oregon"), a country or region whose towns
      have had the same time since 2000 (Japan), or a pin (@home). UTC+2 is +02:00;
      the database's own Etc/GMT+2 is the opposite, -02:00. Abbreviations such as
      EST, CET or IST mean several zones and are refused.
      """)

  @Argument(
    help: ArgumentHelp(
      "+09:00, UTC+9, Z, Asia/Tokyo, a city or country: Kyoto, Japan, or a pin: @home.", valueName: "zone"),
    transform: Zone.argument)
  var zone: Zone

  @Flag(help: "What the clock showed stays; only the zone is recorded. The default.")
  var keepClock = false

  @Flag(help: "The moment stays; the clock's reading moves to the new zone.")
  var keepInstant = false

  @Option(help: "What to do with photos that record their zone.")
  var overwrite = PlainOverwrite.keep

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
    if keepInstant, overwrite == .replace {
      throw ValidationError("--overwrite can't be used with --keep-instant, which always moves photos to the new zone.")
    }
  }

  var relativeChange: RelativeChange? { keepInstant ? RelativeChange(option: "--keep-instant") : nil }

  func planner(_ console: Console) -> any Planner {
    var planner = DatePlanner(keepInstant ? .keepInstant(zone) : .keepClock(zone))
    planner.clock.zone = cameraZone
    planner.overwrite = overwrite.rule
    return planner
  }
}
