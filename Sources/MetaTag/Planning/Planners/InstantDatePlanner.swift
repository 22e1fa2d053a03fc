/// Gives photos a date that is known as an instant: the last change of the file, or the satellites' time of the
/// position. It is written as a clock at the photo's place showed it, never in UTC.
package struct InstantDatePlanner: Planner {
  /// The source of the instant.
  package enum Source: Hashable, Sendable {
    /// The file's last change, without fractions of a second; nil when the file system doesn't record it.
    case file(Instant?)
    /// EXIF GPSDateStamp and GPSTimeStamp, or XMP's.
    case satellites
  }

  /// The source of the instant.
  package var source: Source
  /// The zone where the photos were taken. With nil, the zone of the photo's place or else its recorded offset is used;
  /// photos with neither stay unchanged.
  package var zone: Zone?
  /// Whether to replace an existing date.
  package var overwrite = Overwrite.keep

  /// The beginning of GPS time, 1980-01-06; an earlier time is a receiver's zero.
  private static let firstSatelliteTime = Instant(seconds: 315_964_800)

  private let zoneOfPlace: @Sendable (Coordinate) -> Zone?

  /// Creates a planner.
  ///
  /// - Parameter zone: Returns the time zone at a place.
  package init(_ source: Source, zone: @escaping @Sendable (Coordinate) -> Zone?) {
    self.source = source
    zoneOfPlace = zone
  }

  /// Proposes the instant as a clock at the photo's place showed it.
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
      // File systems without times, and programs that lost one, report zero.
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
