/// Puts photos at the position of a track at their time.
public struct GeotagPlanner: Planner {
  /// The positions of the receivers.
  public var track: Track
  /// The limits for the distance in time and space to the fixes.
  public var match = MatchRules()
  /// Facts about the camera's clock.
  public var clock = CameraClock()
  /// The kind of `track`. If other photos are the reference, the location is marked as borrowed (EXIF
  /// GPSProcessingMethod).
  public var reference = ReferenceKind.track
  /// Whether to record the offset in photos that have none, if their clock was correct or is corrected.
  public var recordsOffset = true
  /// Whether to correct the dates of photos whose clock was wrong, including photos that keep their place.
  public var fixesDates = false
  /// The camera of photos that don't name theirs; nil if it is unknown.
  public var unnamed: CameraBody?
  /// The reading of a movie that is dated only by its headers, if its neighbours determine it.
  var movieReading: MovieReading?
  /// The run that moved the dates of the photos before and was not undone.
  public var dated: RunID?
  /// Whether an earlier run placed the photo by its present dates. That its position has the same time is then no
  /// evidence.
  public var isPlacedAsDated = false
  /// The corrections that turn the cameras' times into the receiver's time.
  package var errors = ClockErrors()
  /// The errors of the clocks estimated from the photos. Photos of a camera whose error couldn't be estimated stay
  /// unchanged.
  package var estimates = ClockEstimates() {
    didSet {
      for case (let body, .success(let estimate)) in estimates.cameras.map({ ($0.body, estimates[$0.body]) }) {
        errors.set(estimate, for: body)
      }
    }
  }
  /// The offset of clocks that record none, if a photo of a correct clock determined it.
  public var syncedOffsets: [CameraBody: UTCOffset] = [:]
  /// The cameras whose clocks, as they are read, miss the track.
  package internal(set) var diagnoses: [CameraBody: ClockDiagnosis] = [:]
  /// Whether to place photos by an assumed zone even if most photos of the camera miss the track by it.
  public var trustsClock = false
  /// Whether to replace an existing location.
  public var overwrite = Overwrite.keep
  /// Whether to keep speed, track, DOP and timestamp of a replaced location.
  public var keepsCompanions = false

  private let zones: TrackZones?
  private var sequence: PhotoSequence?
  /// Computes `diagnoses` lazily, if they weren't computed before.
  var lateDiagnoses: LateDiagnoses?
  private var strayClocks = NonlocalClocks()

  /// Creates a planner with the defaults: the photo's own zone, no correction, locations kept.
  ///
  /// - Parameters:
  ///   - track: The track by which photos are placed.
  ///   - zone: Returns the time zone at a place, for photos that record no offset when `clock` has no zone: the camera is
  ///     assumed to show local time. With nil, such photos stay unchanged.
  public init(track: Track, zone: (@Sendable (Coordinate) -> Zone?)? = nil) {
    self.track = track
    zones = zone.map { TrackZones(of: track, by: $0) }
  }

  /// Proposes the location at the photo's instant: capture time − offset + correction of the clock.
  public func propose(for metadata: Metadata) -> Proposal {
    guard metadata.location == nil || overwrite != .keep else { return keepingPlace(of: metadata, .hasLocation) }
    if let why = metadata.malformedPlace, overwrite != .replace { return .skip(.malformedPlace(why)) }
    do throws(Reason) {
      let reading = try reading(of: metadata)
      try requireNotFixed(metadata, reading)
      let match = try placed(reading.instant, metadata)
      var edit = MetadataEdit()
      var location = match.location
      if let estimate = reading.estimate { try widen(&location, match, by: estimate, reading.time) }
      if reading.uncertainty > 0 {
        widen(
          &location,
          metres: places(within: reading.uncertainty, of: match).map { $0.distance(to: location.coordinate) }.max() ?? 0
        )
      }
      location.processingMethod = match.method
      // The minute in which the photo was taken is unknown.
      if reading.isVague { location.timestamp = nil }
      if overwrite == .ifBetter, let recorded = metadata.location.map({ PositionError(of: $0) }) {
        let found = PositionError(of: location)
        guard found.isLess(than: recorded) else {
          return keepingPlace(of: metadata, .notBetter(found, than: recorded))
        }
      }
      edit.location = .set(location)
      edit.keepsCompanions = keepsCompanions
      try dateTruly(metadata, reading, at: location.coordinate, &edit)
      return .change(edit, because: .matched(match, reading))
    } catch {
      return .skip(error)
    }
  }

  /// Resolves ambiguous times by the photos of the run: `photos` is called when a photo's time can mean several
  /// instants, as its neighbours may determine it.
  package mutating func resolveDoubts(by photos: @escaping @Sendable () -> any Sequence<NumberedPhoto>) {
    sequence = PhotoSequence(photos)
    lateDiagnoses = reference == .track ? LateDiagnoses(photos) : nil
  }

