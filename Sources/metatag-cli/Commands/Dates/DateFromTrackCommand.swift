import ArgumentParser
import MetaTag
import SystemPackage

/// `metatag date from-track`: sets the date of located photos from a track.
struct DateFromTrackCommand: PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "from-track",
    abstract: "Set the date of located photos from a track.",
    usage: "metatag date from-track --track <file> [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date from-track --track day.gpx scans/*.tif
            the time when the track was closest, within 50 m of the photo
        metatag date from-track --track day.gpx --in-order scans/*.tif
            if the track passed twice, the photos before and after decide
        metatag date from-track --track day.gpx --overwrite replace *.JPG
            replace dates that a wrong clock wrote

      The date is the local time at the photo's location, with its UTC offset, to
      the second. If the track passed several times, or stopped for longer than
      --max-stay, the photo is skipped and the times are listed, unless the photo
      records the day and that leaves one. Photos with a date keep it.
      """)

  @Option(
    help: ArgumentHelp("Track file, folder of tracks, or zip archive of tracks. Repeatable.", valueName: "file"))
  var track: [PathArgument] = []

  @Option(
    help: ArgumentHelp("Largest distance between the track and the photo. (default: 50m)", valueName: "distance"),
    transform: Measure.metres)
  var maxDistance: Double?

  @Option(
    help: ArgumentHelp("Longest stop near the photo to take a time from. (default: 30m)", valueName: "duration"),
    transform: TimeShift.argument)
  var maxStay: TimeShift?

  @Option(
    help: ArgumentHelp("Longest time between two points to interpolate across. (default: 30m)", valueName: "duration"),
    transform: TimeShift.argument)
  var maxGap: TimeShift?

  @Flag(help: "The photos of a folder were taken in the order given: use it to choose between several times.")
  var inOrder = false

  @OptionGroup var dating: DatingOptions
  @OptionGroup(title: "Files") var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup(title: "Fallback for HEIF and AVIF", visibility: .shared) var instead: FallbackOptions
  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions

  func validate() throws {
    if track.isEmpty { throw ValidationError("Give a track with --track.") }
    if [maxStay, maxGap].contains(where: { ($0?.seconds ?? 0) < 0 }) {
      throw ValidationError("--max-stay and --max-gap can't be negative.")
    }
  }

  func run() async throws {
    let console = input.console
    let zones = ZoneLookup(console: console)
    let tracks = try TrackOptions.read(track.map(\.path), console, { zones.zone(at: $0) }, bridging: maxGap)
    var planner = TrackTimePlanner(TrackVisits(of: tracks)) { zones.zone(at: $0) }
    planner.maxDistance = maxDistance ?? planner.maxDistance
    planner.maxStay = maxStay?.timeInterval ?? planner.maxStay
    planner.maxGap = maxGap?.timeInterval ?? planner.maxGap
    planner.zone = dating.zone
    planner.overwrite = dating.overwrite.rule
    let catalog = edit.condition.catalog
    let photos = await photos(of: try input.files(console: console, separately: edit.separately), catalog)
    let own = inOrder ? await planners(photos, planner, catalog) : [:]
    try await write(to: photos, on: console, catalog) { [planner] photo in own[photo.input.path] ?? planner }
  }

  /// Returns a planner for each photo that knows its neighbours: the photos of the same camera in the same folder.
  private func planners(
    _ photos: [Photo], _ planner: TrackTimePlanner, _ catalog: PhotoCatalog
  ) async -> [FilePath: TrackTimePlanner] {
    struct Row: Hashable {
      let folder: FilePath
      let camera: CameraBody
    }
    var rows: [Row: [(path: FilePath, metadata: Metadata)]] = [:]
    _ = await MetaTag.orderedParallelMap(photos, width: edit.work.count) { photo in
      (photo.input.path, try? catalog.metadata(of: photo))
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
