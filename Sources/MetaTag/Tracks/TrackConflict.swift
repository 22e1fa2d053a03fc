/// Two tracks that say different places at the same time.
public struct TrackConflict: Hashable, Sendable {
  /// Names of the two.
  public let names: [String]
  /// When they are farthest apart, of the instants that were compared.
  public let instant: Instant
  /// How far apart they are then, in metres.
  public let metres: Double

  /// Two tracks farther apart than this were not carried by one person.
  private static let leastMetres = 500.0
  /// How many fixes of an overlap are compared with the other track, at most.
  private static let samples = 1_000
  /// Between fixes farther apart than this nobody knows where the receiver was, in microseconds.
  private static let longestStep: Int64 = 120_000_000

  /// One for each pair of tracks that contradict each other by more than 500 metres.
  public static func among(_ tracks: [Track]) -> [TrackConflict] {
    var conflicts: [TrackConflict] = []
    // Many files from one day are compared with each other only as far as anyone reads the answer.
    for (index, first) in tracks.enumerated() where conflicts.count < 20 {
      for second in tracks[(index + 1)...] {
        guard let worst = worst(first, second), worst.metres > leastMetres else { continue }
        conflicts.append(
          TrackConflict(
            names: [first, second].map { $0.sources.map(\.name).joined(separator: ", ") }, instant: worst.instant,
            metres: worst.metres))
      }
    }
    return conflicts
  }

  private static func worst(_ first: Track, _ second: Track) -> (instant: Instant, metres: Double)? {
    guard let a = first.start, let b = second.start, let c = first.end, let d = second.end, max(a, b) <= min(c, d)
    else { return nil }
    let shared = max(a, b)...min(c, d)
    let counts = [first, second].map { $0.fixes(in: shared).reduce(0) { $0 + $1.count } }
    // The one with fewer: what it doesn't say, it can't contradict.
    let (sparse, other) = counts[0] <= counts[1] ? (first, second) : (second, first)
    let step = max(1, (counts.min() ?? 0) / samples)
    let compared = sparse.fixes(in: shared).joined().enumerated().lazy.filter { $0.offset % step == 0 }.map(\.element)
    return compared.compactMap { fix -> (instant: Instant, metres: Double)? in
      other.place(at: fix.microseconds, within: longestStep).map { (fix.instant, fix.coordinate.distance(to: $0)) }
    }.max { $0.metres < $1.metres }
  }
}

extension Track {
  /// What was recorded in `span`, segment by segment.
  fileprivate func fixes(in span: ClosedRange<Instant>) -> [ArraySlice<TrackPoint>] {
    segments.filter { $0.start <= span.upperBound && $0.end >= span.lowerBound }.map { segment in
      let points = segment.points
      let first = points.partitionPoint { $0.instant < span.lowerBound }
      return points[first..<points.partitionPoint { $0.instant <= span.upperBound }]
    }
  }

  /// The nearest fix before `time` when the next one follows soon enough.
  fileprivate func place(at time: Int64, within longest: Int64) -> Coordinate? {
    let segment = segments.prefix(segments.partitionPoint { $0.start.microseconds <= time }).last
    guard let segment, segment.end.microseconds >= time else { return nil }
    let later = segment.countNotLater(than: time)
    let (before, after) = (segment.points[later - 1], segment.points[min(later, segment.points.count - 1)])
    guard after.microseconds - before.microseconds <= longest, after.microseconds > before.microseconds else {
      return before.microseconds == time ? before.coordinate : nil
    }
    let fraction = Double(time - before.microseconds) / Double(after.microseconds - before.microseconds)
    return before.coordinate.interpolated(to: after.coordinate, fraction: fraction)
  }
}
