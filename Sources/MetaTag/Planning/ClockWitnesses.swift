import SystemPackage

/// What a run's photos tell of the zones that their cameras' clocks were in: those that record their offset, or a place and the
/// satellites' time.
public struct ClockWitnesses: Sendable {
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
  var ofNeedy: [CameraBody: [Witness]] { witnesses.filter { needy.contains($0.key) } }
  private var witnesses: [CameraBody: [Witness]] = [:]
  private var needy: Set<CameraBody> = []

  /// None yet.
  public init() {}

  /// Takes what a photo tells. A movie's headers tell nothing: they are UTC or the clock's time, who knows.
  public mutating func take(_ photo: NumberedPhoto) {
    let metadata = photo.metadata
    guard metadata.model != nil, let time = metadata.captureTime, !metadata.isDatedByHeaders else { return }
    let offset = (try? CameraClock().reading(of: metadata))?.offset
    let body = CameraBody(of: metadata)
    if offset == nil { needy.insert(body) }
    let fix = metadata.location?.timestamp
    guard offset != nil || fix != nil else { return }
    witnesses[body, default: []].append(
      Witness(
        name: photo.path.lastComponent?.string ?? "", time: time, place: metadata.location?.coordinate, offset: offset,
        fix: fix))
  }
}

/// The cameras whose clocks did not show the time of where they were, as their own photos tell.
struct StrayClocks: Sendable {
  /// A photo that tells so.
  struct Stray: Sendable {
    let name: String
    let offset: UTCOffset
    /// What its clock showed, where nobody knows its place: then it is about photos of those hours only.
    let civil: CivilTime?
  }

  private var strays: [CameraBody: [Stray]] = [:]
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
    _ witnesses: ClockWitnesses, correction: (CaptureTime, CameraBody) -> TimeShift,
    offsetOfPlace: (Coordinate?, Instant) -> UTCOffset?
  ) {
    for (body, photos) in witnesses.ofNeedy {
      var (recorded, measured): ([Stray], [Stray]) = ([], [])
      var showsLocalTime = false
      for photo in photos {
        let shift = correction(photo.time, body)
        if let offset = photo.offset {
          let local = offsetOfPlace(photo.place, photo.time.instant(at: offset).adding(shift))
          if local == offset {
            showsLocalTime = true
          } else {
            recorded.append(Stray(name: photo.name, offset: offset, civil: local == nil ? photo.time.civil : nil))
          }
        } else if let fix = photo.fix, let place = photo.place, let local = offsetOfPlace(place, fix) {
          let ahead = photo.time.civil.secondsSince1970 + shift.seconds - fix.seconds
          let (quarter, rest) = ahead.nearestQuarterHour
          if abs(ahead - Int64(local.seconds)) <= Self.tolerance {
            showsLocalTime = true
          } else if abs(rest) <= Self.precision, quarter % 1_800 == 0, let offset = UTCOffset(seconds: Int(quarter)) {
            measured.append(Stray(name: photo.name, offset: offset, civil: nil))
          }
        }
      }
      // A position may be old by an hour: it is believed only where no other photo speaks against it.
      strays[body] = recorded + (showsLocalTime ? [] : measured)
    }
  }

  /// A photo that speaks against reading `time`, of this camera, at `offset`.
  func stray(against offset: UTCOffset, of time: CaptureTime, by body: CameraBody) -> Stray? {
    strays[body]?.first { stray in
      let distance = stray.civil.map { abs($0.secondsSince1970 - time.civil.secondsSince1970) } ?? 0
      return stray.offset != offset && distance <= Self.near
    }
  }
}
