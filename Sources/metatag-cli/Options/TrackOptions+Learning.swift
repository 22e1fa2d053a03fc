import MetaTag
import SystemPackage

extension TrackOptions {
  /// Lets `planner` know of the run's photos, as they were before an unfinished run corrected those that are `done`,
  /// which are read once: with `--offset auto` or `--sync` their cameras, else their zones now, and their order when
  /// one's time is in doubt. A movie needs those numbered beside it, whatever zone is given.
  func learn(
    from inputs: [Walk.Input], _ planner: inout PerCameraPlanner, _ console: Console, jobs: Int, _ done: DoneBefore
  ) async throws {
    guard learnsFirst || !sync.isEmpty || inputs.contains(where: { $0.path.isMovie }) else {
      return resolveDoubts(of: inputs, &planner, done)
    }
    var photos: [NumberedPhoto] = []
    var (zoneEvidence, movies) = (ZoneEvidence(), CameraMovies())
    var synced = SyncedCameras(replacing: planner.parts.contains { $0.planner.overwrite != .keep })
    // What can't be read is told when its turn comes.
    await TrackOptions.read(inputs, jobs) { _, _ in
    } taking: { photo in
      guard let photo = done.before(photo) else { return }
      zoneEvidence.take(photo)
      movies.take(photo)
      if !sync.isEmpty { synced.take(photo) }
      if offset == .auto { photos.append(photo) }
    }
    planner.movies = movies.found
    shareSightings(of: synced, &planner)
    reportClockReferences(of: synced, besides: planner.movies, console)
    let owners = planner
    if offset == .auto {
      for index in planner.parts.indices {
        // A movie without a name has no clock besides its camera's.
        let own = photos.filter { owners.movies[$0.path] == nil }.map(\.metadata).filter {
          (try? owners.index(for: $0)) == index
        }
        planner.parts[index].planner.resolveDoubts { [photos] in photos }
        estimateClocks(of: own, &planner.parts[index].planner, console)
      }
    } else {
      resolveDoubts(of: inputs, &planner, done)
    }
    for index in planner.parts.indices where learnsFirst {
      if learnsZones { planner.parts[index].planner.heed(zoneEvidence) }
      planner.parts[index].planner.diagnose(zoneEvidence)
    }
  }

  /// Reads the inputs once more when the first time is in doubt, which is seldom.
  private func resolveDoubts(of inputs: [Walk.Input], _ planner: inout PerCameraPlanner, _ done: DoneBefore) {
    for index in planner.parts.indices {
      planner.parts[index].planner.resolveDoubts {
        Photo.reading(inputs).compactMap { photo in
          (try? PhotoMetadata(photo).metadata).flatMap {
            done.before(NumberedPhoto(path: photo.input.path, metadata: $0))
          }
        }
      }
    }
  }

  /// Whether the photos' times are looked at before the first is changed.
  var learnsFirst: Bool { offset == .auto || learnsZones }

  /// Whether photos are read by the zone of their place, unless others of their camera contradict that.
  private var learnsZones: Bool { cameraZone == nil }

  private func estimateClocks(of photos: [Metadata], _ planner: inout GeotagPlanner, _ console: Console) {
    let zones = ZoneLookup(console: console)
    let (replaces, errors) = (planner.overwrite != .keep, planner.errors)
    let wanted = Set(photos.filter { replaces || fixDates || $0.location == nil }.map { CameraBody(of: $0) })
    planner.estimates = ClockEstimates(
      of: photos, on: planner.track, areMoments: !fromPhotos.isEmpty, clock: planner.clock,
      zone: { zones.zone(at: $0) }, where: { wanted.contains($0) && errors.drift(of: $0) == nil })
    for camera in planner.estimates.cameras {
      switch planner.estimates[camera.body] {
      case .success(let estimate): console.warn("\(camera.name.printable): \(estimate)")
      case .failure(.setAnew): console.warn("\(camera.name.printable): skipped: \(ClockAmbiguity.setAnew.words)")
      case .failure(.ambiguous), nil: break
      }
    }
  }

  /// What the inputs record, in their order, without those that can't be read.
  static func read(
    _ inputs: [Walk.Input], _ jobs: Int, failing report: (FilePath, FileError) -> Void
  ) async -> [NumberedPhoto] {
    var photos: [NumberedPhoto] = []
    await read(inputs, jobs, failing: report) { photos.append($0) }
    return photos
  }

  private static func read(
    _ inputs: [Walk.Input], _ jobs: Int, failing report: (FilePath, FileError) -> Void,
    taking take: (NumberedPhoto) -> Void
  ) async {
    _ = await orderedParallelMap(Photo.reading(inputs), width: jobs) { photo in
      (photo.input.path, Result { () throws(FileError) in try PhotoMetadata(photo).metadata })
    } consume: { path, result in
      switch result {
      case .success(let metadata): take(NumberedPhoto(path: path, metadata: metadata))
      case .failure(let error): report(path, error)
      }
    }
  }
}

extension FilePath {
  /// Whether its ending is one of movies.
  fileprivate var isMovie: Bool { ImageType.movieExtensions.contains(`extension`?.lowercased() ?? "") }
}
