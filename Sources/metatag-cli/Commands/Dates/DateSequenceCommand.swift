import ArgumentParser
import MetaTag
import SystemPackage

struct DateSequenceCommand: PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "sequence",
    abstract: "Give photos of which only the order is known dates one step apart.",
    usage: "metatag date sequence --start <date> [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date sequence --start 1975-06-01T12:00 scans/*.tif
            the first at noon, each of the others a second later
        metatag date sequence --start 1975-06-01T12:00 --step 1m --recursive album/
        metatag date sequence --start 2024-05-01T10:00 --order taken *.JPG
            in the order of the dates that they record now

      The order is that of the names as people count them, folder by folder: scan_2
      before scan_10, 'Scan' before 'Scan 1', whatever their endings. With --order
      taken it is that of the recorded dates, then of the names; photos without a
      date come last. The order in which the files are given changes nothing, and
      photos that don't meet --where aren't counted. All photos get their new date,
      also those that have one.
      """)

  @Option(
    help: ArgumentHelp("The first photo's date: 1975-06-01T12:00, perhaps with a zone.", valueName: "date"),
    transform: CaptureTime.argument)
  var start: CaptureTime

  @Option(
    help: ArgumentHelp("From one photo to the next. (default: 1s)", valueName: "duration"),
    transform: TimeShift.argument)
  var step: TimeShift?

  @Option(help: "What the photos are ordered by.")
  var order = DateSequence.Order.name

  @OptionGroup var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup var instead: FallbackOptions
  @OptionGroup var output: OutputOptions

  // The dates of the photos that were not reached count from all of them.
  var relativeChange: RelativeChange? { RelativeChange(resumption: order == .name ? .repetition : .none) }

  func validate() throws {
    if step == .zero { throw ValidationError("With --step 0s all would have one date: 'metatag date set' does that.") }
  }

  func run() async throws {
    let console = Console()
    // Before they are counted: those that aren't meant have no place in the sequence.
    let all = await photos(of: try input.files(console: console, separately: edit.separately))
    let photos = await edit.condition.photos(among: all, jobs: edit.work, console: console)
    var sequence = DateSequence(start: start, step: step ?? TimeShift(seconds: 1))
    sequence.order = order
    let taken = order == .taken || start.offset == nil ? await dates(of: photos) : [:]
    reportZones(of: Array(taken.values), console)
    guard let dates = sequence.dates(for: photos.map(\.input.path), taken: taken) else {
      throw SetupError("the last of \(photos.count) photos would leave the years 0 to 9999; take a shorter --step")
    }
    try await write(to: photos, on: console) { [start] photo in DatePlanner(.set(dates[photo.input.path] ?? start)) }
  }

  /// Where photos record several zones, a step on the clock is not one in time.
  private func reportZones(of times: [CaptureTime], _ console: Console) {
    let offsets = Set(times.compactMap(\.offset)).sorted { $0.seconds < $1.seconds }
    let isMixed = !offsets.isEmpty && times.contains { $0.offset == nil }
    if start.offset == nil, isMixed || offsets.count > 1 {
      let names = offsets.map(\.description) + (isMixed ? ["none"] : [])
      console.warn(
        "the photos record different zones (\(names.joined(separator: ", "))), which stay: the dates are a step apart on the "
          + "clock, not in time; a zone in --start is recorded in all")
    }
    if order == .taken, isMixed {
      console.warn("some of the photos record no zone: all are ordered by what the clocks showed")
    }
  }

  private func dates(of photos: [Photo]) async -> [FilePath: CaptureTime] {
    var dates: [FilePath: CaptureTime] = [:]
    _ = await orderedParallelMap(photos, width: edit.work.count) { photo in
      (photo.input.path, try? PhotoMetadata(photo).metadata.captureTime)
    } consume: { path, time in
      dates[path] = time
    }
    return dates
  }
}
