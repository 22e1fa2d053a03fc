import ArgumentParser
import MetaTag
import SystemPackage

/// Facts about clocks and zones that are learned from the run's photos, and reading of the tracks.
extension TrackOptions {
  /// Reads the run's photos once and passes on what they show: with `--offset auto` or `--sync`, their cameras' clocks;
  /// otherwise, their zones; and their order, if a time is ambiguous. Photos that are `done` are used as they were
  /// before an unfinished run corrected them. A movie always needs the photos numbered next to it.
  func learn(
    from inputs: [Walk.Input], _ planner: inout PerCameraPlanner, _ console: Console, jobs: Int,
    _ catalog: PhotoCatalog, _ done: EarlierChanges
  ) async throws {
    guard learnsFirst || !clock.sync.isEmpty || inputs.contains(where: { $0.path.isMovie }) else {
      return resolveDoubts(of: inputs, &planner, catalog, done)
    }
    var photos: [NumberedPhoto] = []
    var (zoneEvidence, movies) = (ZoneEvidence(), CameraMovies())
    var synced = SyncedCameras(replacing: planner.parts.contains { $0.planner.overwrite != .keep })
    // Files that can't be read are reported later, in their turn.
    let files = Photo.reading(inputs)
    await TrackOptions.read(files, jobs, catalog) { _, _ in
    } taking: { index, photo in
      guard let photo = done.before(photo) else { return }
      zoneEvidence.take(photo)
      movies.take(photo, at: index)
      if !clock.sync.isEmpty { synced.take(photo) }
      if clock.offset == .auto { photos.append(photo) }
    }
    planner.movies = movies.found { index in
      (try? catalog.metadata(of: files[index])).flatMap {
        done.before(NumberedPhoto(path: files[index].input.path, metadata: $0))
      }
    }
    shareReferences(of: synced, &planner)
    reportClockReferences(of: synced, besides: planner.movies, catalog, console)
    let owners = planner
    if clock.offset == .auto {
      for index in planner.parts.indices {
        // A movie that doesn't name its camera has no clock of its own.
        let own = photos.filter { owners.movies[$0.path] == nil }.map(\.metadata).filter {
          (try? owners.index(for: $0)) == index
        }
        planner.parts[index].planner.resolveDoubts { [photos] in photos }
        estimateClocks(of: own, &planner.parts[index].planner, console)
      }
    } else {
      resolveDoubts(of: inputs, &planner, catalog, done)
    }
    for index in planner.parts.indices where learnsFirst {
      if learnsZones { planner.parts[index].planner.consider(zoneEvidence) }
      planner.parts[index].planner.diagnose(zoneEvidence)
    }
  }

  /// Looks at all inputs if a time is ambiguous, which is rare. Inputs that weren't read yet are read then.
  private func resolveDoubts(
    of inputs: [Walk.Input], _ planner: inout PerCameraPlanner, _ catalog: PhotoCatalog, _ done: EarlierChanges
  ) {
    for index in planner.parts.indices {
      planner.parts[index].planner.resolveDoubts {
        Photo.reading(inputs).compactMap { photo in
          (try? catalog.metadata(of: photo)).flatMap {
            done.before(NumberedPhoto(path: photo.input.path, metadata: $0))
          }
        }
      }
    }
  }

  /// Whether the photos' times are read before any photo is changed.
  var learnsFirst: Bool { clock.offset == .auto || learnsZones }

  /// Whether photos are read by the zone of their location, unless other photos of their camera contradict it.
  private var learnsZones: Bool { clock.cameraZone == nil }

  private func estimateClocks(of photos: [Metadata], _ planner: inout GeotagPlanner, _ console: Console) {
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

  /// Returns the metadata of the inputs in order, without those that can't be read.
  static func read(
    _ inputs: [Walk.Input], _ jobs: Int, _ catalog: PhotoCatalog, failing report: (FilePath, FileError) -> Void
  ) async -> [NumberedPhoto] {
    var photos: [NumberedPhoto] = []
    await read(Photo.reading(inputs), jobs, catalog, failing: report) { photos.append($1) }
    return photos
  }

  /// Reads photos in their order and passes each on with its index.
  private static func read(
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

extension FilePath {
  /// Whether its extension is one of movies.
  fileprivate var isMovie: Bool { ImageType.movieExtensions.contains(`extension`?.lowercased() ?? "") }
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
