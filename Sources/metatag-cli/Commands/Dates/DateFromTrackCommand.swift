import ArgumentParser
import MetaTag
import SystemPackage

struct DateFromTrackCommand: PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "from-track",
    abstract: "Give located photos the time at which a track was at their place.",
    usage: "metatag date from-track --track <file> [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date from-track --track day.gpx scans/*.tif
            when the track was nearest, within 50 m of each photo's place
        metatag date from-track --track day.gpx --in-order scans/*.tif
            where the track was twice, the photos before and after decide
        metatag date from-track --track day.gpx --overwrite replace *.JPG
            also photos that have a date, of a clock that was wrong

      The time is that of a clock at the place, with its offset from UTC, to the
      second. A photo at whose place the track was several times, or stayed for longer
      than --max-stay, is left alone and told the times, unless it records the day,
      which then decides. Photos that have a date keep it.
      """)

  @Option(
    help: ArgumentHelp("A track, or a folder or zip archive of tracks; may be given several times.", valueName: "file"))
  var track: [PathArgument] = []

  @Option(
    help: ArgumentHelp("How near the track must have been. (default: 50m)", valueName: "distance"),
    transform: Measure.metres)
  var maxDistance: Double?

  @Option(
    help: ArgumentHelp("Longest stay near the place that tells the time. (default: 30m)", valueName: "duration"),
    transform: TimeShift.argument)
  var maxStay: TimeShift?

  @Option(
    help: ArgumentHelp("Longest pause between two points that is bridged. (default: 30m)", valueName: "duration"),
    transform: TimeShift.argument)
  var maxGap: TimeShift?

  @Flag(help: "The photos of a folder were taken in the order in which they are given, or named: neighbours decide.")
  var inOrder = false

  @OptionGroup var dating: DatingOptions
  @OptionGroup var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup var instead: FallbackOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if track.isEmpty { throw ValidationError("Say where the photographer was: --track.") }
    if [maxStay, maxGap].contains(where: { ($0?.seconds ?? 0) < 0 }) {
      throw ValidationError("--max-stay and --max-gap can't be negative.")
    }
  }

  func run() async throws {
    let console = Console()
    let zones = ZoneLookup(console: console)
    let tracks = try TrackOptions.read(track.map(\.path), console, { zones.zone(at: $0) }, bridging: maxGap)
    var planner = TrackTimePlanner(TrackVisits(of: tracks)) { zones.zone(at: $0) }
    planner.maxDistance = maxDistance ?? planner.maxDistance
    planner.maxStay = maxStay?.timeInterval ?? planner.maxStay
    planner.maxGap = maxGap?.timeInterval ?? planner.maxGap
    planner.zone = dating.zone
    planner.overwrite = dating.overwrite.rule
    let photos = await photos(of: try input.files(console: console, separately: edit.separately))
    let own = inOrder ? await planners(photos, planner) : [:]
    try await write(to: photos, on: console) { [planner] photo in own[photo.input.path] ?? planner }
  }

  /// A planner for each photo that knows its neighbours: those of the same camera in the same folder.
  private func planners(_ photos: [Photo], _ planner: TrackTimePlanner) async -> [FilePath: TrackTimePlanner] {
    struct Row: Hashable {
      let folder: FilePath
      let camera: CameraBody
    }
    var rows: [Row: [(path: FilePath, metadata: Metadata)]] = [:]
    _ = await MetaTag.orderedParallelMap(photos, width: edit.work.count) { photo in
      (photo.input.path, try? PhotoMetadata(photo).metadata)
    } consume: { path, metadata in
      guard let metadata else { return }
      rows[Row(folder: path.removingLastComponent(), camera: CameraBody(of: metadata)), default: []]
        .append((path, metadata))
    }
    var planners: [FilePath: TrackTimePlanner] = [:]
    for row in rows.values {
      for (photo, planner) in zip(row, planner.planners(inOrderOf: row.map(\.metadata))) {
        planners[photo.path] = planner
      }
    }
    return planners
  }
}
