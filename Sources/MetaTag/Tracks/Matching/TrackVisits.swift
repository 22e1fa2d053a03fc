import Glibc

/// A time span in which a track was near a place, without leaving it for long.
public struct TrackVisit: Hashable, Sendable {
  /// The time at which the track came within the requested distance.
  package private(set) var start: Instant
  /// The time at which the track left that distance.
  package private(set) var end: Instant
  /// The time of the closest approach.
  package private(set) var nearest: Instant
  /// The closest distance in metres.
  package private(set) var metres: Double
  /// Whether a recording begins or ends with the visit, so that the person with the receiver may have been there
  /// longer.
  package fileprivate(set) var isOpen = false

  init(_ start: Instant, _ end: Instant, nearest: Instant, metres: Double) {
    (self.start, self.end, self.nearest, self.metres) = (start, end, nearest, metres)
  }

  /// Seconds from `start` to `end`.
  package var length: Double { end.timeInterval(since: start) }

  /// Merges `other`, which doesn't begin earlier, into this visit.
  fileprivate mutating func join(_ other: TrackVisit) {
    end = max(end, other.end)
    if other.metres < metres { (nearest, metres) = (other.nearest, other.metres) }
  }
}

/// Finds when a track was near a place. Bounding boxes of every 128 fixes avoid a search through millions of fixes.
package struct TrackVisits: Sendable {
  /// Seconds between two visits up to which they are merged: receivers err by some metres.
  static let shortestAbsence = 60.0

  private struct Box {
    let segment: Int
    /// The fixes whose ways to the next fix lie in the box.
    let fixes: Range<Int>
    var south = 90.0, north = -90.0, west = 180.0, east = -180.0

    mutating func add(_ place: Coordinate) {
      (south, north) = (min(south, place.latitude), max(north, place.latitude))
      (west, east) = (min(west, place.longitude), max(east, place.longitude))
    }
  }

  private let track: Track
  private let boxes: [Box]
  /// The instants at which recordings began and ended.
  private let ends: Set<Instant>
  private static let step = 128

  /// Creates the boxes; visits every fix once.
  package init(of track: Track) {
    self.track = track
    ends = Set(track.segments.flatMap { [$0.start, $0.end] })
    boxes = track.segments.enumerated().flatMap { index, segment in
      stride(from: 0, to: segment.points.count, by: TrackVisits.step).map { first in
        let next = min(first + TrackVisits.step, segment.points.count)
        var box = Box(segment: index, fixes: first..<next)
        for point in segment.points[first..<min(next + 1, segment.points.count)] { box.add(point.coordinate) }
        // The shorter way may cross the antimeridian.
        if box.east - box.west > 180 { (box.west, box.east) = (-180, 180) }
        return box
      }
    }
  }

  /// Returns the times at which the track was within `metres` of `place`, in ascending order. Between two fixes at most
  /// `maxGap` seconds apart, the track is assumed to be straight and of constant speed. In a longer pause between two
  /// fixes that are both near, the track is assumed to stay near.
  package func visits(of place: Coordinate, within metres: Double, maxGap: Double) -> [TrackVisit] {
    var found: [TrackVisit] = []
    let plane = Plane(at: place)
    for box in boxes(near: place, within: metres) {
      let points = track.segments[box.segment].points
      for index in box.fixes {
        let next = index + 1 < points.count ? points[index + 1] : points[index]
        if let visit = plane.visit(points[index], next, within: metres, maxGap: maxGap) { found.append(visit) }
      }
    }
    found.sort { ($0.start, $0.end) < ($1.start, $1.end) }
    var visits: [TrackVisit] = []
    for visit in found {
      if let last = visits.last, visit.start.timeInterval(since: last.end) <= TrackVisits.shortestAbsence {
        visits[visits.count - 1].join(visit)
      } else {
        visits.append(visit)
      }
    }
    for index in visits.indices {
      visits[index].isOpen = ends.contains(visits[index].start) || ends.contains(visits[index].end)
    }
    return visits
  }

  /// Returns the number of fixes that a search for a place visits.
  func countLookedAt(near place: Coordinate, within metres: Double) -> Int {
    boxes(near: place, within: metres).reduce(0) { $0 + $1.fixes.count }
  }

  private func boxes(near place: Coordinate, within metres: Double) -> [Box] {
    let up = metres / Plane.metresPerDegree
    // The widest parallel of the circle is the one nearer to the pole; around a pole it spans all longitudes.
    let narrow = cos(min(90, abs(place.latitude) + up) * .pi / 180)
    let side = narrow > 1e-6 ? min(180, up / narrow) : 180
    return boxes.filter { box in
      guard box.south - up <= place.latitude, place.latitude <= box.north + up else { return false }
      return [-360.0, 0, 360].contains { turn in
        box.west - side <= place.longitude + turn && place.longitude + turn <= box.east + side
      }
    }
  }
}

