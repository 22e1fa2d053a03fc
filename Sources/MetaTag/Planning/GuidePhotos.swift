/// Photos that know where they were taken, as a track for photos that don't: a phone's pictures place the camera's.
extension Track {
  /// What becomes of photos that are to guide others.
  public struct Guides: Sendable {
    /// Each camera's photos, as one segment in order of time.
    public let tracks: [Track]
    /// Photos that record a place but no instant, so that they guide nobody.
    public let withoutInstant: Int
    /// Photos without a place.
    public let withoutPlace: Int
    /// Photos at 0, 0, which devices write without a fix.
    public let withoutFix: Int
  }

  /// The places and instants that `photos` record.
  ///
  /// A photo's instant is its capture time at its own offset, else in the zone that `zone` says is kept at its place
  /// (when its clock showed that time there once), else the time of its position's fix (EXIF GPSTimeStamp). Where that proves the
  /// clock wrong, it is believed. Movies'
  /// headers without a zone are UTC or the clock's time: who knows.
  ///
  /// - Parameter zone: Which zone's time is kept at a place; asked only for photos that record no offset.
  public static func references(_ photos: [Metadata], zone: (Coordinate) -> Zone?) -> Guides {
    var cameras: [(body: CameraBody, name: String)] = []
    var points: [CameraBody: [TrackPoint]] = [:]
    var (withoutInstant, withoutPlace, withoutFix) = (0, 0, 0)
    for photo in photos {
      guard let location = photo.location else {
        if photo.isWithoutFix { withoutFix += 1 } else { withoutPlace += 1 }
        continue
      }
      let zone = photo.isDatedByHeaders ? nil : zone(location.coordinate)
      let read = photo.instant(in: nil) ?? photo.instant(in: zone)
      let instant =
        read.flatMap { photo.provenInstant(against: $0) ?? photo.laterFix(than: $0) }
        ?? read ?? location.timestamp
      guard let instant else {
        withoutInstant += 1
        continue
      }
      let point = TrackPoint(
        instant, location.coordinate, altitude: location.altitude, dilutionOfPrecision: location.dilutionOfPrecision,
        accuracy: location.horizontalError)
      let camera = CameraBody(of: photo)
      if points[camera] == nil { cameras.append((camera, photo.cameraName)) }
      points[camera, default: []].append(point)
    }
    let tracks = cameras.map { camera in
      var builder = TrackBuilder()
      points[camera.body]?.forEach { builder.add($0) }
      return builder.track(name: camera.name, format: "photos")
    }
    return Guides(tracks: tracks, withoutInstant: withoutInstant, withoutPlace: withoutPlace, withoutFix: withoutFix)
  }
}

extension Metadata {
  /// When the photo was taken, by its own offset or in `zone`.
  fileprivate func instant(in zone: Zone?) -> Instant? {
    (try? CameraClock(zone: zone).reading(of: self))?.instant
  }
}
