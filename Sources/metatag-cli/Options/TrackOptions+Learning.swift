import MetaTag
import SystemPackage

extension TrackOptions {
  /// Reads the run's photos once and passes on what they show: with `--offset auto` or `--sync`, their cameras' clocks;
  /// otherwise, their zones; and their order, if a time is ambiguous. Photos that are `done` are used as they were
  /// before an unfinished run corrected them. A movie always needs the photos numbered next to it.
  func learn(
    from inputs: [Walk.Input], _ planner: inout PerCameraPlanner, _ console: Console, jobs: Int,
    _ catalog: PhotoCatalog, _ done: DoneBefore
  ) async throws {
    guard learnsFirst || !clock.sync.isEmpty || inputs.contains(where: { $0.path.isMovie }) else {
      return resolveDoubts(of: inputs, &planner, catalog, done)
    }
    var photos: [NumberedPhoto] = []
    var (zoneEvidence, movies) = (ZoneEvidence(), CameraMovies())
    var synced = SyncedCameras(replacing: planner.parts.contains { $0.planner.overwrite != .keep })
    // Files that can't be read are reported later, in their turn.
    await TrackOptions.read(inputs, jobs, catalog) { _, _ in
    } taking: { photo in
      guard let photo = done.before(photo) else { return }
      zoneEvidence.take(photo)
      movies.take(photo)
      if !clock.sync.isEmpty { synced.take(photo) }
      if clock.offset == .auto { photos.append(photo) }
    }
    planner.movies = movies.found
    shareSightings(of: synced, &planner)
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
      if learnsZones { planner.parts[index].planner.heed(zoneEvidence) }
      planner.parts[index].planner.diagnose(zoneEvidence)
    }
  }

  /// Looks at all inputs if a time is ambiguous, which is rare. Inputs that weren't read yet are read then.
  private func resolveDoubts(
    of inputs: [Walk.Input], _ planner: inout PerCameraPlanner, _ catalog: PhotoCatalog, _ done: DoneBefore
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
      case .failure(.setAnew): console.warn("\(camera.name.printable): skipped: \(ClockAmbiguity.setAnew.words)")
      case .failure(.ambiguous), nil: break
      }
    }
  }

  /// Returns the metadata of the inputs in order, without those that can't be read.
  static func read(
    _ inputs: [Walk.Input], _ jobs: Int, _ catalog: PhotoCatalog, failing report: (FilePath, FileError) -> Void
  ) async -> [NumberedPhoto] {
    var photos: [NumberedPhoto] = []
    await read(inputs, jobs, catalog, failing: report) { photos.append($0) }
    return photos
  }

  private static func read(
    _ inputs: [Walk.Input], _ jobs: Int, _ catalog: PhotoCatalog, failing report: (FilePath, FileError) -> Void,
    taking take: (NumberedPhoto) -> Void
  ) async {
    _ = await orderedParallelMap(Photo.reading(inputs), width: jobs) { photo in
      (photo.input.path, Result { () throws(FileError) in try catalog.metadata(of: photo) })
    } consume: { path, result in
      switch result {
      case .success(let metadata): take(NumberedPhoto(path: path, metadata: metadata))
      case .failure(let error): report(path, error)
      }
    }
  }
}

extension FilePath {
  /// Whether its extension is one of movies.
  fileprivate var isMovie: Bool { ImageType.movieExtensions.contains(`extension`?.lowercased() ?? "") }
}
