import ArgumentParser
import MetaTag
import SystemPackage

/// `metatag date from-name`: sets the date of photos from their file names.
struct DateFromNameCommand: PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "from-name",
    abstract: "Set the date of photos from their file names.",
    usage: "metatag date from-name [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date from-name --dry-run Download/
            IMG_20240523_183841.jpg, Screenshot_20240523-183841.png,
            2024-05-23 18.38.41.jpg
        metatag date from-name --zone Europe/Vienna PXL_*.jpg
            Pixel phones write UTC in names: convert to the time in Vienna
        metatag date from-name --time 12:00 IMG-*-WA*.jpg
            WhatsApp names have only the day: use this time of day
        metatag date from-name --time mtime --zone Europe/Vienna IMG-*-WA*.jpg
            or the time of day of the file's modification time, if it is on that day
        metatag date from-name --day-only scans/
            '1975-06-12 aunt.jpg': only the day, as with 'date set 1975-06-12'
        metatag date from-name --pattern 'scan_{YYYY}-{MM}-{DD}_{hh}{mm}_*' scans/
            other names

      "Urlaub 1975.jpg" gives only the year, and "1975-08 Oma.jpg" or "Oma
      1975-08.jpg" the month, as with 'date set 1975'. A year is a
      separate number from 1840 on; one that ends in 00 counts only at the start of
      the name or in brackets (not "Windows 2000"). Numbers after words that count
      things or name a device, or before a unit, are ignored (IMG_1975, Canon 1975,
      1920 px). Dates in the future are ignored.

      Photos with a date keep it. A name in UTC (PXL_…, …_UTC, OneDrive's …_iOS,
      milliseconds since 1970) is converted to the zone of the photo's location, if
      it has one, or else stays in UTC.

      A pattern matches the whole name without its extension. {YYYY}, {MM}, {DD},
      {hh}, {mm} and {ss} match digits, {YY} a year from 1969 to 2068, {f} a
      fraction of a second, * anything and ? one character.
      """)

  @Option(
    help: ArgumentHelp(
      "Time of day for names that have only a day: 12:00. Or mtime: the time of the file's last modification in --zone "
        + "or the zone of the photo's location, if it was on that day.",
      valueName: "hh:mm|mtime"),
    transform: TimeOfDay.argument)
  var time: TimeOfDay?

  @Flag(help: "For names that have only a day, write the day without a time.")
  var dayOnly = false

  @Option(
    help: ArgumentHelp("Position of the date in the name: {DD}.{MM}.{YYYY} *", valueName: "pattern"),
    transform: NamePattern.argument)
  var pattern: NamePattern?

  @OptionGroup var dating: DatingOptions
  @OptionGroup(title: "Files") var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup(title: "Fallback for HEIF and AVIF", visibility: .shared) var instead: FallbackOptions
  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions

  // The date comes from the file's modification time, which a new one would hide.
  var keepsMtime: Bool { edit.keepMtime || time == .mtime }

  func validate() throws {
    guard time == nil || !dayOnly else { throw ValidationError("--time and --day-only can't be used together.") }
  }

  func run() async throws {
    let console = input.console
    let zones = ZoneLookup(console: console)
    let now = Instant.now
    let catalog = edit.condition.catalog
    let photos = await photos(of: try input.files(console: console, separately: edit.separately), catalog)
    try await write(to: photos, on: console, catalog) { photo in
      var planner = NameDatePlanner(fileName: photo.input.path.lastComponent?.string ?? "", pattern: pattern) {
        zones.zone(at: $0)
      }
      planner.zone = dating.zone
      if case .seconds(let seconds)? = time { planner.timeOfDay = seconds }
      if time == .mtime { planner.fileTime = photo.input.modified }
      planner.takesDays = dayOnly
      planner.now = now
      planner.overwrite = dating.overwrite.rule
      return planner
    }
  }
}

extension NamePattern {
  static func argument(_ word: String) throws -> NamePattern {
    try ArgumentError.inWords { try NamePattern(parsing: try Argv.text(of: word)) }
  }
}

/// A local time of day, `12:00` or `18:38:41`, or the file's modification time.
enum TimeOfDay: Hashable {
  /// Seconds after midnight.
  case seconds(Int)
  case mtime

  static func argument(_ word: String) throws -> TimeOfDay {
    let text = try Argv.text(of: word)
    if text == "mtime" { return .mtime }
    guard let time = try? CaptureTime(parsing: "2000-01-01T" + text), time.fraction == nil, time.offset == nil else {
      throw ValidationError("'\(text)' is not a time of day: write for example 12:00 or 18:38:41, or mtime.")
    }
    return .seconds(time.civil.hour * 3_600 + time.civil.minute * 60 + time.civil.second)
  }
}
