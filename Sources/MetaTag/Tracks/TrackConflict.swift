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
  /// How many instants of an overlap are compared.
  private static let samples = 64
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
    let (start, end) = (max(a, b).microseconds, min(c, d).microseconds)
    let step = max(1, (end - start) / Int64(samples))
    return stride(from: start, through: end, by: Int(step)).compactMap { time in
      guard let here = first.place(at: time, within: longestStep),
        let there = second.place(at: time, within: longestStep)
      else { return nil }
      let instant = Instant(seconds: time.flooredDivision(by: 1_000_000).quotient)
      return (instant, here.distance(to: there))
    }.max { $0.metres < $1.metres }
  }
}

extension Track {
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
