import ArgumentParser
import MetaTag
import SystemPackage

/// Facts about clocks and zones that are learned from the run's photos, and reading of the tracks.
extension TrackOptions {
  /// Measures the errors of the clocks by --sync photos. Then reads the run's photos once and passes on what they show:
  /// with `--offset auto` or `--sync`, their cameras' clocks; otherwise, their zones; and their order, if a time is
  /// ambiguous. A movie always needs the photos numbered next to it.
  /// - Parameters:
  ///   - catalog: The catalog for --sync photos.
  ///   - done: Photos that an unfinished run corrected.
  func learn(
    from photos: LearningPhotos, _ planner: inout PerCameraPlanner, _ console: Console, jobs: Int,
    _ catalog: PhotoCatalog, _ done: EarlierChanges = EarlierChanges()
  ) async throws {
    let zones = ZoneLookup(console: console)
    var offsets: [CameraBody: UTCOffset] = [:]
    let errors = try clockErrors(console, planner, catalog, done, { zones.zone(at: $0) }, &offsets)
    for index in planner.parts.indices {
      planner.parts[index].planner.errors = errors
      planner.parts[index].planner.syncedOffsets = offsets
    }
    guard learnsFirst || !clock.sync.isEmpty || photos.haveMovies else {
      for index in planner.parts.indices { planner.parts[index].planner.resolveDoubts { photos.all } }
      return
    }
    var found: [NumberedPhoto] = []
    var (zoneEvidence, movies) = (ZoneEvidence(), CameraMovies())
    var synced = SyncedCameras(replacing: planner.parts.contains { $0.planner.overwrite != .keep })
    let photo = await photos.read(jobs: jobs) { index, photo in
      zoneEvidence.take(photo)
      movies.take(photo, at: index)
      if !clock.sync.isEmpty { synced.take(photo) }
      if clock.offset == .auto, !photos.areKept { found.append(photo) }
    }
    planner.movies = movies.found(photo)
    shareReferences(of: synced, &planner)
    reportClockReferences(of: synced, besides: planner.movies, catalog, console)
    let owners = planner
    for index in planner.parts.indices {
      if clock.offset == .auto {
        let kept: any Sequence<NumberedPhoto> = photos.areKept ? photos.all : found
        // A movie that doesn't name its camera has no clock of its own.
        let own = AnySequence(kept).lazy.filter { owners.movies[$0.path] == nil }.map(\.metadata).filter {
          (try? owners.index(for: $0)) == index
        }
        planner.parts[index].planner.resolveDoubts { [found] in photos.areKept ? photos.all : found }
        estimateClocks(of: own, &planner.parts[index].planner, console)
      } else {
        // Looks at all photos again if a time is ambiguous, which is rare.
        planner.parts[index].planner.resolveDoubts { photos.all }
      }
      guard learnsFirst else { continue }
      if learnsZones { planner.parts[index].planner.consider(zoneEvidence) }
      planner.parts[index].planner.diagnose(zoneEvidence)
    }
  }

  /// Whether the photos' times are read before any photo is changed.
  var learnsFirst: Bool { clock.offset == .auto || learnsZones }

  /// Whether photos are read by the zone of their location, unless other photos of their camera contradict it.
  private var learnsZones: Bool { clock.cameraZone == nil }

  private func estimateClocks(
    of photos: some Sequence<Metadata>, _ planner: inout GeotagPlanner, _ console: Console
  ) {
    let zones = ZoneLookup(console: console)
    let (replaces, errors) = (planner.overwrite != .keep, planner.errors)
    let wanted = Set(photos.filter { replaces || clock.fixDates || $0.location == nil }.map { CameraBody(of: $0) })
    planner.estimates = ClockEstimates(
      of: photos, on: planner.track, areMoments: !sources.fromPhotos.isEmpty, clock: planner.clock,
      zone: { zones.zone(at: $0) }, where: { wanted.contains($0) && errors.drift(of: $0) == nil })
    for camera in planner.estimates.cameras {
      switch planner.estimates[camera.body] {
      case .success(let estimate): console.warn("\(camera.name.printable): \(estimate)")
      case .failure(.reset): console.warn("\(camera.name.printable): skipped: \(ClockAmbiguity.reset.words)")
      case .failure(.ambiguous), nil: break
      }
    }
  }