  /// Rejects photos that would be read by the zone of their place, if other photos of their camera show that its clock
  /// didn't keep local time.
  package mutating func consider(_ zoneEvidence: ZoneEvidence) {
    guard let zones else { return }
    strayClocks = NonlocalClocks(zoneEvidence) { time, body in
      errors.correction(of: time, for: body)
    } offsetOfPlace: { place, instant in
      let place = place ?? (try? track.match(instant, rules: match))?.location.coordinate
      return place.flatMap { zones.offset(of: $0, at: instant) }
    }
  }

  private func body(of metadata: Metadata) -> CameraBody { unnamed ?? CameraBody(of: metadata) }

  /// Returns the offset of clocks at a place.
  func offset(of place: Coordinate, at instant: Instant) -> UTCOffset? { zones?.offset(of: place, at: instant) }

  func reading(of metadata: Metadata) throws(Reason) -> ClockReading {
    let estimate: ClockEstimate?
    do throws(ClockAmbiguity) {
      estimate = try estimates[body(of: metadata)]?.get()
    } catch {
      // A clock without any evidence may be correct, as without an estimate.
      guard case .ambiguous = error else { throw .unknownClock(error) }
      estimate = nil
    }
    var reading: ClockReading
    do throws(Reason) {
      reading = try ownReading(of: metadata)
    } catch {
      guard let time = metadata.captureTime, !error.doubtfulOffsets.isEmpty,
        let decision = sequence?.decision(about: metadata, offsets: ofAnyPhoto.possibleOffsets)
      else { throw error }
      reading = ClockReading(time: time, offset: decision.offset, zone: .fixed(decision.offset))
      reading.neighbours = decision.neighbours
    }
    reading.estimate = estimate
    if estimate == nil { reading.uncertainty = errors.uncertainty(of: body(of: metadata)) }
    let isOfPlace = !metadata.isDatedByHeaders && (reading.isOfPlace || !reading.neighbours.isEmpty)
    if isOfPlace, estimate == nil, let zone = reading.zone,
      let stray = strayClocks.stray(against: reading.offset, of: reading.time, by: body(of: metadata))
    {
      throw .nonlocalClock(reading.time, zone, other: stray.offset, of: stray.name)
    }
    if isOfPlace, !trustsClock, let diagnosis = diagnoses[body(of: metadata)] { throw .doubtfulClock(diagnosis) }
    return reading
  }

  /// Returns the offsets at which a photo's time may be read.
  func offsets(of photo: ZoneEvidence.Shown, by body: CameraBody) -> [UTCOffset] {
    if let offset = photo.offset ?? syncedOffsets[body] { return [offset] }
    if let zone = clock.zone { return (try? clock.offset(of: photo.time.civil, in: zone)).map { [$0] } ?? [] }
    return zones.map { Array($0.offsets(of: photo.time.civil)) } ?? []
  }

  /// The planner without what applies only to one movie.
  private var ofAnyPhoto: GeotagPlanner {
    var planner = self
    (planner.unnamed, planner.movieReading) = (nil, nil)
    return planner
  }

  private func possibleOffsets(of metadata: Metadata) -> [UTCOffset] {
    do throws(Reason) {
      return [try ownReading(of: metadata).offset]
    } catch {
      return error.doubtfulOffsets
    }
  }

  /// Returns the photo's reading without considering its neighbours.
  private func ownReading(of metadata: Metadata) throws(Reason) -> ClockReading {
    if let movieReading, metadata.isDatedByHeaders, metadata.captureTime == movieReading.time {
      return try movieReading.result.get()
    }
    var clock = clock
    if !metadata.isDatedByHeaders, case .success(let estimate)? = estimates[body(of: metadata)],
      let offset = estimate.offset
    {
      clock.zone = clock.zone ?? .fixed(offset)
    }
    let isSynced = clock.zone == nil && !metadata.isDatedByHeaders
    if isSynced { clock.zone = syncedOffsets[body(of: metadata)].map { .fixed($0) } }
    do throws(Reason) {
      var reading = try clock.reading(of: metadata)
      reading.isSynced = isSynced && reading.zone != nil
      return reading
    } catch {
      guard case .noZone(let time) = error, let zones else { throw error }
      return try zones.reading(of: time, correctedBy: correction(of: metadata)) { instant throws(Reason) in
        if overwrite == .keep, let kept = metadata.location { return kept.coordinate }
        return try matched(instant, by: body(of: metadata)).location.coordinate
      }
    }
  }

  /// Seconds to which a clock should be known; beyond that, the distance that the track covers in the uncertain time
  /// counts.
  private static let exactSeconds = 3.0
  /// The maximum of this distance in metres.
  private static let doubtfulMetres = 100.0

  /// Adds the clock's uncertainty in metres to the location's error; throws when it is too large.
  private func widen(
    _ location: inout Location, _ match: TrackMatch, by estimate: ClockEstimate, _ time: CaptureTime
  ) throws(Reason) {
    let seconds = estimate.uncertainty(at: time)
    let around = places(within: seconds, of: match)
    let metres = around.map { $0.distance(to: location.coordinate) }.max() ?? 0
    guard seconds <= Self.exactSeconds || around.count == 2 && metres <= Self.doubtfulMetres else {
      throw .vagueClock(seconds: seconds, metres: metres)
    }
    widen(&location, metres: metres)
  }

