import ArgumentParser
import MetaTag
import SystemPackage

/// The tracks, the camera's clock, and how the two are matched.
struct TrackOptions: ParsableArguments {
  @OptionGroup(title: "Location sources") var sources: TrackSourceOptions
  @OptionGroup(title: "Camera clock") var clock: ClockOptions
  @OptionGroup(title: "Track matching") var matching: MatchOptions

  var hasTracks: Bool { !sources.track.isEmpty || !sources.trackOf.isEmpty }
  var isGiven: Bool { hasTracks || !sources.fromPhotos.isEmpty }

  /// Whether clocks may be corrected.
  var correctsClocks: Bool { clock.offset != nil || !clock.sync.isEmpty }

  func validate() throws {
    if hasTracks, !sources.fromPhotos.isEmpty {
      throw ValidationError("--track and --from-photos can't be used together.")
    }
    if matching.addWeeks != 0, !hasTracks { throw ValidationError("--add-weeks requires --track.") }
    guard (0...5_000).contains(matching.addWeeks) else {
      throw ValidationError("--add-weeks takes 0 to 5000.")
    }
    if sources.fromPhotos.isEmpty, !sources.guideCamera.isEmpty {
      throw ValidationError("--guide-camera requires --from-photos.")
    }
    if [matching.maxGap, matching.nearestWithin].contains(where: { ($0?.seconds ?? 0) < 0 }) {
      throw ValidationError("--max-gap and --nearest-within can't be negative.")
    }
    if case .span? = clock.offset, !clock.sync.isEmpty {
      throw ValidationError(
        "--offset and --sync can't be used together: both correct a clock. To use each for some of the cameras, run geotag "
          + "twice with --where.")
    }
    if clock.fixDates, !isGiven || clock.offset == nil && clock.sync.isEmpty {
      throw ValidationError(
        "--fix-dates requires --offset or --sync, with --track or --from-photos.")
    }
    if let maxStay = clock.maxStay {
      if clock.sync.isEmpty { throw ValidationError("--max-stay can only be used with --sync.") }
      if maxStay.seconds < 0 { throw ValidationError("--max-stay can't be negative.") }
    }
    if clock.trustClock, !hasTracks {
      throw ValidationError("--trust-clock can only be used with --track or --track-of.")
    }
    if !isGiven, let option = firstOption {
      throw ValidationError("\(option) can only be used with --track or --from-photos.")
    }
  }

  /// The first given option that needs a track or reference photos; nil if there is none.
  private var firstOption: String? {
    let options = [
      ("--camera-zone", clock.cameraZone != nil), ("--offset", clock.offset != nil), ("--sync", !clock.sync.isEmpty),
      ("--no-record-offset", !clock.recordOffset), ("--max-gap", matching.maxGap != nil),
      ("--max-distance", matching.maxDistance != nil), ("--max-speed", matching.maxSpeed != nil),
      ("--across-segments", matching.acrossSegments), ("--nearest-within", matching.nearestWithin != nil),
      ("--max-dop", matching.maxDop != nil), ("--max-accuracy", matching.maxAccuracy != nil),
    ]
    return options.first { $0.1 }?.0
  }

  /// Reads the tracks, or the photos that are the reference: one track for each camera that has its own, and one for all
  /// others, if there is one.
  /// - Throws: `SetupError` if the tracks have no usable point.
  func tracks(
    _ console: Console, jobs: Int, _ catalog: PhotoCatalog
  ) async throws -> [(camera: CameraName?, track: Track)] {
    let zones = ZoneLookup(console: console)
    let zone: @Sendable (Coordinate) -> Zone? = { zones.zone(at: $0) }
    guard !sources.fromPhotos.isEmpty else { return try readTracks(console, zone) }
    return [(nil, try await readReferencePhotos(console, jobs, catalog, zone))]
  }

  /// Returns the planner of a run, which knows nothing about the clocks yet.
  func planner(_ tracks: [(camera: CameraName?, track: Track)], _ console: Console) -> PerCameraPlanner {
    let zones = ZoneLookup(console: console)
    return PerCameraPlanner(
      tracks.map { camera, track in
        var planner = GeotagPlanner(track: track) { zones.zone(at: $0) }
        configure(&planner)
        return PerCameraPlanner.Part(camera, planner)
      })
  }

  private func configure(_ planner: inout GeotagPlanner) {
    if !sources.fromPhotos.isEmpty {
      planner.reference = .photos
      planner.match.maxDistance = 2_000
      planner.match.nearestWithin = 1_800
    }
    planner.match.maxGap = matching.maxGap?.timeInterval ?? planner.match.maxGap
    planner.match.maxDistance = matching.maxDistance ?? planner.match.maxDistance
    planner.match.maxSpeed = matching.maxSpeed
    planner.match.acrossSegments = matching.acrossSegments
    planner.match.nearestWithin = matching.nearestWithin?.timeInterval ?? planner.match.nearestWithin
    planner.clock.zone = clock.cameraZone
    planner.recordsOffset = clock.recordOffset
    planner.fixesDates = clock.fixDates
    planner.trustsClock = clock.trustClock
  }

