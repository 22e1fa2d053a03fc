import ArgumentParser
import MetaTag
import SystemPackage

/// Where receivers and phones were, the camera's clock, and how the two are matched.
struct TrackOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A track, a folder with all below it, or a zip archive of tracks; may be given several times. GPX, KML, KMZ, NMEA, IGC, TCX, FIT, "
        + "GeoJSON, CSV, Google's Timeline and Takeout, OwnTracks; gzipped too.", valueName: "file"))
  var track: [PathArgument] = []

  @Option(
    help: ArgumentHelp(
      "The track of whoever held this camera (model, serial number, or words of them): places its photos only, and no "
        + "other track does. May be given several times.", valueName: "camera=file"),
    transform: OwnTrack.argument)
  var trackOf: [OwnTrack] = []

  @Option(
    help: ArgumentHelp(
      "Photos and videos that have a place, with all folders below: they place others; may be given several times.",
      valueName: "folder"))
  var fromPhotos: [PathArgument] = []

  @Option(
    help: ArgumentHelp(
      "Of --from-photos, only this camera's: model, serial number, or words of them.", valueName: "name"),
    transform: TextArgument.argument)
  var guideCamera: [TextArgument] = []

  @Option(
    help: ArgumentHelp(
      "Zone of the camera's clock, for photos that don't record it: +09:00, Asia/Tokyo, Kyoto, @home.",
      valueName: "zone"),
    transform: Zone.argument)
  var cameraZone: Zone?

  @Option(
    help: ArgumentHelp(
      "Add this to the photos' times before looking: +1h23m, -40s; or auto: what the photos tell of each camera.",
      valueName: "duration|auto"),
    transform: ClockOffset.argument)
  var offset: ClockOffset?

  @Option(
    help: ArgumentHelp(
      "A photo of a clock that is right, and what it shows, or a photo and the place where the track passed: corrects "
        + "the camera that took it. Two or more of a camera also tell how its clock drifts.",
      valueName: "photo=time|place"),
    transform: SyncReference.argument)
  var sync: [SyncReference] = []

  @Option(
    help: ArgumentHelp(
      "Longest stay at a place of --sync that tells the clock's error: its middle, give or take half of it. Longer ones than 2m correct no dates. (default: 2m)",
      valueName: "duration"),
    transform: TimeShift.argument)
  var maxStay: TimeShift?

  @Flag(
    inversion: .prefixedNo,
    help: "Record the offset from UTC that was found in photos that record none.")
  var recordOffset = true

  @Flag(
    help: ArgumentHelp(
      "Place photos by an assumed time zone even where most photos of their camera are outside the track by it."))
  var trustClock = false

  @Flag(
    help: ArgumentHelp(
      "Also correct the dates of photos whose camera had a wrong clock (by --offset or --sync), even where the place is kept; not by a clock "
        + "that isn't known to the minute."
    ))
  var fixDates = false

  @Option(
    help: ArgumentHelp("Longest pause between two points that is bridged. (default: 30m)", valueName: "duration"),
    transform: TimeShift.argument)
  var maxGap: TimeShift?

  @Option(
    help: ArgumentHelp(
      "Longest way between two points that is bridged. (default: any; with --from-photos, 2km)", valueName: "distance"),
    transform: Measure.metres)
  var maxDistance: Double?

  @Option(
    help: ArgumentHelp("Greatest speed between two points that is believed. (default: any)", valueName: "speed"),
    transform: Measure.metresPerSecond)
  var maxSpeed: Double?

  @Flag(help: "Bridge the pause between two segments like any other.")
  var acrossSegments = false

  @Option(
    help: ArgumentHelp(
      "Outside the track, and in pauses that aren't bridged, take the nearest point if it is this near in time; not between "
        + "points that --max-distance or --max-speed finds too far apart. (default: never; with --from-photos, 30m)",
      valueName: "duration"),
    transform: TimeShift.argument)
  var nearestWithin: TimeShift?

  @Option(
    help: ArgumentHelp(
      "Leave out points whose dilution of precision (PDOP, else HDOP) is greater: 6. (default: none)",
      valueName: "number"),
    transform: Measure.number)
  var maxDop: Double?

  @Option(
    help: ArgumentHelp(
      "Leave out points that the receiver says may be off by more: 50m. (default: none)", valueName: "distance"),
    transform: Measure.metres)
  var maxAccuracy: Double?

  @Option(
    help: ArgumentHelp(
      "Add so many weeks to the tracks' dates: 1024 when a receiver's week counter has begun anew.", valueName: "number"
    ))
  var addWeeks = 0

  var hasTracks: Bool { !track.isEmpty || !trackOf.isEmpty }
  var isGiven: Bool { hasTracks || !fromPhotos.isEmpty }

  /// Whether clocks may be found to be wrong.
  var correctsClocks: Bool { offset != nil || !sync.isEmpty }

  func validate() throws {
    if hasTracks, !fromPhotos.isEmpty { throw ValidationError("--track and --from-photos exclude each other.") }
    if addWeeks != 0, !hasTracks { throw ValidationError("--add-weeks is about --track.") }
    guard (0...5_000).contains(addWeeks) else { throw ValidationError("--add-weeks is a number from 0 to 5000.") }
    if fromPhotos.isEmpty, !guideCamera.isEmpty { throw ValidationError("--guide-camera is about --from-photos.") }
    if [maxGap, nearestWithin].contains(where: { ($0?.seconds ?? 0) < 0 }) {
      throw ValidationError("--max-gap and --nearest-within can't be negative.")
    }
    if case .span? = offset, !sync.isEmpty {
      throw ValidationError(
        "--offset and --sync exclude each other: both say what a clock is wrong by. For cameras of which some are known by "
          + "the one and some by the other, two runs with --where.")
    }
    if fixDates, !isGiven || offset == nil && sync.isEmpty {
      throw ValidationError(
        "--fix-dates corrects dates by what --offset or --sync says of the clock: give one of them, with --track or "
          + "--from-photos.")
    }
    if let maxStay {
      if sync.isEmpty { throw ValidationError("--max-stay can only be used with --sync.") }
      if maxStay.seconds < 0 { throw ValidationError("--max-stay can't be negative.") }
    }
    if trustClock, !hasTracks { throw ValidationError("--trust-clock can only be used with --track or --track-of.") }
    let isAboutTracks =
      cameraZone != nil || offset != nil || maxGap != nil || acrossSegments || nearestWithin != nil || !recordOffset
      || maxDistance != nil || maxSpeed != nil || !sync.isEmpty || limits != FixLimits()
    if !isGiven, isAboutTracks {
      throw ValidationError(
        "--camera-zone, --offset, --sync, --record-offset, --max-gap, --max-distance, --max-speed, --max-dop, "
          + "--max-accuracy, --across-segments and --nearest-within are about --track and --from-photos.")
    }
  }

  /// How precise a point must be.
  var limits: FixLimits {
    var limits = FixLimits()
    (limits.dilution, limits.accuracy) = (maxDop, maxAccuracy)
    return limits
  }

  /// What is known, and how it is to be used. Throws when there is no point to begin with.
  /// - Parameter done: Photos that an unfinished run corrected.
  func planner(_ console: Console, jobs: Int, _ done: DoneBefore) async throws -> PerCameraPlanner {
    let zones = ZoneLookup(console: console)
    let zone: @Sendable (Coordinate) -> Zone? = { zones.zone(at: $0) }
    var planner = PerCameraPlanner([])
    if fromPhotos.isEmpty {
      planner.parts = try readTracks(console, zone).map { .init($0.camera, GeotagPlanner(track: $0.track, zone: zone)) }
    } else {
      var guided = GeotagPlanner(track: try await readGuides(console, jobs, zone), zone: zone)
      guided.reference = .photos
      guided.match.maxDistance = 2_000
      guided.match.nearestWithin = 1_800
      planner.parts = [.init(nil, guided)]
    }
    for index in planner.parts.indices { configure(&planner.parts[index].planner) }
    var offsets: [CameraBody: UTCOffset] = [:]
    let errors = try clockErrors(console, planner, done, zone, &offsets)
    for index in planner.parts.indices {
      planner.parts[index].planner.errors = errors
      planner.parts[index].planner.syncedOffsets = offsets
    }
    return planner
  }

  private func configure(_ planner: inout GeotagPlanner) {
    planner.match.maxGap = maxGap?.timeInterval ?? planner.match.maxGap
    planner.match.maxDistance = maxDistance ?? planner.match.maxDistance
    planner.match.maxSpeed = maxSpeed
    planner.match.acrossSegments = acrossSegments
    planner.match.nearestWithin = nearestWithin?.timeInterval ?? planner.match.nearestWithin
    planner.clock.zone = cameraZone
    planner.recordsOffset = recordOffset
    planner.fixesDates = fixDates
    planner.trustsClock = trustClock
  }

  /// The places and times of other photos. What can't be read is told: photos may miss it.
  private func readGuides(
    _ console: Console, _ jobs: Int, _ zone: @Sendable (Coordinate) -> Zone?
  ) async throws -> Track {
    var leftOut = Walk.LeftOut()
    let inputs = Walk.photos(in: fromPhotos.flatMap(\.paths), recursively: true, leftOut: &leftOut)
    if let sentence = leftOut.sentence { console.warn("--from-photos: \(sentence)") }
    let photos = await TrackOptions.read(inputs, jobs) { path, error in
      console.warn("--from-photos: \(path.printable): left out: \(error.words)")
    }
    .map(\.metadata)
    let cameras = guideCamera.map { CameraName($0.text) }
    let believed = cameras.isEmpty ? photos : CameraName.photos(photos, by: cameras)
    let references = Track.references(believed, zone: zone)
    for (count, lack) in [
      (references.withoutPlace, "no place"), (references.withoutFix, "0, 0, as devices do without a fix,"),
      (references.withoutInstant, "a place but no time in a known zone"),
    ] where count > 0 {
      let verbs = count == 1 ? ("records", "is") : ("record", "are")
      console.warn(
        "--from-photos: \(count) of \(believed.count.pluralized("photo")) \(verbs.0) \(lack) and \(verbs.1) left out")
    }
    guard cameras.isEmpty || !believed.isEmpty else {
      throw SetupError("none of the \(photos.count) photos in --from-photos is by such a camera: see 'metatag show'")
    }
    guard !references.tracks.isEmpty else {
      throw SetupError(
        "none of the \(believed.count) photos in --from-photos records a place and a time: nothing to do")
    }
    TrackOptions.announce(
      TrackConflict.among(references.tracks, bridging: maxGap?.timeInterval ?? MatchRules().maxGap), console,
      remedy: "say with --guide-camera whose photos to believe")
    return Track.merged(references.tracks).keeping(within: limits)
  }
}
