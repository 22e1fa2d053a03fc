/// Two tracks, or two segments of one, that say different places at the same time.
package struct TrackConflict: Hashable, Sendable {
  /// Names of the two, or of the one.
  package let names: [String]
  /// When they are farthest apart, of the instants that were compared.
  package let instant: Instant
  /// How far apart they are then, in metres.
  package let metres: Double

  /// Two tracks farther apart than this were not carried by one person.
  private static let leastMetres = 500.0
  /// How many fixes of an overlap are compared with the other track, at most.
  private static let samples = 1_000
  /// Seconds from the nearer of two fixes up to which the way between them is taken for known.
  private static let knownSeconds = 60.0
  /// How far off that way a receiver may have been for each second more, in metres; more where it went faster.
  private static let leastSpeed = 30.0

  /// How many overlaps within a track are compared, at most.
  private static let overlaps = 1_000
  /// How many pairs of tracks are compared, at most.
  private static let pairs = 20_000

  /// One for each track that contradicts itself, and for each pair of tracks that contradict each other, by more than
  /// 500 metres, and by more than the receivers can have gone meanwhile where fixes are far apart in time.
  ///
  /// - Parameter longest: Seconds between two fixes of a segment up to which the way between them is taken.
  /// - Returns: `isComplete` is false when they are so many that not all were compared.
  package static func among(
    _ tracks: [Track], bridging longest: Double = 1_800
  ) -> (conflicts: [TrackConflict], isComplete: Bool) {
    var conflicts: [TrackConflict] = []
    let pairs = overlapping(tracks)
    for (first, others) in zip(tracks, pairs.later) {
      // Many files from one day are compared with each other only as far as anyone reads the answer.
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

  /// For each track those later in the list that were recorded at the same time.
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

  /// Of every segment and the one before it that goes on longest.
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
    // The one with fewer: what it doesn't say, it can't contradict.
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

  /// What was recorded in `span`, segment by segment.
  fileprivate func fixes(in span: ClosedRange<Instant>) -> [ArraySlice<TrackPoint>] {
    segments.filter { $0.start <= span.upperBound && $0.end >= span.lowerBound }.map { segment in
      let points = segment.points
      let first = points.partitionPoint { $0.instant < span.lowerBound }
      return points[first..<points.partitionPoint { $0.instant <= span.upperBound }]
    }
  }

  /// Where it was at `time`, when the next fix follows soon enough after the one before; how many seconds the nearer of
  /// the two is away, and how fast it went, in metres per second.
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