  private func widen(_ location: inout Location, metres: Double) {
    if metres > max(10, location.horizontalError ?? 0) { location.horizontalError = metres.rounded(.up) }
  }

  /// Returns the positions of the track `seconds` before and after a match.
  private func places(within seconds: Double, of match: TrackMatch) -> [Coordinate] {
    [-seconds, seconds].compactMap { shift in
      try? track.match(match.instant.adding(TimeShift(roundingSeconds: shift)), rules: self.match).location.coordinate
    }
  }

  private func placed(_ instant: Instant, _ metadata: Metadata) throws(Reason) -> TrackMatch {
    try matched(instant.adding(correction(of: metadata)), by: body(of: metadata))
  }

  func correction(of metadata: Metadata) -> TimeShift {
    metadata.captureTime.map { errors.correction(of: $0, for: body(of: metadata)) } ?? .zero
  }

  private func matched(_ instant: Instant, by body: CameraBody) throws(Reason) -> TrackMatch {
    do throws(MatchFailure) {
      var found = try track.match(instant, rules: match)
      found.reference = reference
      return found
    } catch {
      // An option that would place one photo of a wrong clock would place it wrongly.
      let limits = isDoubted(body) ? [] : track.limits(toPlace: instant, match)
      throw .noMatch(error, by: reference, relaxing: limits)
    }
  }

  private func isDoubted(_ body: CameraBody) -> Bool {
    (lateDiagnoses?.found(by: self) ?? diagnoses)[body] != nil
  }
}

extension GeotagPlanner {
  /// Finds the cameras whose clocks, as they are read, miss the track. Their few photos that fall inside by an assumed
  /// zone are not placed then.
  package mutating func diagnose(_ photos: ZoneEvidence) {
    lateDiagnoses = nil
    guard reference == .track else { return }
    let spans = TrackSpans(of: track, match)
    for (body, photos) in photos.unplaced {
      if case .success? = estimates[body] { continue }
      let readings = photos.map { photo in
        let correction = errors.correction(of: photo.time, for: body).timeInterval
        return offsets(of: photo, by: body).map { offset in
          photo.time.instant(at: offset).timeInterval(since: Instant(seconds: 0)) + correction
        }
      }
      diagnoses[body] = ClockDiagnosis(of: readings, in: spans)
      diagnoses[body]?.wasEstimated = estimates[body] != nil
    }
  }
}

extension GeotagPlanner {
  /// The knowledge that a planner got from the photos of a run, with the errors of the clocks that were given to it. A
  /// planner with the same track and the same options that takes it over plans every photo alike, by itself.
  package struct Learned: Codable, Sendable {
    fileprivate let errors: ClockErrors
    fileprivate let estimates: ClockEstimates
    fileprivate let syncedOffsets: SortedPairs<CameraBody, UTCOffset>
    fileprivate let diagnoses: SortedPairs<CameraBody, ClockDiagnosis>
    fileprivate let lateDiagnoses: SortedPairs<CameraBody, ClockDiagnosis>?
    fileprivate let strayClocks: NonlocalClocks
    fileprivate let decisions: SortedPairs<PhotoSequence.Key, PhotoSequence.Decision>
  }

  /// The planner's knowledge. Whatever it would find out later, when a photo needs it, is found out now.
  package var learned: Learned {
    get {
      Learned(
        errors: errors, estimates: estimates, syncedOffsets: SortedPairs(syncedOffsets),
        diagnoses: SortedPairs(diagnoses), lateDiagnoses: lateDiagnoses.map { SortedPairs($0.found(by: self)) },
        strayClocks: strayClocks,
        decisions: SortedPairs(sequence?.allDecisions(offsets: ofAnyPhoto.possibleOffsets) ?? [:]))
    }
    set {
      estimates = newValue.estimates
      errors = newValue.errors
      syncedOffsets = newValue.syncedOffsets.dictionary
      diagnoses = newValue.diagnoses.dictionary
      lateDiagnoses = (newValue.lateDiagnoses?.dictionary).map(LateDiagnoses.init(finding:))
      strayClocks = newValue.strayClocks
      sequence = PhotoSequence(deciding: newValue.decisions.dictionary)
    }
  }
}

/// A diagnosis of the cameras' clocks that is made lazily, when the first photo misses the track.
final class LateDiagnoses: Sendable {
  private let photos: @Sendable () -> any Sequence<NumberedPhoto>
  private let found = Lazily<[CameraBody: ClockDiagnosis]>()

  /// Creates a diagnosis that calls `photos` once.
  init(_ photos: @escaping @Sendable () -> any Sequence<NumberedPhoto>) { self.photos = photos }

  /// Creates a diagnosis that was made before.
  convenience init(finding diagnoses: [CameraBody: ClockDiagnosis]) {
    self.init { [NumberedPhoto]() }
    _ = found.get { diagnoses }
  }

  func found(by planner: GeotagPlanner) -> [CameraBody: ClockDiagnosis] {
    found.get {
      var (planner, zoneEvidence) = (planner, ZoneEvidence())
      for photo in photos() { zoneEvidence.take(photo) }
      planner.diagnose(zoneEvidence)
      return planner.diagnoses
    }
  }
}
