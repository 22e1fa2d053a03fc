/// A conflict between two tracks, or two segments of one, that record different places at the same time.
package struct TrackConflict: Hashable, Sendable {
  /// The names of the two tracks, or of the one.
  package let names: [String]
  /// The instant, of those that were compared, at which they are farthest apart.
  package let instant: Instant
  /// Their distance at that instant, in metres.
  package let metres: Double

  /// The distance in metres beyond which two tracks were not carried by one person.
  private static let leastMetres = 500.0
  /// The number of fixes of an overlap that are compared with the other track, at most.
  private static let samples = 1_000
  /// The number of seconds from the nearer of two fixes up to which the position between them counts as known.
  private static let knownSeconds = 60.0
  /// The distance in metres that a receiver may be off the interpolated position for each further second; more if it
  /// moved faster.
  private static let leastSpeed = 30.0

  /// The number of overlaps within a track that are compared, at most.
  private static let overlaps = 1_000
  /// The number of pairs of tracks that are compared, at most.
  private static let pairs = 20_000

  /// Returns a conflict for each track that contradicts itself, and for each pair of tracks that contradict each other.
  /// They do if they are more than 500 metres apart. If the fixes are far apart in time, the distance that the receivers
  /// can have moved meanwhile is added to this limit.
  ///
  /// - Parameter longest: The greatest number of seconds between two fixes of a segment to interpolate between.
  /// - Returns: The conflicts; `isComplete` is false if there were too many tracks or conflicts to compare all.
  package static func among(
    _ tracks: [Track], bridging longest: Double = 1_800
  ) -> (conflicts: [TrackConflict], isComplete: Bool) {
    var conflicts: [TrackConflict] = []
    let pairs = overlapping(tracks)
    for (first, others) in zip(tracks, pairs.later) {
      // With many files from one day, stop after more conflicts than anyone reads.
      guard conflicts.count < 20 else { return (conflicts, false) }
      if let own = worst(within: first, longest), own.excess > leastMetres {
        conflicts.append(TrackConflict(names: [first.name], instant: own.instant, metres: own.metres))
      }
      for second in others.lazy.map({ tracks[$0] }) {
        guard let worst = worst(first, second, longest), worst.excess > leastMetres else { continue }
        conflicts.append(
          TrackConflict(
            names: [first, second].map(\.name), instant: worst.instant, metres: worst.metres))
      }
    }
    return (conflicts, pairs.isComplete)
  }

  /// Returns, for each track, the later ones in the list that were recorded at the same time.
  private static func overlapping(_ tracks: [Track]) -> (later: [[Int]], isComplete: Bool) {
    var later = Array(repeating: [Int](), count: tracks.count)
    var (count, open) = (0, [(index: Int, end: Instant)]())
    let spans = tracks.enumerated().compactMap { index, track in
      track.start.flatMap { start in track.end.map { (index: index, start: start, end: $0) } }
    }
    for span in spans.sorted(by: { $0.start < $1.start }) {
      open.removeAll { $0.end < span.start }
      count += open.count
      guard count <= pairs else { return (later.map { $0.sorted() }, false) }
      for other in open { later[min(other.index, span.index)].append(max(other.index, span.index)) }
      open.append((span.index, span.end))
    }
    return (later.map { $0.sorted() }, true)
  }

  /// Returns the worst conflict between a segment and the earlier one that ends last.
  private static func worst(
    within track: Track, _ longest: Double
  ) -> (instant: Instant, metres: Double, excess: Double)? {
    zip(track.segments.dropFirst(), track.latestEnding).lazy
      .filter { $0.start <= track.segments[$1].end }.prefix(overlaps)
      .compactMap { worst(Track([$0], sources: []), Track([track.segments[$1]], sources: []), longest) }
      .max { $0.excess < $1.excess }
  }

  private static func worst(
    _ first: Track, _ second: Track, _ longest: Double
  ) -> (instant: Instant, metres: Double, excess: Double)? {
    guard let a = first.start, let b = second.start, let c = first.end, let d = second.end, max(a, b) <= min(c, d)
    else { return nil }
    let shared = max(a, b)...min(c, d)
    let counts = [first, second].map { $0.fixes(in: shared).reduce(0) { $0 + $1.count } }
    // Sample the one with fewer fixes: it can only conflict at its own fixes.
    let (sparse, other) = counts[0] <= counts[1] ? (first, second) : (second, first)
    let step = max(1, (counts.min() ?? 0) / samples)
    let compared = sparse.fixes(in: shared).joined().enumerated().lazy.filter { $0.offset % step == 0 }.map(\.element)
    return compared.compactMap { fix -> (instant: Instant, metres: Double, excess: Double)? in
      guard let place = other.place(at: fix.microseconds, within: longest) else { return nil }
      let metres = fix.coordinate.distance(to: place.coordinate)
      let leeway = max(0, place.seconds - knownSeconds) * max(leastSpeed, place.speed)
      return (fix.instant, metres, metres - leeway)
    }.max { $0.excess < $1.excess }
  }
}

extension Track {
  fileprivate var name: String { sources.map(\.name).joined(separator: ", ") }

  /// Returns the fixes recorded in `span`, segment by segment.
  fileprivate func fixes(in span: ClosedRange<Instant>) -> [ArraySlice<TrackPoint>] {
    segments.filter { $0.start <= span.upperBound && $0.end >= span.lowerBound }.map { segment in
      let points = segment.points
      let first = points.partitionPoint { $0.instant < span.lowerBound }
      return points[first..<points.partitionPoint { $0.instant <= span.upperBound }]
    }
  }

  /// Returns the interpolated position at `time`, if the fixes before and after are close enough in time; with the
  /// seconds to the nearer of the two, and the speed in metres per second.
  fileprivate func place(
    at time: Int64, within longest: Double
  ) -> (coordinate: Coordinate, seconds: Double, speed: Double)? {
    let segment = segments.prefix(segments.partitionPoint { $0.start.microseconds <= time }).last
    guard let segment, segment.end.microseconds >= time else { return nil }
    let later = segment.countNotLater(than: time)
    let (before, after) = (segment.points[later - 1], segment.points[min(later, segment.points.count - 1)])
    guard before.microseconds < time else { return (before.coordinate, 0, 0) }
    let length = after.instant.timeInterval(since: before.instant)
    guard length <= longest else { return nil }
    let passed = Double(time - before.microseconds) / 1e6
    return (
      before.coordinate.interpolated(to: after.coordinate, fraction: passed / length), min(passed, length - passed),
      before.coordinate.distance(to: after.coordinate) / length
    )
  }
}