  /// Reads the locations and times of other photos, and reports those that can't be read.
  private func readReferencePhotos(
    _ console: Console, _ jobs: Int, _ catalog: PhotoCatalog, _ zone: @Sendable (Coordinate) -> Zone?
  ) async throws -> Track {
    var leftOut = Walk.LeftOut()
    let inputs = Walk.photos(in: sources.fromPhotos.flatMap(\.paths), recursively: true, leftOut: &leftOut)
    if let sentence = leftOut.sentence { console.warn("--from-photos: \(sentence)") }
    let photos = Photo.reading(inputs)
    var cameras = CameraChoice(sources.guideCamera.map { CameraName($0.text) })
    if !sources.guideCamera.isEmpty {
      // Those that can't be read are reported below.
      await TrackOptions.read(photos, jobs, catalog) { _, _ in
      } taking: {
        cameras.consider($1.metadata)
      }
    }
    var (count, believed, collector) = (0, 0, ReferenceCollector())
    func skip(_ path: FilePath, _ reason: String) {
      console.warn("--from-photos: \(path.printable): skipped: \(reason)")
    }
    await TrackOptions.read(photos, jobs, catalog) { path, error in
      skip(path, error.words)
    } taking: { index, photo in
      // The location may be in the part that is missing.
      if photo.metadata.location == nil, let cut = photo.metadata.notes.first(where: { $0.code == .truncatedFile }) {
        return skip(photos[index].input.path, cut.words)
      }
      count += 1
      guard cameras.includes(photo.metadata) else { return }
      believed += 1
      collector.take(photo.metadata, zone: zone)
    }
    guard count > 0 else { throw SetupError("found no photo in --from-photos that can be read") }
    let references = collector.tracks
    for (count, problem) in [
      (references.withoutPlace, "no location"), (references.withoutFix, "0, 0 (no GPS fix)"),
      (references.withoutInstant, "a location but no time in a known zone"),
    ] where count > 0 {
      let verbs = count == 1 ? ("records", "is") : ("record", "are")
      console.warn(
        "--from-photos: \(count) of \(believed.pluralized("photo")) \(verbs.0) \(problem) and \(verbs.1) left out"
      )
    }
    guard sources.guideCamera.isEmpty || believed > 0 else {
      throw SetupError(
        "none of the \(count) photos in --from-photos was taken by such a camera; see 'metatag show'")
    }
    guard !references.tracks.isEmpty else {
      throw SetupError(
        "none of the \(believed) photos in --from-photos records a location and a time")
    }
    TrackOptions.announce(
      TrackConflict.among(references.tracks, bridging: matching.maxGap?.timeInterval ?? MatchRules().maxGap), console,
      remedy: "choose the camera to use with --guide-camera")
    return Track.merged(references.tracks).keeping(within: matching.limits)
  }
}

/// The points of a track that may locate a photo.
struct MatchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Longest time between two points to interpolate across. (default: 30m)", valueName: "duration"),
    transform: TimeShift.argument)
  var maxGap: TimeShift?

  @Option(
    help: ArgumentHelp(
      "Longest distance between two points to interpolate across. (default: any; with --from-photos, 2km)",
      valueName: "distance"),
    transform: Measure.metres)
  var maxDistance: Double?

  @Option(
    help: ArgumentHelp(
      "Highest speed between two points to interpolate across.", valueName: "speed"),
    transform: Measure.metresPerSecond)
  var maxSpeed: Double?

  @Flag(help: "Also interpolate between two segments of a track.")
  var acrossSegments = false

  @Option(
    help: ArgumentHelp(
      "Outside the track and in gaps, use the nearest point within this time. (default: never; with --from-photos, 30m)",
      valueName: "duration"),
    transform: TimeShift.argument)
  var nearestWithin: TimeShift?

  @Option(
    help: ArgumentHelp("Ignore points with a higher PDOP (or HDOP): 6.", valueName: "number"),
    transform: Measure.number)
  var maxDop: Double?

  @Option(
    help: ArgumentHelp("Ignore points with a larger recorded error: 50m.", valueName: "distance"),
    transform: Measure.metres)
  var maxAccuracy: Double?

  @Option(
    help: ArgumentHelp(
      "Add weeks to the track's dates, for a receiver whose week counter rolled over: 1024.", valueName: "number"))
  var addWeeks = 0

  /// The precision that a point must have.
  var limits: FixLimits {
    var limits = FixLimits()
    limits.dilution = maxDop
    limits.accuracy = maxAccuracy
    return limits
  }
}

/// The camera clock's zone and error.
struct ClockOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Time zone of the camera's clock, for photos that don't record one: +09:00, Asia/Tokyo, Kyoto, @home.",
      valueName: "zone"),
    transform: Zone.argument)
  var cameraZone: Zone?

  @Option(
    help: ArgumentHelp(
      "Add this to the photos' times: +1h23m, -40s. Or auto: estimate each camera's clock error from its photos.",
      valueName: "duration|auto"),
    transform: ClockOffset.argument)
  var offset: ClockOffset?

  @Option(
    help: ArgumentHelp(
      "Correct a camera's clock by one of its photos and the true time, or the place on the track. Repeatable; two or "
        + "more also correct the drift.",
      valueName: "photo=time|place"),
    transform: SyncReference.argument)
  var sync: [SyncReference] = []

  @Option(
    help: ArgumentHelp(
      "Longest stop of the track at a --sync place. (default: 2m)",
      valueName: "duration"),
    transform: TimeShift.argument)
  var maxStay: TimeShift?

  @Flag(inversion: .prefixedNo, help: "Record the UTC offset that was found in photos that have none.")
  var recordOffset = true

  @Flag(help: "Use an assumed time zone even if most photos of the camera are then outside the track.")
  var trustClock = false

  @Flag(
    help: ArgumentHelp(
      "Also correct the dates by --offset or --sync."))
  var fixDates = false
}
