/// How a photo's instant meets a track.
public struct TrackMatch: Hashable, Sendable {
  /// What the position was taken from.
  public enum Fixes: Hashable, Sendable {
    /// A fix at this very instant.
    case exact(TrackPoint)
    /// The way between two fixes.
    case between(TrackPoint, TrackPoint)
    /// The nearest fix, as it is: the photo wasn't taken between two.
    case nearest(TrackPoint)
  }

  /// When the photo was taken, by the receiver's clock.
  public let instant: Instant
  /// What the position was taken from.
  public let fixes: Fixes
  /// What the fixes are of.
  public var reference = ReferenceKind.track

  /// Where the camera was at `instant`, and what the fixes tell besides.
  ///
  /// Between fixes the position lies on the great circle; altitude, speed and course change evenly and are known only
  /// where both fixes know them. Dilution of precision and `horizontalError` are the worse of both; of a position that
  /// is farther from both fixes than receivers err, the error is at least the distance to the nearer one. Of the
  /// nearest fix, taken as it is, only position, altitude and dilution are told: nobody knows how the camera moved from
  /// there, nor how far. There is a course only where the receiver moved: that of one at rest is noise. `timestamp` is
  /// the photo's instant.
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

  /// Metres by which a receiver under open sky may err.
  private static let receiverError = 10.0
  /// Metres per second below which a receiver doesn't know where it is headed: half a walk.
  private static let leastSpeed = 0.5

  /// How the position was found, for EXIF GPSProcessingMethod.
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
  /// `between fixes 2 min before (35 m) and 7 min after (105 m)`.
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
