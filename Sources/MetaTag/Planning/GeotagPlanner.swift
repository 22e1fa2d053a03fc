/// Puts photos where a track was at their time.
public struct GeotagPlanner: Planner {
  /// Where receivers were.
  public var track: Track
  /// How near in time fixes must be.
  public var match = MatchRules()
  /// What is known of the camera's clock.
  public var clock = CameraClock()
  /// What the location says of how it was found (EXIF GPSProcessingMethod); nil for what the match says.
  public var method: String?
  /// Record the offset that was found in photos that record none.
  public var recordsOffset = true
  /// What must be added to the cameras' times to get the receiver's.
  public var errors = ClockErrors()
  /// What becomes of a location that is there.
  public var overwrite = Overwrite.keep
  /// Keep speed, track, DOP and timestamp of a replaced location.
  public var keepsCompanions = false

  private let zones: TrackZones?

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
    guard metadata.location == nil || overwrite != .keep else { return .unchanged(.hasLocation) }
    do throws(Reason) {
      let reading = try reading(of: metadata)
      let match = try placed(reading.instant, metadata)
      var edit = MetadataEdit()
      var location = match.location
      location.processingMethod = method ?? match.method
      if overwrite == .ifBetter, let recorded = metadata.location.map({ PositionError(of: $0) }) {
        let found = PositionError(of: location)
        guard found.isLess(than: recorded) else { return .unchanged(.notBetter(found, than: recorded)) }
      }
      edit.location = .set(location)
      edit.keepsCompanions = keepsCompanions
      if recordsOffset, metadata.datedOffsets.isEmpty { edit.dates = .adjust(.zero, offset: .set(reading.offset)) }
      return .change(edit, because: .matched(match, reading))
    } catch {
      return .skip(error)
    }
  }

  private func reading(of metadata: Metadata) throws(Reason) -> ClockReading {
    do throws(Reason) {
      return try clock.reading(of: metadata)
    } catch {
      guard case .noZone(let time) = error, let zones else { throw error }
      return try zones.reading(of: time) { instant throws(Reason) in
        let match = try placed(instant, metadata)
        return (match.location.coordinate, match.instant)
      }
    }
  }

  private func placed(_ instant: Instant, _ metadata: Metadata) throws(Reason) -> TrackMatch {
    let correction = metadata.captureTime.map { errors.correction(of: $0, for: CameraBody(of: metadata)) } ?? .zero
    do throws(NoMatch) {
      return try track.match(instant.adding(correction), rules: match)
    } catch {
      throw .noMatch(error)
    }
  }
}
