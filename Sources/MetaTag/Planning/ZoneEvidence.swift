import SystemPackage

/// What a run's photos tell of the zones that their cameras' clocks were in: those that record their offset, or a place
/// and the satellites' time.
package struct ZoneEvidence: Sendable {
  /// One such photo.
  struct Witness: Sendable {
    let name: String
    let time: CaptureTime
    let place: Coordinate?
    /// As it records it; nil where the satellites' time tells it.
    let offset: UTCOffset?
    /// When its position was measured.
    let fix: Instant?
  }

  /// By camera; of those only that took photos without an offset, which need a witness.
  var ofNeedy: [CameraBody: [Witness]] { zoneEvidence.filter { needy.contains($0.key) } }
  private var zoneEvidence: [CameraBody: [Witness]] = [:]
  private var needy: Set<CameraBody> = []

  /// A time that a photo recorded.
  struct Shown: Hashable, Sendable {
    let time: CaptureTime
    let offset: UTCOffset?
  }

  /// The times of the photos without a place, which a track may place.
  private(set) var unplaced: [CameraBody: [Shown]] = [:]

  /// None yet.
  package init() {}

  /// Takes what a photo tells. A movie's headers tell nothing: they are UTC or the clock's time, who knows.
  package mutating func take(_ photo: NumberedPhoto) {
    let metadata = photo.metadata
    guard metadata.model != nil, let time = metadata.captureTime, !metadata.isDatedByHeaders else { return }
    let offset = (try? CameraClock().reading(of: metadata))?.offset
    let body = CameraBody(of: metadata)
    if metadata.location == nil { unplaced[body, default: []].append(Shown(time: time, offset: offset)) }
    if offset == nil { needy.insert(body) }
    let fix = metadata.location?.timestamp
    guard offset != nil || fix != nil else { return }
    zoneEvidence[body, default: []].append(
      Witness(
        name: photo.path.lastComponent?.string ?? "", time: time, place: metadata.location?.coordinate, offset: offset,
        fix: fix))
  }
}

/// The cameras whose clocks did not show the time of where they were, as their own photos tell.
struct NonlocalClocks: Sendable {
  /// A photo that tells so.
  struct Stray: Sendable {
    let name: String
    let offset: UTCOffset
  }

  /// What a photo tells of its camera's clock, when that showed `civil`.
  private struct ClockReference {
    /// Since 1970, on the clock.
    let seconds: Int64
    /// Nil: it showed the time of its place.
    let stray: Stray?
    /// Where nobody knows its place, it is about photos of those hours only.
    var isAnywhere = false
  }

  private var clockReferences: [CameraBody: [ClockReference]] = [:]
  /// Seconds on a clock within which nobody flies far and sets it.
  private static let near: Int64 = 43_200
  /// Seconds by which a clock may be wrong, or a position old, that is still local time.
  private static let tolerance: Int64 = 900
  /// Seconds by which the satellites' time may miss whole half hours that tell a zone.
  private static let precision: Int64 = 120

  init() {}

  /// - Parameters:
  ///   - offsetOfPlace: That of the clocks at a place; nil for the place where the track was then.
  ///   - correction: What must be added to a time of the camera.
  init(
    _ zoneEvidence: ZoneEvidence, correction: (CaptureTime, CameraBody) -> TimeShift,
    offsetOfPlace: (Coordinate?, Instant) -> UTCOffset?
  ) {
    for (body, photos) in zoneEvidence.ofNeedy {
      var (recorded, measured): ([ClockReference], [ClockReference]) = ([], [])
      for photo in photos {
        let shift = correction(photo.time, body)
        let seconds = photo.time.civil.secondsSince1970
        if let offset = photo.offset {
          let local = offsetOfPlace(photo.place, photo.time.instant(at: offset).adding(shift))
          let stray = local == offset ? nil : Stray(name: photo.name, offset: offset)
          recorded.append(ClockReference(seconds: seconds, stray: stray, isAnywhere: local == nil))
        } else if let fix = photo.fix, let place = photo.place, let local = offsetOfPlace(place, fix) {
          let ahead = seconds + shift.seconds - fix.seconds
          let (quarter, rest) = ahead.nearestQuarterHour
          if abs(ahead - Int64(local.seconds)) <= Self.tolerance {
            recorded.append(ClockReference(seconds: seconds, stray: nil))
          } else if abs(rest) <= Self.precision, quarter % 1_800 == 0, let offset = UTCOffset(seconds: Int(quarter)) {
            measured.append(ClockReference(seconds: seconds, stray: Stray(name: photo.name, offset: offset)))
          }
        }
      }
      // A position may be old by an hour: it is believed only where no other photo speaks against it.
      let all = recorded + (recorded.contains { $0.stray == nil } ? [] : measured)
      if all.contains(where: { $0.stray != nil }) { clockReferences[body] = all }
    }
  }

  /// A photo that speaks against reading `time`, of this camera, at `offset`: the nearest one decides, as clocks are
  /// set.
  func stray(against offset: UTCOffset, of time: CaptureTime, by body: CameraBody) -> Stray? {
    guard let clockReferences = clockReferences[body] else { return nil }
    let seconds = time.civil.secondsSince1970
    let nearest = clockReferences.lazy.map { (clockReference: $0, distance: abs($0.seconds - seconds)) }
      .filter { !$0.clockReference.isAnywhere || $0.distance <= Self.near }
      .min { $0.distance < $1.distance }?.clockReference
    return nearest?.stray.flatMap { $0.offset == offset ? nil : $0 }
  }
}
