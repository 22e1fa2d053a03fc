/// The match of a photo's instant with a track.
public struct TrackMatch: Hashable, Sendable {
  /// The fixes that gave the position.
  public enum Fixes: Hashable, Sendable {
    /// A fix at exactly this instant.
    case exact(TrackPoint)
    /// The way between two fixes.
    case between(TrackPoint, TrackPoint)
    /// The nearest fix, unchanged: the photo wasn't taken between two.
    case nearest(TrackPoint)
  }

  /// The instant of the photo, by the receiver's clock.
  public let instant: Instant
  /// The fixes that gave the position.
  public let fixes: Fixes
  /// The kind of data that the fixes are from.
  public var reference = ReferenceKind.track

  /// The camera's location at `instant`, with further data from the fixes.
  ///
  /// Between fixes the position lies on the great circle; altitude, speed and course change evenly and are present only
  /// if both fixes have them. Dilution of precision and `horizontalError` are the worse of both. If a position is
  /// farther from both fixes than the error of receivers, its error is at least the distance to the nearer fix. The
  /// nearest fix, used unchanged, gives only position, altitude and dilution, as it is unknown how far the camera moved
  /// from there. A course is given only if the receiver moved: at rest it is noise. `timestamp` is the photo's instant.
  public var location: Location {
    switch fixes {
    case .nearest(let fix):
      var location = Location(fix.coordinate, altitude: fix.altitude)
      location.dilutionOfPrecision = fix.dilutionOfPrecision
      location.timestamp = instant
      return location
    case .exact(let fix):
      var location = Location(fix.coordinate, altitude: fix.altitude)
      location.speed = fix.speed
      if fix.speed ?? .infinity >= TrackMatch.leastSpeed { location.track = fix.course }
      location.dilutionOfPrecision = fix.dilutionOfPrecision
      location.horizontalError = fix.accuracy
      location.timestamp = instant
      return location
    case .between(let a, let b):
      let fraction = instant.timeInterval(since: a.instant) / b.instant.timeInterval(since: a.instant)
      let even = { (from: Double, to: Double) in from + (to - from) * fraction }
      let way = GreatCircleWay(from: a.coordinate, to: b.coordinate)
      var location = Location(way.place(at: fraction))
      location.altitude = both(a.altitude, b.altitude).map(even)
      location.speed = both(a.speed, b.speed).map(even)
      let speed = location.speed ?? way.metres / b.instant.timeInterval(since: a.instant)
      if speed >= TrackMatch.leastSpeed {
        location.track = both(a.course, b.course).flatMap { $0.interpolated(to: $1, fraction: fraction) }
      }
      location.dilutionOfPrecision = both(a.dilutionOfPrecision, b.dilutionOfPrecision).map { max($0, $1) }
      location.timestamp = instant
      let nearer = way.metres * min(fraction, 1 - fraction)
      let recorded = both(a.accuracy, b.accuracy).map { max($0, $1) }
      location.horizontalError = (nearer < TrackMatch.receiverError ? recorded : max(recorded ?? 0, nearer))?.rounded(
        .up)
      return location
    }
  }

  /// The typical error of a receiver under open sky, in metres.
  private static let receiverError = 10.0
  /// The speed in metres per second below which a receiver's course is unreliable: half of walking speed.
  private static let leastSpeed = 0.5

  /// The method by which the position was found, for EXIF GPSProcessingMethod.
  var method: String {
    if reference == .photos { return "BORROWED" }
    return switch fixes {
    case .exact: "GPS, track point"
    case .between: "GPS, interpolated"
    case .nearest: "GPS, nearest fix"
    }
  }

  /// Seconds to the nearest fix used.
  public var secondsFromFix: Double {
    switch fixes {
    case .exact: 0
    case .nearest(let fix): abs(instant.timeInterval(since: fix.instant))
    case .between(let a, let b): min(instant.timeInterval(since: a.instant), b.instant.timeInterval(since: instant))
    }
  }
}

