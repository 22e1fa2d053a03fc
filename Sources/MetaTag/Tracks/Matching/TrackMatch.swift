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
