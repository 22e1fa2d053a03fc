/// Gives photos a date that is known as an instant: of their file's last change, or of the satellites that gave their
/// position. It is written as a clock at the photo's place showed it, never as that of UTC.
package struct InstantDatePlanner: Planner {
  /// Who knows the instant.
  public enum Source: Hashable, Sendable {
    /// The file was last changed then; nil when its file system doesn't say. Fractions of a second are left out.
    case file(Instant?)
    /// EXIF GPSDateStamp and GPSTimeStamp, or XMP's, of the photo.
    case satellites
  }

  /// Who knows it.
  package var source: Source
  /// Where the photos were taken. Nil asks the photo's place, then the offset that it records; photos of which neither
  /// is known are left.
  package var zone: Zone?
  /// What becomes of a date that is there.
  package var overwrite = Overwrite.keep

  /// GPS time began on 1980-01-06; what is earlier is a receiver's zero.
  private static let firstSatelliteTime = Instant(seconds: 315_964_800)

  private let zoneOfPlace: @Sendable (Coordinate) -> Zone?

  /// - Parameter zone: Which zone's time is kept at a place.
  package init(_ source: Source, zone: @escaping @Sendable (Coordinate) -> Zone?) {
    self.source = source
    zoneOfPlace = zone
  }

  /// The instant, as a clock at the photo's place showed it.
  package func propose(for metadata: Metadata) -> Proposal {
    .date(for: metadata, overwrite) { () throws(Reason) in
      let instant = try instant(metadata)
      guard let offset = offset(at: instant, metadata) else { throw .unknownZone(instant) }
      let time = try CaptureTime(instant, at: offset)
      return (time, .dated(time))
    }
  }

  private func instant(_ metadata: Metadata) throws(Reason) -> Instant {
    switch source {
    case .file(let instant):
      // Zero is what file systems without times, and programs that lost one, say.
      guard let instant, instant.seconds != 0 else { throw .noFileTime }
      return Instant(seconds: instant.seconds)
    case .satellites:
      let times = metadata.locations.compactMap(\.value.timestamp)
      guard let time = times.first(where: { $0 > InstantDatePlanner.firstSatelliteTime }) else {
        throw .noSatelliteTime
      }
      return time
    }
  }

  private func offset(at instant: Instant, _ metadata: Metadata) -> UTCOffset? {
    if let zone = zone ?? metadata.location.flatMap({ zoneOfPlace($0.coordinate) }) { return zone.offset(at: instant) }
    return metadata.datedOffsets.first
  }
}