extension TrackMatch: CustomStringConvertible {
  /// A text such as `between fixes 2 min before (35 m) and 7 min after (105 m)`.
  public var description: String {
    switch fixes {
    case .exact: "a \(reference.point) at this instant"
    case .nearest(let fix):
      "the nearest \(reference.point), \(Span(instant.timeInterval(since: fix.instant))) "
        + (fix.instant < instant ? "before" : "after")
    case .between(let a, let b):
      "between \(reference.points) \(Span(instant.timeInterval(since: a.instant))) before (\(distance(to: a)))"
        + " and \(Span(b.instant.timeInterval(since: instant))) after (\(distance(to: b)))"
    }
  }

  private func distance(to fix: TrackPoint) -> Length { Length(fix.coordinate.distance(to: location.coordinate)) }
}

private func both<A, B>(_ a: A?, _ b: B?) -> (A, B)? {
  guard let a, let b else { return nil }
  return (a, b)
}

/// The reason why a track doesn't place an instant.
@nonexhaustive
public enum MatchFailure: Error, Hashable, Sendable {
  /// The track has no fix.
  case emptyTrack
  /// The instant lies between two fixes too far apart in space: metres and seconds between them.
  case tooFarApart(Double, seconds: Double)
  /// The instant lies so many seconds before the first fix.
  case beforeTrack(Double)
  /// The instant lies so many seconds after the last fix.
  case afterTrack(Double)
  /// The instant lies after the last fix, but inside the track if its dates were so many weeks later. GPS counts 1,024
  /// weeks and starts again at zero; receivers that ignore this are wrong by as much.
  case rolledOver(weeks: Int)
  /// The instant lies between two fixes too far apart in time: the gap's length in seconds.
  case inGap(Double)
  /// The instant lies between segments of the track: the break's length in seconds.
  case betweenSegments(Double)
}

extension MatchFailure {
  /// Returns what helps: to relax `limits`, if there are any.
  func remedy(by reference: ReferenceKind, relaxing limits: [Remedy.Limit]) -> Remedy? {
    guard limits.isEmpty else { return .relax(limits) }
    switch self {
    case .emptyTrack, .beforeTrack, .afterTrack, .inGap, .betweenSegments: return nil
    case .rolledOver(let weeks): return .addWeeks(weeks)
    case .tooFarApart: return reference == .track ? .otherTrack : .otherPhotos
    }
  }

  /// Returns the reason in a sentence.
  func description(by reference: ReferenceKind) -> String {
    let summary = summary(by: reference)
    return switch self {
    case .emptyTrack, .rolledOver: summary
    case .tooFarApart(let metres, let seconds): "\(summary) (\(Length(metres)) in \(Span(seconds)))"
    case .beforeTrack(let seconds), .afterTrack(let seconds):
      "taken \(Span(seconds))\(summary.dropFirst("taken".count))"
    case .inGap(let seconds): "\(summary) (\(Span(seconds)) without a \(reference.point))"
    case .betweenSegments(let seconds): "\(summary) (\(Span(seconds)) apart)"
    }
  }

  /// Returns the reason without numbers.
  func summary(by reference: ReferenceKind) -> String {
    switch (self, reference) {
    case (.emptyTrack, .track): "the track has no fixes"
    case (.emptyTrack, .photos): "no photo has a location"
    case (.tooFarApart, .track): "taken between two points that are too far apart"
    case (.tooFarApart, .photos): "taken between two photos that are too far apart"
    case (.beforeTrack, .track): "taken before the track begins"
    case (.beforeTrack, .photos): "taken before the first photo with a location"
    case (.afterTrack, .track): "taken after the track ends"
    case (.afterTrack, .photos): "taken after the last photo with a location"
    case (.rolledOver(let weeks), _):
      "taken \(weeks) weeks after the track, as if the receiver's week counter had started again"
    case (.inGap, .track): "taken in a gap of the track"
    case (.inGap, .photos): "taken in a gap between photos with a location"
    case (.betweenSegments, .track): "taken between two segments of the track"
    case (.betweenSegments, .photos): "taken between the photos with a location of two cameras"
    }
  }
}

extension Track {
  /// The longest pause in seconds to bridge, or distance from the nearest fix, that is suggested. In longer times
  /// people go elsewhere, and a photo hours away has a wrong clock or zone.
  private static let longest = 1_800.0
  /// The longest way in metres between two fixes that is suggested: on a longer one, the photo could be anywhere.
  private static let farthest = 20_000.0