/// A flat projection of the Earth around a place, accurate to some metres near the place, where accuracy matters.
private struct Plane {
  static let metresPerDegree = Coordinate.meanRadius * .pi / 180
  private let origin: Coordinate
  private let metresEast: Double

  init(at origin: Coordinate) {
    self.origin = origin
    metresEast = Plane.metresPerDegree * cos(origin.latitude * .pi / 180)
  }

  private func position(of place: Coordinate) -> (x: Double, y: Double) {
    var east = place.longitude - origin.longitude
    if east > 180 { east -= 360 } else if east < -180 { east += 360 }
    return (east * metresEast, (place.latitude - origin.latitude) * Plane.metresPerDegree)
  }

  /// Returns the part of the way from `a` to `b` that is within `metres` of the origin.
  func visit(_ a: TrackPoint, _ b: TrackPoint, within metres: Double, maxGap: Double) -> TrackVisit? {
    let (p, q) = (position(of: a.coordinate), position(of: b.coordinate))
    let (dx, dy) = (q.x - p.x, q.y - p.y)
    let (square, product, rest) = (dx * dx + dy * dy, p.x * dx + p.y * dy, p.x * p.x + p.y * p.y - metres * metres)
    let seconds = (Double(b.microseconds) - Double(a.microseconds)) / 1e6
    var (first, last) = (0.0, 1.0)
    if square == 0 {
      guard rest <= 0 else { return nil }
    } else if seconds > maxGap {
      // Only the beginning and the end of a long pause are known.
      guard rest <= 0 else { return nil }
      let endsNear = q.x * q.x + q.y * q.y <= metres * metres
      let isNearer = endsNear && hypot(q.x, q.y) < hypot(p.x, p.y)
      return TrackVisit(
        a.instant, endsNear ? b.instant : a.instant, nearest: isNearer ? b.instant : a.instant,
        metres: isNearer ? hypot(q.x, q.y) : hypot(p.x, p.y))
    } else {
      // |p + t d|² = metres², t from 0 to 1.
      let root = product * product - square * rest
      guard root >= 0 else { return nil }
      (first, last) = (max(0, (-product - root.squareRoot()) / square), min(1, (-product + root.squareRoot()) / square))
      guard first <= last else { return nil }
    }
    let nearest = square == 0 ? 0 : min(max(-product / square, first), last)
    let instant = { (t: Double) in a.instant.adding(TimeShift(roundingSeconds: seconds * t)) }
    return TrackVisit(
      instant(first), instant(last), nearest: instant(nearest), metres: hypot(p.x + nearest * dx, p.y + nearest * dy))
  }
}

/// The reason why a track doesn't determine when a photo was taken.
@nonexhaustive
public enum VisitFailure: Error, Hashable, Sendable {
  /// The track never came within so many metres of the photo's place.
  case neverNear(Double)
  /// The track was there at these times, by the clock of the place.
  case severalVisits([CaptureTime])
  /// The track was there at these times, on other days than the one that the photo records.
  case otherDay(CivilTime, [CaptureTime])
  /// The track stayed there from the first time to the second.
  case longStay(CaptureTime, CaptureTime)
  /// The track was there, but the time zone of the place is unknown.
  case unknownZone

  /// The remedy; nil if there is none.
  var remedy: Remedy? {
    switch self {
    case .neverNear, .severalVisits, .otherDay: nil
    case .longStay: .allowStay
    case .unknownZone: .givePlaceZone
    }
  }

  /// The reason without the photo's own values.
  var summary: String {
    switch self {
    case .neverNear: "the track was never at its location"
    case .severalVisits: "the track was at its location several times"
    case .otherDay: "the track was at its location on another day than the photo records"
    case .longStay: "the track stayed at its location for too long"
    case .unknownZone: "the time zone of its location is unknown"
    }
  }

  private static func list(_ times: [CaptureTime]) -> String {
    let shown = 4
    let more = times.count > shown ? " and \(times.count - shown) more" : ""
    return times.prefix(shown).map(\.description).joined(separator: ", ") + more
  }
}

extension VisitFailure: CustomStringConvertible {
  /// The reason in a sentence.
  public var description: String {
    switch self {
    case .neverNear(let metres): "\(summary) (never within \(Length(metres)))"
    case .severalVisits(let times): "\(summary): \(VisitFailure.list(times))"
    case .otherDay(let day, let times):
      "\(summary) (\(day.description.prefix(10)); the track: \(VisitFailure.list(times)))"
    case .longStay(let start, let end): "\(summary): from \(start) to \(end)"
    case .unknownZone: summary
    }
  }
}
