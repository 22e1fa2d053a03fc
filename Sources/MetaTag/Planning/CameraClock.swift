/// What is known of a camera's clock beyond what its photos record.
public struct CameraClock: Hashable, Sendable {
  /// Its zone, for photos that don't record theirs.
  public var zone: Zone?
  /// Which instant is meant where clocks were changed; nil leaves such photos alone, with the reason.
  public var fold: Zone.Fold?

  /// A clock in `zone`.
  public init(zone: Zone? = nil, fold: Zone.Fold? = nil) {
    self.zone = zone
    self.fold = fold
  }

  /// When a photo was taken: its capture time at its own offset (EXIF OffsetTimeOriginal), else in `zone`.
  ///
  /// A date without offset borrows that of an XMP copy that shows the same time. IPTC's isn't believed: its format
  /// demands one, so that writers make it up.
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

  /// The offset at which a clock in `zone` showed `civil`.
  func offset(of civil: CivilTime, in zone: Zone) throws(Reason) -> UTCOffset {
    if let offset = zone.offset(forCivil: civil, fold: fold) { return offset }
    switch zone.offsets(forCivil: civil) {
    case .one(let offset): return offset
    case .ambiguous(let earlier, let later): throw .ambiguousTime(civil, zone, earlier: earlier, later: later)
    case .nonexistent(let before, let after): throw .nonexistentTime(civil, zone, before: before, after: after)
    }
  }
}

/// A photo's time with the offset that makes it an instant, and from where that is known.
public struct ClockReading: Hashable, Sendable {
  /// As recorded.
  package let time: CaptureTime
  /// The clock's offset.
  package let offset: UTCOffset
  /// The zone that gave the offset; nil when the photo records it.
  package let zone: Zone?
  /// Whether `zone` is that of the place where the photo was taken, and not one that was given.
  package var isOfPlace = false
  /// Whether a photo of a right clock gave the offset.
  package var isSynced = false
  /// The files between which the photo was taken, where its time could mean several instants and they decided.
  package var neighbours: [String] = []
  /// What the photos told of the clock, when that was asked for.
  package var estimate: ClockEstimate?
  /// Seconds by which what sightings told of the clock may be wrong.
  package var uncertainty = 0.0

  /// Seconds by which what is known of the clock may be wrong, whatever told it.
  package var clockUncertainty: Double { estimate?.uncertainty(at: time) ?? uncertainty }
  /// Whether that is too much for dates: the clock is not known to the minute.
  package var isVague: Bool { clockUncertainty > ClockErrors.vagueSeconds }

  /// When the camera's clock says it was.
  package var instant: Instant { time.instant(at: offset) }
}

extension ClockReading: CustomStringConvertible {
  /// `camera time 2024-05-23T18:38:41+09:00 by its own offset`.
  public var description: String {
    var known = time
    known.offset = offset
    return "camera time \(known) by "
      + (zone.map {
        isOfPlace ? "\($0), the zone of the place" : isSynced ? "\($0), as a photo of a clock tells" : "zone \($0)"
      } ?? "its own offset")
      + (neighbours.isEmpty ? "" : ", as \(neighbours.joined(separator: " and ")) beside it")
      + (estimate.map { "; \($0)" } ?? "")
  }
}

extension Metadata {
  /// Whether the capture time is that of a movie's headers, which many cameras don't keep in UTC as their standard
  /// says.
  public var isDatedByHeaders: Bool {
    captureTimes.first.map { $0.namespace == .quickTime && $0.tag == "mvhd" } ?? false
  }

  /// Why there is no capture time.
  var lackOfTime: Reason {
    partialDates.first.map { .onlyPartial($0.value) } ?? malformedDates.first.map { .malformedDate($0.value) }
      ?? .noCaptureTime
  }
}
