/// Gives photos with a location the time at which a track was at their place.
package struct TrackTimePlanner: Planner {
  /// Metres from the photo's place within which the track counts as being there.
  package var maxDistance = 50.0
  /// The longest stay in seconds that determines the time; the time of the closest approach is written.
  package var maxStay = 1_800.0
  /// Seconds between two fixes up to which the track is assumed to go straight from one to the other.
  package var maxGap = 1_800.0
  /// The zone of the written times; nil for the zone of each photo's place.
  package var zone: Zone?
  /// Whether to replace an existing date.
  package var overwrite = Overwrite.keep
  /// The instant of an earlier photo, before which this one wasn't taken.
  private var earliest: Instant?
  /// The instant of a later photo, after which this one wasn't taken.
  private var latest: Instant?

  private let visits: TrackVisits
  private let zoneOfPlace: @Sendable (Coordinate) -> Zone?

  /// Creates a planner.
  ///
  /// - Parameter zone: Returns the time zone at a place.
  package init(_ visits: TrackVisits, zone: @escaping @Sendable (Coordinate) -> Zone?) {
    self.visits = visits
    zoneOfPlace = zone
  }

  /// Proposes the only time at which the track was there, as a clock there showed it, to the second.
  package func propose(for metadata: Metadata) -> Proposal {
    .date(for: metadata, overwrite) { () throws(Reason) in
      guard let place = metadata.location?.coordinate else { throw metadata.lackOfPlace }
      let (visit, zone) = try visit(of: place, metadata)
      let time = try TrackTimePlanner.time(visit.nearest, in: zone)
      return (time, .visited(visit, time))
    }
  }

  private func visit(of place: Coordinate, _ metadata: Metadata) throws(Reason) -> (TrackVisit, Zone) {
    let all = visits.visits(of: place, within: maxDistance, maxGap: maxGap)
    guard !all.isEmpty else { throw .noVisit(.neverNear(maxDistance)) }
    guard let zone = zone ?? zoneOfPlace(place) else { throw .noVisit(.unknownZone) }
    let times = try all.map { visit throws(Reason) in try TrackTimePlanner.time(visit.nearest, in: zone) }
    var fitting = all
    if let day = metadata.partialDates.lazy.compactMap(\.value.midnight).first {
      fitting = zip(all, times).filter { $1.civil.isOnDay(of: day) }.map(\.0)
      guard !fitting.isEmpty else { throw .noVisit(.otherDay(day, times)) }
    }
    if fitting.count > 1 {
      fitting = fitting.filter { earliest ?? $0.nearest <= $0.nearest && $0.nearest <= latest ?? $0.nearest }
    }
    guard let visit = fitting.first, fitting.count == 1 else { throw .noVisit(.severalVisits(times)) }
    guard visit.length <= maxStay else {
      throw .noVisit(
        .longStay(try TrackTimePlanner.time(visit.start, in: zone), try TrackTimePlanner.time(visit.end, in: zone)))
    }
    return (visit, zone)
  }

  /// Returns the time of a clock in `zone`, to the nearest second.
  private static func time(_ instant: Instant, in zone: Zone) throws(Reason) -> CaptureTime {
    let whole = Instant(seconds: instant.seconds + (instant.nanoseconds >= 500_000_000 ? 1 : 0))
    return try CaptureTime(whole, at: zone.offset(at: whole))
  }
}

extension TrackTimePlanner {
  /// Returns a planner for each of `photos`, which were taken in this order. If the track was at a place several times,
  /// the photos before and after decide, if only one visit lies between them.
  package func planners(inOrderOf photos: [Metadata]) -> [TrackTimePlanner] {
    let known = photos.map { photo -> Instant? in
      if case .change(let edit, _) = propose(for: photo), case .set(let time, _) = edit.dates { return time.instant }
      guard overwrite == .keep, let time = photo.captureTime else { return nil }
      let place = photo.isDatedByHeaders ? nil : photo.location?.coordinate
      return time.instant
        ?? (try? CameraClock(zone: zone ?? place.flatMap(zoneOfPlace)).reading(of: photo))?.instant
    }
    var planners = photos.map { _ in self }
    for index in photos.indices.dropFirst() {
      planners[index].earliest = known[index - 1] ?? planners[index - 1].earliest
    }
    for index in photos.indices.dropLast().reversed() {
      planners[index].latest = known[index + 1] ?? planners[index + 1].latest
    }
    return planners
  }
}

extension CivilTime {
  fileprivate func isOnDay(of other: CivilTime) -> Bool {
    (year, month, day) == (other.year, other.month, other.day)
  }
}
