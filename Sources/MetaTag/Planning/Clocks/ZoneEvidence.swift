import SystemPackage

/// Evidence from a run's photos about the zones of their cameras' clocks, from photos that record their offset, or a
/// place and the satellites' time.
package struct ZoneEvidence: Sendable {
  /// A photo that gives evidence.
  struct Witness: Sendable {
    let name: String
    let time: CaptureTime
    let place: Coordinate?
    /// The recorded offset; nil if only the satellites' time gives evidence.
    let offset: UTCOffset?
    /// The time at which the position was measured.
    let fix: Instant?
  }

  /// The evidence by camera, only for cameras that took photos without an offset and therefore need it.
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

  /// Creates an empty collection.
  package init() {}

  /// Adds the evidence of a photo. Movies dated only by headers are ignored: these may be UTC or local time.
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

/// The cameras whose clocks didn't show local time, according to their own photos.
struct NonlocalClocks: Sendable {
  /// A photo that proves a clock not to be in local time.
  struct Proof: Codable, Sendable {
    let name: String
    let offset: UTCOffset
  }

  /// The evidence of one photo about its camera's clock.
  private struct ClockReference: Codable {
    /// The time on the clock, in seconds since 1970.
    let seconds: Int64
    /// The contradicting photo; nil if the clock showed local time.
    let stray: Proof?
    /// Whether the photo's place is unknown, so that it only gives evidence about photos of the same hours.
    var isAnywhere = false
  }

  private var clockReferences: [CameraBody: [ClockReference]] = [:]
  /// Seconds on a clock within which people don't travel far and set it.
  private static let near: Int64 = 43_200
  /// Seconds by which a clock in local time may be wrong, or a position old.
  private static let tolerance: Int64 = 900
  /// Seconds by which the satellites' time may differ from whole half hours to indicate a zone.
  private static let precision: Int64 = 120

  init() {}

  /// Creates the evidence for each camera.
  ///
  /// - Parameters:
  ///   - offsetOfPlace: Returns the offset of clocks at a place; for nil, at the track's position at that instant.
  ///   - correction: Returns the shift to add to a time of the camera.
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
          let stray = local == offset ? nil : Proof(name: photo.name, offset: offset)
          recorded.append(ClockReference(seconds: seconds, stray: stray, isAnywhere: local == nil))
        } else if let fix = photo.fix, let place = photo.place, let local = offsetOfPlace(place, fix) {
          let ahead = seconds + shift.seconds - fix.seconds
          let (quarter, rest) = ahead.nearestQuarterHour
          if abs(ahead - Int64(local.seconds)) <= Self.tolerance {
            recorded.append(ClockReference(seconds: seconds, stray: nil))
          } else if abs(rest) <= Self.precision, quarter % 1_800 == 0, let offset = UTCOffset(seconds: Int(quarter)) {
            measured.append(ClockReference(seconds: seconds, stray: Proof(name: photo.name, offset: offset)))
          }
        }
      }
      // A position may be an hour old: trust it only if no other photo contradicts it.
      let all = recorded + (recorded.contains { $0.stray == nil } ? [] : measured)
      if all.contains(where: { $0.stray != nil }) { clockReferences[body] = all }
    }
  }

  /// Returns the photo that contradicts reading `time`, of this camera, at `offset`. The nearest one in time decides,
  /// as clocks get set.
  func stray(against offset: UTCOffset, of time: CaptureTime, by body: CameraBody) -> Proof? {
    guard let clockReferences = clockReferences[body] else { return nil }
    let seconds = time.civil.secondsSince1970
    let nearest = clockReferences.lazy.map { (clockReference: $0, distance: abs($0.seconds - seconds)) }
      .filter { !$0.clockReference.isAnywhere || $0.distance <= Self.near }
      .min { $0.distance < $1.distance }?.clockReference
    return nearest?.stray.flatMap { $0.offset == offset ? nil : $0 }
  }
}

extension NonlocalClocks: Codable {
  init(from decoder: any Decoder) throws {
    clockReferences = try SortedPairs<CameraBody, [ClockReference]>(from: decoder).dictionary
  }

  func encode(to encoder: any Encoder) throws { try SortedPairs(clockReferences).encode(to: encoder) }
}
