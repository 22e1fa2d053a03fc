/// Puts photos where a track was at their time.
public struct GeotagPlanner: Planner {
  /// Where receivers were.
  public var track: Track
  /// How near in time fixes must be.
  public var match = MatchRules()
  /// What is known of the camera's clock.
  public var clock = CameraClock()
  /// What must be added to the camera's time to get the receiver's: positive when the camera is slow.
  public var correction = TimeShift.zero
  /// What becomes of a location that is there.
  public var overwrite = Overwrite.keep
  /// Keep speed, track, DOP and timestamp of a replaced location.
  public var keepsCompanions = false

  /// The defaults: the photo's own zone, no correction, locations kept.
  public init(track: Track) { self.track = track }

  /// The location at the photo's instant: capture time − offset + correction.
  public func propose(for metadata: Metadata) -> Proposal {
    guard metadata.location == nil || overwrite == .replace else { return .unchanged(.hasLocation) }
    let reading: ClockReading
    do {
      reading = try clock.reading(of: metadata)
    } catch {
      return .skip(error)
    }
    do {
      let match = try track.match(reading.instant.adding(correction), rules: match)
      var edit = MetadataEdit()
      edit.location = .set(match.location)
      edit.keepsCompanions = keepsCompanions
      return .change(edit, because: .matched(match, reading))
    } catch {
      return .skip(.noMatch(error))
    }
  }
}
