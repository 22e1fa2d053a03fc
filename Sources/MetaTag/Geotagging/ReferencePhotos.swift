/// Reference photos: photos that record their place, as a track for photos that don't. For example, a phone's pictures
/// place the camera's.
extension Track {
  /// The tracks made from reference photos, with the number of photos that couldn't be used.
  public struct ReferenceTracks: Sendable {
    /// Each camera's photos, as one segment in order of time.
    public let tracks: [Track]
    /// The number of photos that record a place but no instant, so that they can't be used.
    public let withoutInstant: Int
    /// The number of photos without a place.
    public let withoutPlace: Int
    /// The number of photos at 0, 0, which devices write without a fix.
    public let withoutFix: Int
  }

  /// Returns the places and instants that `photos` record.
  ///
  /// A photo's instant is its capture time at its own offset, or in the zone of its place if the clock showed that time
  /// once there; otherwise the time of its position's fix (EXIF GPSTimeStamp). If the fix proves the clock wrong, the
  /// time of the fix is used. Headers of movies without a zone aren't used: they may be UTC or local time.
  ///
  /// - Parameters:
  ///   - photos: The metadata of the photos.
  ///   - zone: Returns the time zone at a place.
  public static func references(_ photos: some Sequence<Metadata>, zone: (Coordinate) -> Zone?) -> ReferenceTracks {
    var found = ReferenceCollector()
    for photo in photos { found.take(photo, zone: zone) }
    return found.tracks
  }
}

/// Collects the points of reference photos. The photos needn't be in memory together.
package struct ReferenceCollector {
  private var cameras: [(body: CameraBody, name: String)] = []
  private var points: [CameraBody: [TrackPoint]] = [:]
  private var (withoutInstant, withoutPlace, withoutFix) = (0, 0, 0)

  /// Creates a collector without photos.
  package init() {}

  /// Adds a photo; see ``Track/references(_:zone:)``.
  package mutating func take(_ photo: Metadata, zone: (Coordinate) -> Zone?) {
    guard let location = photo.location else {
      if photo.isWithoutFix { withoutFix += 1 } else { withoutPlace += 1 }
      return
    }
    let zone = photo.isDatedByHeaders ? nil : zone(location.coordinate)
    let read = photo.instant(in: nil) ?? photo.instant(in: zone)
    let instant =
      read.flatMap { photo.provenInstant(against: $0) ?? photo.laterFix(than: $0) }
      ?? read ?? location.timestamp
    guard let instant else {
      withoutInstant += 1
      return
    }
    let point = TrackPoint(
      instant, location.coordinate, altitude: location.altitude, dilutionOfPrecision: location.dilutionOfPrecision,
      accuracy: location.horizontalError)
    let camera = CameraBody(of: photo)
    if points[camera] == nil { cameras.append((camera, photo.cameraName)) }
    points[camera, default: []].append(point)
  }

  /// The tracks of the photos so far.
  package var tracks: Track.ReferenceTracks {
    let tracks = cameras.map { camera in
      var builder = TrackBuilder()
      points[camera.body]?.forEach { builder.add($0) }
      return builder.track(name: camera.name, format: "photos")
    }
    return Track.ReferenceTracks(
      tracks: tracks, withoutInstant: withoutInstant, withoutPlace: withoutPlace, withoutFix: withoutFix)
  }
}

extension Metadata {
  /// Returns when the photo was taken, by its own offset or in `zone`.
  fileprivate func instant(in zone: Zone?) -> Instant? {
    (try? CameraClock(zone: zone).reading(of: self))?.instant
  }
}