  /// Returns the limits in `rules` that must be relaxed so that a photo at `instant` is placed; empty if no fix is near
  /// enough. The relaxed limits are tried, so the suggestion is true.
  func limits(toPlace instant: Instant, _ rules: MatchRules) -> [Remedy.Limit] {
    var rules = rules
    var limits: [Remedy.Limit] = []
    let nearest = fixes(around: instant).map { abs($0.instant.timeInterval(since: instant)) }.min() ?? .infinity
    while limits.count < 4 {
      do throws(MatchFailure) {
        _ = try match(instant, rules: rules)
        return limits
      } catch {
        guard let limit = Track.relax(&rules, for: error, nearest: nearest) else { return [] }
        limits.append(limit)
      }
    }
    return []
  }

  /// Relaxes `rules` so that they don't fail for `reason`, and returns the new limit; nil if it shouldn't be suggested.
  private static func relax(
    _ rules: inout MatchRules, for reason: MatchFailure, nearest: Double
  ) -> Remedy.Limit? {
    switch reason {
    case .betweenSegments(let seconds) where seconds <= longest:
      rules.acrossSegments = true
      return .acrossSegments
    case .inGap(let seconds) where seconds <= longest:
      rules.maxGap = (seconds / 60).rounded(.up) * 60
      return .gap(minutes: Int(rules.maxGap / 60))
    case .betweenSegments, .inGap, .beforeTrack, .afterTrack:
      guard nearest <= longest else { return nil }
      rules.nearestWithin = (nearest / 60).rounded(.up) * 60
      return .nearest(minutes: Int(rules.nearestWithin / 60))
    case .tooFarApart(let metres, _) where metres > rules.maxDistance ?? .infinity && metres <= farthest:
      let wanted = (metres / 100).rounded(.up) * 100
      rules.maxDistance = wanted
      return .distance(metres: Int(wanted))
    // A user-set speed limit is deliberate; don't suggest raising it.
    case .tooFarApart, .emptyTrack, .rolledOver: return nil
    }
  }
}

/// The limits for the distance between a photo and the fixes that place it, and between these fixes.
public struct MatchRules: Hashable, Sendable {
  /// The longest gap in seconds between two neighbouring fixes in which a photo is placed on the way from one to the
  /// other; in a longer gap the movement is unknown. At least 0.
  public var maxGap: Double = 1_800
  /// The longest distance in metres between two neighbouring fixes in which a photo is placed; nil, the default, allows
  /// any distance.
  public var maxDistance: Double?
  /// The highest speed in metres per second between two neighbouring fixes that is plausible; nil, the default, allows
  /// any speed.
  public var maxSpeed: Double?
  /// Whether a photo between the end of one segment and the start of another counts as between neighbouring fixes. A
  /// segment ends where the receiver was switched off or lost its signal.
  public var acrossSegments = false
  /// The time in seconds within which a photo that can't be placed between fixes (before the track, after it, in a gap)
  /// takes the position of the nearest fix, unchanged; of two equally near, the later. 0, the default, means never.
  public var nearestWithin: Double = 0

  /// Creates the defaults: 30 minutes, inside segments, nothing extrapolated.
  public init() {}

  /// Throws when the way from `a` to `b` is too long, or too fast, to place a photo on it.
  func requireBelievable(_ a: TrackPoint, _ b: TrackPoint) throws(MatchFailure) {
    guard maxDistance != nil || maxSpeed != nil else { return }
    let metres = a.coordinate.distance(to: b.coordinate)
    let seconds = b.instant.timeInterval(since: a.instant)
    guard metres <= maxDistance ?? .infinity, metres <= (maxSpeed ?? .infinity) * seconds else {
      throw .tooFarApart(metres, seconds: seconds)
    }
  }
}

/// The kind of data that gives the places of photos that don't record theirs.
@nonexhaustive
public enum ReferenceKind: Hashable, Sendable {
  /// Fixes that receivers recorded.
  case track
  /// Reference photos: other photos from about the same time that record their place.
  case photos

  /// The word for one element.
  var point: String { self == .track ? "fix" : "photo" }
  /// The word for several elements.
  var points: String { self == .track ? "fixes" : "photos" }
}
