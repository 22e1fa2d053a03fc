import ArgumentParser
import MetaTag
import SystemPackage

/// `metatag date sequence`: sets evenly spaced dates, in the order of the photos.
struct DateSequenceCommand: PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "sequence",
    abstract: "Set evenly spaced dates, in the order of the photos.",
    usage: "metatag date sequence --start <date> [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date sequence --start 1975-06-01T12:00 scans/*.tif
            the first photo at noon, each following one a second later
        metatag date sequence --start 1975-06-01T12:00 --step 1m --recursive album/
        metatag date sequence --start 2024-05-01T10:00 --order taken *.JPG
            in the order of their current dates

      Photos are sorted by name, folder by folder, numbers by value: scan_2 before
      scan_10, 'Scan' before 'Scan 1'; extensions don't matter. --order taken sorts
      by date, then by name; photos without a date come last. The order on the
      command line doesn't matter, and photos that don't match --where aren't
      counted. All photos get the new date, even those that have one.
      """)

  @Option(
    help: ArgumentHelp("Date of the first photo, with or without a zone: 1975-06-01T12:00.", valueName: "date"),
    transform: CaptureTime.argument)
  var start: CaptureTime

  @Option(
    help: ArgumentHelp("Time from one photo to the next. (default: 1s)", valueName: "duration"),
    transform: TimeShift.argument)
  var step: TimeShift?

  @Option(help: "Sort order of the photos.")
  var order = DateSequence.Order.name

  @OptionGroup(title: "Files") var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup(title: "Fallback for HEIF and AVIF", visibility: .shared) var instead: FallbackOptions
  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions

  // The dates of photos that weren't reached depend on all of them.
  var relativeChange: RelativeChange? { RelativeChange(resumption: order == .name ? .repetition : .none) }

  func validate() throws {
    if step == .zero {
      throw ValidationError("--step can't be 0. To give all photos the same date, use 'metatag date set'.")
    }
  }

  func run() async throws {
    let console = input.console
    // Apply --where first: photos that don't match have no place in the sequence.
    let catalog = edit.condition.catalog
    let all = await photos(of: try input.files(console: console, separately: edit.separately), catalog)
    let photos = await edit.condition.photos(among: all, jobs: edit.work, console: console, catalog)
    var sequence = DateSequence(start: start, step: step ?? TimeShift(seconds: 1))
    sequence.order = order
    let taken = order == .taken || start.offset == nil ? await dates(of: photos, catalog) : [:]
    reportZones(of: Array(taken.values), console)
    guard let dates = sequence.dates(for: photos.map(\.input.path), taken: taken) else {
      throw SetupError(
        "the last of \(photos.count) photos would be dated outside the years 0 to 9999; use a shorter --step")
    }
    try await write(to: photos, on: console, catalog) { [start] photo in
      DatePlanner(.set(dates[photo.input.path] ?? start))
    }
  }

  /// Warns if the photos record several time zones: equal steps of local time are then not equal in time.
  private func reportZones(of times: [CaptureTime], _ console: Console) {
    let offsets = Set(times.compactMap(\.offset)).sorted { $0.seconds < $1.seconds }
    let isMixed = !offsets.isEmpty && times.contains { $0.offset == nil }
    if start.offset == nil, isMixed || offsets.count > 1 {
      let names = offsets.map(\.description) + (isMixed ? ["none"] : [])
      console.warn(
        "the photos record different time zones (\(names.joined(separator: ", "))), which stay: the dates are evenly spaced in "
          + "local time; a zone in --start is recorded in all photos")
    }
    if order == .taken, isMixed {
      console.warn("some of the photos record no time zone; all are sorted by local time")
    }
  }

  private func dates(of photos: [Photo], _ catalog: PhotoCatalog) async -> [FilePath: CaptureTime] {
    var dates: [FilePath: CaptureTime] = [:]
    _ = await orderedParallelMap(photos, width: edit.work.count) { photo in
      (photo.input.path, try? catalog.metadata(of: photo).captureTime)
    } consume: { path, time in
      dates[path] = time
    }
    return dates
  }
}
