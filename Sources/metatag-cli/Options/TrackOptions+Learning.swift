import MetaTag
import SystemPackage

extension TrackOptions {
  /// Lets `planner` know of the run's photos: with `--offset auto` now, else their zones now,
  /// and their order when one's time is in doubt.
  func learn(
    from inputs: [Walk.Input], _ planner: inout OwnersPlanner, _ console: Console, jobs: Int
  ) async throws {
    let replaces = planner.parts.contains { $0.planner.overwrite != .keep }
    await tellSightings(among: inputs, replacing: replaces, console, jobs: jobs)
    guard offset == .auto else {
      for index in planner.parts.indices {
        planner.parts[index].planner.resolveDoubts {
          Shot.reading(inputs).compactMap { shot in
            (try? JoinedPhoto(shot).metadata).map { NumberedPhoto(path: shot.input.path, metadata: $0) }
          }
        }
      }
      if learnsFirst { await heedWitnesses(among: inputs, &planner, jobs: jobs) }
      return
    }
    // What can't be read is told when its turn comes.
    let photos = await TrackOptions.read(inputs, jobs) { _, _ in }
    var witnesses = ClockWitnesses()
    for photo in photos { witnesses.take(photo) }
    let owners = planner
    for index in planner.parts.indices {
      let own = photos.map(\.metadata).filter { (try? owners.index(for: $0)) == index }
      planner.parts[index].planner.resolveDoubts { photos }
      estimateClocks(of: own, &planner.parts[index].planner, console)
      if learnsZones { planner.parts[index].planner.heed(witnesses) }
      planner.parts[index].planner.diagnose(witnesses)
    }
  }

  /// Whether the photos' times are looked at before the first is changed.
  var learnsFirst: Bool { offset == .auto || learnsZones }

  /// Whether photos are read by the zone of their place, unless others of their camera contradict that.
  private var learnsZones: Bool { cameraZone == nil }

  private func heedWitnesses(among inputs: [Walk.Input], _ planner: inout OwnersPlanner, jobs: Int) async {
    var witnesses = ClockWitnesses()
    _ = await inOrder(Shot.reading(inputs), width: jobs) { shot in
      (try? JoinedPhoto(shot).metadata).map { NumberedPhoto(path: shot.input.path, metadata: $0) }
    } consume: { photo in
      if let photo { witnesses.take(photo) }
    }
    for index in planner.parts.indices {
      planner.parts[index].planner.heed(witnesses)
      planner.parts[index].planner.diagnose(witnesses)
    }
  }

  private func estimateClocks(of photos: [Metadata], _ planner: inout GeotagPlanner, _ console: Console) {
    let zones = ZoneLookup(telling: console)
    let (replaces, errors) = (planner.overwrite != .keep, planner.errors)
    let wanted = Set(photos.filter { replaces || fixDates || $0.location == nil }.map { CameraBody(of: $0) })
    planner.estimates = ClockEstimates(
      of: photos, on: planner.track, areMoments: !fromPhotos.isEmpty, clock: planner.clock,
      zone: { zones.zone(at: $0) }, where: { wanted.contains($0) && errors.drift(of: $0) == nil })
    for camera in planner.estimates.cameras {
      switch planner.estimates[camera.body] {
      case .success(let estimate): console.complain("\(camera.name.printable): \(estimate)")
      case .failure(.setAnew): console.complain("\(camera.name.printable): left alone: \(ClockDoubt.setAnew)")
      case .failure(.ambiguous), nil: break
      }
    }
  }

  /// What the inputs record, in their order, without those that can't be read.
  static func read(
    _ inputs: [Walk.Input], _ jobs: Int, failing report: (FilePath, PhotoError) -> Void
  ) async -> [NumberedPhoto] {
    var photos: [NumberedPhoto] = []
    _ = await inOrder(Shot.reading(inputs), width: jobs) { shot in
      (shot.input.path, Result { () throws(PhotoError) in try JoinedPhoto(shot).metadata })
    } consume: { path, result in
      switch result {
      case .success(let metadata): photos.append(NumberedPhoto(path: path, metadata: metadata))
      case .failure(let error): report(path, error)
      }
    }
    return photos
  }
}
