/// Puts photos where a track was at their time.
public struct GeotagPlanner: Planner {
  /// Where receivers were.
  public var track: Track
  /// How near in time fixes must be.
  public var match = MatchRules()
  /// What is known of the camera's clock.
  public var clock = CameraClock()
  /// What `track` is. Of photos that were placed by others, the location says that it is borrowed (EXIF
  /// GPSProcessingMethod).
  public var reference = ReferenceKind.track
  /// Record the offset that was found in photos that record none, where their clock was right or is put right.
  public var recordsOffset = true
  /// Correct the dates of photos whose clock was wrong, also of those that keep their place.
  public var fixesDates = false
  /// The camera of photos that don't name theirs; nil where nothing tells it.
  public var unnamed: CameraBody?
  /// How a movie that only its headers date is read, where the photos numbered beside it tell.
  var movieReading: MovieReading?
  /// The run that moved the dates of the photos before, and was not undone.
  public var dated: RunID?
  /// An earlier run placed the photo by its dates as they are now: that its position has their time tells nothing.
  public var isPlacedAsDated = false
  /// What must be added to the cameras' times to get the receiver's.
  package var errors = ClockErrors()
  /// What the photos themselves told of the clocks; photos of a camera whose clock they don't tell are left alone.
  package var estimates = ClockEstimates() {
    didSet {
      for case (let body, .success(let estimate)) in estimates.cameras.map({ ($0.body, estimates[$0.body]) }) {
        errors.set(estimate, for: body)
      }
    }
  }
  /// The clock's offset of cameras that record none, where a photo of a right clock told it.
  public var syncedOffsets: [CameraBody: UTCOffset] = [:]
  /// The cameras whose clocks, as they are read, miss the track.
  package internal(set) var diagnoses: [CameraBody: ClockDiagnosis] = [:]
  /// Place photos by an assumed zone even where most of the camera's photos miss the track by it.
  public var trustsClock = false
  /// What becomes of a location that is there.
  public var overwrite = Overwrite.keep
  /// Keep speed, track, DOP and timestamp of a replaced location.
  public var keepsCompanions = false

  private let zones: TrackZones?
  private var sequence: PhotoSequence?
  /// Finds out what `diagnoses` would be, where nobody did before.
  var lateDiagnoses: LateDiagnoses?
  private var strayClocks = NonlocalClocks()

  /// The defaults: the photo's own zone, no correction, locations kept.
  ///
  /// - Parameter zone: Which zone's time is kept at a place, for photos that record no offset when `clock` has no zone:
  ///   the camera is taken to show local time. Nil leaves such photos alone.
  public init(track: Track, zone: (@Sendable (Coordinate) -> Zone?)? = nil) {
    self.track = track
    zones = zone.map { TrackZones(of: track, by: $0) }
  }

  /// The location at the photo's instant: capture time − offset + what the clock was wrong by.
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
      // To which minute it was taken isn't known.
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

  /// The photos of the run, asked for when a photo's time can mean several instants: its neighbours may tell.
  package mutating func resolveDoubts(by photos: @escaping @Sendable () -> [NumberedPhoto]) {
    sequence = PhotoSequence(photos)
    lateDiagnoses = reference == .track ? LateDiagnoses(photos) : nil
  }

  /// Leaves photos that would be read by the zone of their place where others of their camera tell that its clock
  /// didn't show the time there.
  package mutating func heed(_ zoneEvidence: ZoneEvidence) {
    guard let zones else { return }
    strayClocks = NonlocalClocks(zoneEvidence) { time, body in
      errors.correction(of: time, for: body)
    } offsetOfPlace: { place, instant in
      let place = place ?? (try? track.match(instant, rules: match))?.location.coordinate
      return place.flatMap { zones.offset(of: $0, at: instant) }
    }
  }

  private func body(of metadata: Metadata) -> CameraBody { unnamed ?? CameraBody(of: metadata) }

  /// The offset of clocks at a place.
  func offset(of place: Coordinate, at instant: Instant) -> UTCOffset? { zones?.offset(of: place, at: instant) }

  func reading(of metadata: Metadata) throws(Reason) -> ClockReading {
    let estimate: ClockEstimate?
    do throws(ClockAmbiguity) {
      estimate = try estimates[body(of: metadata)]?.get()
    } catch {
      // A clock of which nothing is known may be right, as without an estimate.
      guard case .ambiguous = error else { throw .unknownClock(error) }
      estimate = nil
    }
    var reading: ClockReading
    do throws(Reason) {
      reading = try ownReading(of: metadata)
    } catch {
      guard let time = metadata.captureTime, !error.doubtfulOffsets.isEmpty,
        let decision = sequence?.decision(about: metadata, offsets: possibleOffsets)
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

  /// The offsets at which a photo's time may be read.
  func offsets(of photo: ZoneEvidence.Shown, by body: CameraBody) -> [UTCOffset] {
    if let offset = photo.offset ?? syncedOffsets[body] { return [offset] }
    if let zone = clock.zone { return (try? clock.offset(of: photo.time.civil, in: zone)).map { [$0] } ?? [] }
    return zones.map { Array($0.offsets(of: photo.time.civil)) } ?? []
  }

  private func possibleOffsets(of metadata: Metadata) -> [UTCOffset] {
    do throws(Reason) {
      return [try ownReading(of: metadata).offset]
    } catch {
      return error.doubtfulOffsets
    }
  }

  /// Without asking its neighbours.
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

  /// Seconds to which a clock should be known, else the way that the track went in the doubtful time counts.
  private static let exactSeconds = 3.0
  /// Metres that this way may have.
  private static let doubtfulMetres = 100.0

  /// Adds what the clock's uncertainty means in metres; throws when that is too much.
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

  /// Where the track was so many seconds before and after.
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
      // What would place one photo of a clock that is wrong would place it wrongly.
      let remedy = track.remedy(for: instant, match).flatMap { isDoubted(body) ? nil : $0 }
      throw .noMatch(error, by: reference, remedy: remedy)
    }
  }

  private func isDoubted(_ body: CameraBody) -> Bool {
    (lateDiagnoses?.found(by: self) ?? diagnoses)[body] != nil
  }
}
