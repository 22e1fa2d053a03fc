import ArgumentParser
import GeoIndex
import MetaTag

struct GeotagCommand: PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "geotag",
    abstract: "Put photos in their place: from tracks, at coordinates, or by a place's name.",
    usage: "metatag geotag (--track <file> | --at <lat,lon> | --place <name>) [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag geotag --track day.gpx *.JPG
            each photo where the track was at its time
        metatag geotag --track day.gpx --offset +1h23m --camera-zone Asia/Tokyo *.JPG
            the camera's clock was 1 h 23 min slow, and no zone is recorded
        metatag geotag --at 35.0116,135.7681 *.JPG
        metatag geotag --place Kyoto *.JPG
            all of them in one place
        metatag geotag --track day.gpx --dry-run --recursive .
            only show what would change

      A photo that has a place keeps it, unless --overwrite replace is given.
      Between segments of a track and outside it nothing is guessed, unless
      --across-segments or --nearest-within is given. A photo that doesn't record
      its time zone needs --camera-zone: this computer's zone is never assumed.
      """)

  @Option(help: ArgumentHelp("A GPX track; may be given several times.", valueName: "file"))
  var track: [PathArgument] = []

  @Option(
    help: ArgumentHelp("The place's coordinates in WGS 84.", valueName: "lat,lon"),
    transform: Location.argument)
  var at: Location?

  @Option(help: ArgumentHelp("The place's name; see 'metatag place search'.", valueName: "name"))
  var place: TextArgument?

  @Option(help: "What to do with photos that have a place already.")
  var overwrite = Overwrite.keep

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Zone of the camera's clock, for photos that don't record it: +09:00, Asia/Tokyo.", valueName: "zone"),
    transform: Zone.argument)
  var cameraZone: Zone?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Add this to the photos' times before looking: +1h23m, -40s.", valueName: "duration"),
    transform: TimeShift.argument)
  var offset: TimeShift?

  @Option(
    help: ArgumentHelp("Longest pause in the track that is bridged. (default: 30m)", valueName: "duration"),
    transform: TimeShift.argument)
  var maxGap: TimeShift?

  @Flag(help: "Bridge the pause between two segments like any other.")
  var acrossSegments = false

  @Option(
    help: ArgumentHelp(
      "Outside the track, and in pauses that aren't bridged, take the nearest point if it is this near in time.",
      valueName: "duration"),
    transform: TimeShift.argument)
  var nearestWithin: TimeShift?

  @Flag(help: "Keep speed, course, precision and time of a replaced place's fix.")
  var keepCompanions = false

  @OptionGroup var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup var instead: FallbackOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    let sources = [!track.isEmpty, at != nil, place != nil].count { $0 }
    guard sources == 1 else { throw ValidationError("Give exactly one of --track, --at and --place.") }
    let isAboutTracks = cameraZone != nil || offset != nil || maxGap != nil || acrossSegments || nearestWithin != nil
    if [maxGap, nearestWithin].contains(where: { ($0?.seconds ?? 0) < 0 }) {
      throw ValidationError("--max-gap and --nearest-within can't be negative.")
    }
    if track.isEmpty, isAboutTracks {
      throw ValidationError(
        "--camera-zone, --offset, --max-gap, --across-segments and --nearest-within are about --track.")
    }
  }

  func planner(_ console: Console) throws -> any Planner {
    if track.isEmpty {
      var planner = PlacePlanner(try location(console))
      planner.overwrite = overwrite
      planner.keepsCompanions = keepCompanions
      return planner
    }
    var planner = GeotagPlanner(track: try readTracks(console))
    planner.match.maxGap = maxGap?.timeInterval ?? planner.match.maxGap
    planner.match.acrossSegments = acrossSegments
    planner.match.nearestWithin = nearestWithin?.timeInterval ?? planner.match.nearestWithin
    planner.clock.zone = cameraZone
    planner.correction = offset ?? .zero
    planner.overwrite = overwrite
    planner.keepsCompanions = keepCompanions
    return planner
  }

  /// The tracks as one. What was wrong with them is told, since photos may miss what was left out.
  private func readTracks(_ console: Console) throws -> Track {
    let tracks = try track.map { argument in
      do throws(PhotoError) {
        return try Track.read(argument.path)
      } catch {
        throw StartError("the track \(argument.path.printable): \(error)")
      }
    }
    let track = Track.merged(tracks)
    for source in track.sources {
      let rejected = source.rejected.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { "\($0.value) \($0.key.phrase) left out" }
      for line in rejected + source.warnings.map(\.sentence) { console.complain("\(source.name.printable): \(line)") }
    }
    guard !track.isEmpty else { throw StartError("the track has no point with a time and a place: nothing to do") }
    return track
  }

  private func location(_ console: Console) throws -> Location {
    if let at { return at }
    let name = place?.text ?? ""
    switch try GeoIndex.opened(telling: console).resolve(name) {
    case .one(let place): return try place.location
    case .ambiguous(let places):
      throw StartError(
        "'\(name.printable)' may be any of these; add a region or country, or use --at:"
          + places.map { "\n  --place '\($0.line)' (--at \($0.latitude),\($0.longitude))" }.joined())
    case .none(let suggestions):
      throw StartError(
        "no place is called '\(name.printable)'"
          + (suggestions.isEmpty ? "" : "; did you mean:" + suggestions.map { "\n  \($0.line)" }.joined()))
    }
  }
}
