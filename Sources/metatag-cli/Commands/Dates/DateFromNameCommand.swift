import ArgumentParser
import MetaTag
import SystemPackage

struct DateFromNameCommand: PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "from-name",
    abstract: "Give photos the date that their files' names tell.",
    usage: "metatag date from-name [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date from-name --dry-run Download/
            IMG_20240523_183841.jpg, Screenshot_20240523-183841.png,
            2024-05-23 18.38.41.jpg
        metatag date from-name --zone Europe/Vienna PXL_*.jpg
            Pixel phones write UTC into the name: show what a clock in Vienna showed
        metatag date from-name --time 12:00 IMG-*-WA*.jpg
            messengers write only the day: this time of day goes with it
        metatag date from-name --time mtime --zone Europe/Vienna IMG-*-WA*.jpg
            or what a clock in Vienna showed when the file was last changed, if that
            was on the day in the name
        metatag date from-name --day-only scans/
            1975-06-12 aunt.jpg: the day stands alone, as with 'date set 1975-06-12'
        metatag date from-name --pattern 'scan_{YYYY}-{MM}-{DD}_{hh}{mm}_*' scans/
            names that nobody else gives

      "Urlaub 1975.jpg" tells the year, "1975-08 Oma.jpg" and "Oma 1975-08.jpg" the
      month: they are recorded as such, as with 'date set 1975'. A year is four
      digits that stand alone, 1840 or later; one that ends in 00 counts only at the
      beginning of the name or in brackets (not "Windows 2000"). Numbers behind
      words that count or name a device, or before a unit (IMG_1975, Canon 1975,
      1920 px), are not read. A pattern reads what this leaves.

      Photos that have a date keep it. A name in UTC (PXL_, _UTC behind the time,
      OneDrive's _iOS, milliseconds since 1970) is shown as a clock at the photo's
      place did, if it records one, or in UTC.
      A date in the future is none: such numbers count something else.

      A pattern is the whole name without its ending: {YYYY}, {MM}, {DD}, {hh},
      {mm}, {ss} are its digits, {YY} those of a year from 1969 to 2068, {f} those of
      a fraction, * is anything and ? one character.
      """)

  @Option(
    help: ArgumentHelp(
      "The time of day of photos whose name tells only the day; mtime: that of the file's last change, by --zone or the "
        + "photo's place, where it was on that day.",
      valueName: "hh:mm|mtime"),
    transform: TimeOfDay.argument)
  var time: TimeOfDay?

  @Flag(help: "Photos whose name tells only the day get that day, without a time.")
  var dayOnly = false

  @Option(
    help: ArgumentHelp("Where in the name the date stands: {DD}.{MM}.{YYYY} *", valueName: "pattern"),
    transform: NamePattern.argument)
  var pattern: NamePattern?

  @OptionGroup var dating: DatingOptions
  @OptionGroup var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup var instead: FallbackOptions
  @OptionGroup var output: OutputOptions

  // The file's time is where the date comes from: a new one would hide that.
  var keepsMtime: Bool { edit.keepMtime || time == .mtime }

  func validate() throws {
    guard time == nil || !dayOnly else { throw ValidationError("--time and --day-only exclude each other.") }
  }

  func run() async throws {
    let console = Console()
    let zones = ZoneLookup(console: console)
    let (photos, now) = (await photos(of: try input.files(console: console, separately: edit.separately)), Instant.now)
    try await write(to: photos, on: console) { photo in
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
  static func argument(_ word: String) throws -> NamePattern { try NamePattern(parsing: try Argv.text(of: word)) }
}

/// A clock's reading, `12:00` or `18:38:41`, or that of the file's last change.
enum TimeOfDay: Hashable {
  /// From midnight.
  case seconds(Int)
  case mtime

  static func argument(_ word: String) throws -> TimeOfDay {
    let text = try Argv.text(of: word)
    if text == "mtime" { return .mtime }
    guard let time = try? CaptureTime(parsing: "2000-01-01T" + text), time.fraction == nil, time.offset == nil else {
      throw ValidationError("'\(text)' is no time of day: write for example 12:00 or 18:38:41, or mtime.")
    }
    return .seconds(time.civil.hour * 3_600 + time.civil.minute * 60 + time.civil.second)
  }
}