  /// Reads photos in their order and passes each on with its index.
  static func read(
    _ photos: [Photo], _ jobs: Int, _ catalog: PhotoCatalog, failing report: (FilePath, FileError) -> Void,
    taking take: (Int, NumberedPhoto) -> Void
  ) async {
    _ = await orderedParallelMap(Array(photos.indices), width: jobs) { index in
      (index, Result { () throws(FileError) in try catalog.metadata(of: photos[index]) })
    } consume: { index, result in
      let path = photos[index].input.path
      switch result {
      case .success(let metadata): take(index, NumberedPhoto(path: path, metadata: metadata))
      case .failure(let error): report(path, error)
      }
    }
  }
}

/// The track for one camera's photos: `X-T4=alice.gpx`.
struct CameraTrack: Hashable, Sendable {
  let camera: CameraName
  let file: FilePath

  /// The first `=` is the separator: file names may contain more.
  static func argument(_ word: String) throws -> CameraTrack {
    let parts = Argv.bytes(of: word).split(separator: UInt8(ascii: "="), maxSplits: 1)
    guard parts.count == 2 else {
      throw ValidationError("expected a camera and its track: X-T4=alice.gpx")
    }
    return CameraTrack(camera: CameraName(try Argv.text(of: parts[0])), file: FilePath(rawBytes: parts[1]))
  }
}

extension TrackOptions {
  /// Returns one track for each camera that has its own, and one for all others, if there is one. Problems are
  /// reported, because photos may be skipped for them.
  func readTracks(_ console: Console, _ zone: @escaping TrackZone) throws -> [(camera: CameraName?, track: Track)] {
    var files: [(camera: CameraName?, files: [FilePath])] =
      sources.track.isEmpty ? [] : [(nil, sources.track.map(\.path))]
    for own in sources.trackOf {
      if let index = files.firstIndex(where: { $0.camera == own.camera }) {
        files[index].files.append(own.file)
      } else {
        files.append((own.camera, [own.file]))
      }
    }
    return try files.map { camera, files in
      let track = try TrackOptions.read(files, console, zone, bridging: matching.maxGap) {
        $0.keeping(within: matching.limits).adding(weeks: matching.addWeeks)
      }
      return (camera, track)
    }
  }

  /// Reads tracks for any command.
  static func read(
    _ files: [FilePath], _ console: Console, _ zone: @escaping TrackZone, bridging longest: TimeShift?,
    choosing: (Track) -> Track = { $0.keeping(within: FixLimits()) }
  ) throws -> Track {
    var tracks: [Track] = []
    for file in files {
      do throws(FileError) {
        let reading = try TrackReading(file, zone: zone)
        tracks += reading.tracks.map(choosing)
        for passed in reading.passed {
          console.warn("\(passed.name.printable): skipped: \(passed.reason.words.printable)")
        }
      } catch {
        throw SetupError("the track \(file.printable): \(error.words.printable)")
      }
    }
    for source in tracks.flatMap(\.sources) {
      let isCut = source.warnings.contains { if case .brokenOff = $0 { true } else { false } }
      let counts = tracks.count > 1 || isCut ? ["\(source.count) points (\(source.format))"] : []
      let rejected = source.rejected.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { "\($0.key.phrase(of: $0.value)) left out" }
      let warnings = source.warnings.map { joined($0.description, $0.remedy) }
      for line in counts + rejected + warnings {
        console.warn("\(source.name.printable): \(line.printable)")
      }
    }
    announce(
      TrackConflict.among(tracks, bridging: longest?.timeInterval ?? MatchRules().maxGap), console,
      remedy: "leave one out, or assign tracks to cameras with --track-of")
    let track = Track.merged(tracks)
    guard !track.isEmpty else { throw SetupError("the track has no point with a time and a position") }
    return track
  }

  /// Reports tracks that contradict each other.
  static func announce(
    _ found: (conflicts: [TrackConflict], isComplete: Bool), _ console: Console, remedy: String
  ) {
    if !found.isComplete {
      console.warn(
        "not all tracks were compared with each other, because too many are simultaneous or contradict each other;"
          + " where they do, photos are placed by the fixes closest in time")
    }
    for conflict in found.conflicts {
      let names = conflict.names.map(\.printable).joined(separator: " and ")
      let are = conflict.names.count == 1 ? "has two segments that are" : "are"
      console.warn(
        "\(names) \(are) \(Int(conflict.metres.rounded())) m apart at \(conflict.instant.inUTC ?? ""): photos"
          + " of that time are placed by the fixes closest in time; \(remedy)")
    }
  }
}
