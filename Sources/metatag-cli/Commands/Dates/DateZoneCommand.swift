import ArgumentParser
import MetaTag

/// `metatag date zone`: records the camera's time zone, or converts photos to another zone.
struct DateZoneCommand: PhotoEditing, PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "zone",
    abstract: "Record the camera's time zone, or convert photos to another zone.",
    usage: "metatag date zone <zone> [--keep-instant] [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date zone +09:00 *.JPG
            the clock was right for this zone: record the zone
        metatag date zone Asia/Tokyo --keep-instant *.JPG
            the clock was still on home time: convert the dates to Tokyo time
        metatag date zone Kyoto *.JPG
            the zone of a city, or of a pin (@home)

      Photos with a zone keep it and are skipped, unless you give --overwrite
      replace or --keep-instant. With a city or the name of a zone, daylight saving
      time follows from each photo's date. Movies with a time only in their headers
      are skipped, because it may be UTC or local time; in a Live Photo, the still
      decides.

      A zone is a UTC offset from -12:00 to +14:00 (+09:00, UTC+9, Z), an IANA name
      (Asia/Tokyo, asia/tokyo), a city that isn't ambiguous (Kyoto; "Portland,
      Oregon"), a country or region with one time since 2000 (Japan), or a pin
      (@home). UTC+2 is +02:00; IANA's Etc/GMT+2 is the opposite, -02:00.
      Abbreviations such as EST, CET and IST are ambiguous and refused.
      """)

  @Argument(
    help: ArgumentHelp(
      "+09:00, UTC+9, Z, Asia/Tokyo, a city or country (Kyoto, Japan), or a pin (@home).", valueName: "zone"),
    transform: Zone.argument)
  var zone: Zone

  @Flag(help: "Keep the local time and record the zone. The default.")
  var keepClock = false

  @Flag(help: "Keep the instant and convert the local time to the new zone.")
  var keepInstant = false

  @Option(help: "Whether to replace a zone that photos already record.")
  var overwrite = PlainOverwrite.keep

  @Option(
    help: ArgumentHelp(
      "With --keep-instant, the old zone of photos that don't record one.",
      valueName: "zone"),
    transform: Zone.argument)
  var cameraZone: Zone?

  @OptionGroup(title: "Files") var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup(title: "Fallback for HEIF and AVIF", visibility: .shared) var instead: FallbackOptions
  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions

  func validate() throws {
    if keepClock, keepInstant {
      throw ValidationError(
        "--keep-clock and --keep-instant can't be used together: the first keeps the local time, the second the instant."
      )
    }
    if cameraZone != nil, !keepInstant { throw ValidationError("--camera-zone requires --keep-instant.") }
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
