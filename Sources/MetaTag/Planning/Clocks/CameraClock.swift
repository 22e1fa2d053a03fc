/// Facts about a camera's clock that its photos don't record.
public struct CameraClock: Hashable, Sendable {
  /// The time zone of the clock, for photos that record no offset.
  public var zone: Zone?
  /// The instant to choose for a time that a change of clocks makes ambiguous or skips. With nil, such photos stay
  /// unchanged and get a reason.
  public var fold: Zone.Fold?

  /// Creates a clock in `zone`.
  public init(zone: Zone? = nil, fold: Zone.Fold? = nil) {
    self.zone = zone
    self.fold = fold
  }

  /// Returns when a photo was taken: its capture time at its own offset (EXIF OffsetTimeOriginal), else in `zone`.
  ///
  /// A date without an offset takes the offset of an XMP copy that shows the same time. IPTC offsets are ignored: the
  /// format requires one, so writers make one up.
  func reading(of metadata: Metadata) throws(Reason) -> ClockReading {
    guard let time = metadata.captureTime else { throw metadata.lackOfTime }
    let copy = metadata.captureTimes.first {
      $0.namespace == .xmp && $0.value.civil == time.civil && $0.value.offset != nil
    }
    if let offset = time.offset ?? copy?.value.offset {
      return ClockReading(time: time, offset: offset, zone: nil)
    }
    guard let zone else { throw metadata.isDatedByHeaders ? .noHeaderZone(time) : .noZone(time) }
    return ClockReading(time: time, offset: try offset(of: time.civil, in: zone), zone: zone)
  }

  /// Returns the offset at which a clock in `zone` showed `civil`.
  func offset(of civil: CivilTime, in zone: Zone) throws(Reason) -> UTCOffset {
    if let offset = zone.offset(forCivil: civil, fold: fold) { return offset }
    switch zone.offsets(forCivil: civil) {
    case .one(let offset): return offset
    case .ambiguous(let earlier, let later): throw .ambiguousTime(civil, zone, earlier: earlier, later: later)
    case .nonexistent(let before, let after): throw .nonexistentTime(civil, zone, before: before, after: after)
    }
  }
}

/// A photo's time with the offset that makes it an instant, and the source of that offset.
public struct ClockReading: Hashable, Sendable {
  /// The time as recorded.
  package let time: CaptureTime
  /// The clock's offset from UTC.
  package let offset: UTCOffset
  /// The zone that gave the offset; nil when the photo records it.
  package let zone: Zone?
  /// Whether `zone` was looked up for the place of the photo, rather than given by the user.
  package var isOfPlace = false
  /// Whether a photo of a correct clock gave the offset.
  package var isSynced = false
  /// The names of the neighbouring files that resolved an ambiguous time; empty if none was needed.
  package var neighbours: [String] = []
  /// The clock error estimated from the camera's photos, if an estimate was requested.
  package var estimate: ClockEstimate?
  /// The uncertainty of the clock error from clock references, in seconds.
  package var uncertainty = 0.0

  /// The uncertainty of the clock error in seconds, from an estimate or from clock references.
  package var clockUncertainty: Double { estimate?.uncertainty(at: time) ?? uncertainty }
  /// Whether the clock is known too imprecisely for dates, that is, not to the minute.
  package var isVague: Bool { clockUncertainty > ClockErrors.vagueSeconds }

  /// The instant at which the photo was taken according to the camera's clock.
  package var instant: Instant { time.instant(at: offset) }
}

extension ClockReading: CustomStringConvertible {
  /// A text such as `camera time 2024-05-23T18:38:41+09:00 by its own offset`.
  public var description: String {
    var known = time
    known.offset = offset
    return "camera time \(known) by "
      + (zone.map {
        isOfPlace ? "\($0), the zone of the place" : isSynced ? "\($0), as a photo of a clock shows" : "zone \($0)"
      } ?? "its own offset")
      + (neighbours.isEmpty ? "" : ", as \(neighbours.joined(separator: " and ")) next to it")
      + (estimate.map { "; \($0)" } ?? "")
  }
}

extension Metadata {
  /// Whether the capture time comes from a movie's headers. The standard requires UTC there, but many cameras write
  /// local time.
  public var isDatedByHeaders: Bool {
    captureTimes.first.map { $0.namespace == .quickTime && $0.tag == "mvhd" } ?? false
  }

  /// The reason why there is no capture time.
  var lackOfTime: Reason {
    partialDates.first.map { .onlyPartial($0.value) } ?? malformedDates.first.map { .malformedDate($0.value) }
      ?? .noCaptureTime
  }
}
