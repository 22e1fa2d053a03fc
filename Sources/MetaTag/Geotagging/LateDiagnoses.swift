import Synchronization

extension GeotagPlanner {
  /// Finds the cameras whose clocks, as they are read, miss the track. Their few photos that fall inside by an assumed
  /// zone are not placed then.
  package mutating func diagnose(_ photos: ZoneEvidence) {
    lateDiagnoses = nil
    guard reference == .track else { return }
    let spans = TrackSpans(of: track, match)
    for (body, photos) in photos.unplaced {
      if case .success? = estimates[body] { continue }
      let readings = photos.map { photo in
        let correction = errors.correction(of: photo.time, for: body).timeInterval
        return offsets(of: photo, by: body).map { offset in
          photo.time.instant(at: offset).timeInterval(since: Instant(seconds: 0)) + correction
        }
      }
      diagnoses[body] = ClockDiagnosis(of: readings, in: spans)
      diagnoses[body]?.wasEstimated = estimates[body] != nil
    }
  }
}

/// A diagnosis of the cameras' clocks that is made lazily, when the first photo misses the track.
final class LateDiagnoses: Sendable {
  private let photos: @Sendable () -> [NumberedPhoto]
  private let found = Mutex<[CameraBody: ClockDiagnosis]?>(nil)

  /// Creates a diagnosis that calls `photos` once.
  init(_ photos: @escaping @Sendable () -> [NumberedPhoto]) { self.photos = photos }

  func found(by planner: GeotagPlanner) -> [CameraBody: ClockDiagnosis] {
    found.withLock { found in
      if let found { return found }
      var (planner, zoneEvidence) = (planner, ZoneEvidence())
      photos().forEach { zoneEvidence.take($0) }
      planner.diagnose(zoneEvidence)
      found = planner.diagnoses
      return planner.diagnoses
    }
  }
}
