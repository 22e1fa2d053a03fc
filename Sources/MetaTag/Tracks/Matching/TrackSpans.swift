/// The times at which a track knows the position.
struct TrackSpans {
  /// The spans in ascending order, without overlap.
  private let spans: [ClosedRange<Double>]

  init(of track: Track, _ rules: MatchRules) {
    var found: [ClosedRange<Double>] = []
    for segment in track.segments {
      var start: Double?
      var last = 0.0
      for point in segment.points {
        let seconds = Double(point.microseconds) / 1e6
        if let begun = start, seconds - last > rules.maxGap {
          found.append(begun...last)
          start = seconds
        }
        start = start ?? seconds
        last = seconds
      }
      if let start { found.append(start...last) }
    }
    spans = found.map { $0.lowerBound - rules.nearestWithin...$0.upperBound + rules.nearestWithin }
      .sorted { $0.lowerBound < $1.lowerBound }
      .reduce(into: []) { joined, span in
        let pause = rules.acrossSegments ? rules.maxGap : 0
        if let last = joined.last, span.lowerBound <= last.upperBound + pause {
          joined[joined.count - 1] = last.lowerBound...max(last.upperBound, span.upperBound)
        } else {
          joined.append(span)
        }
      }
  }

  /// Returns the seconds from `instant` to the nearest span; 0 inside one.
  func distance(to instant: Double) -> Double {
    let next = spans.partitionPoint { $0.lowerBound <= instant }
    let before = next > 0 ? max(0, instant - spans[next - 1].upperBound) : .infinity
    return min(before, next < spans.count ? spans[next].lowerBound - instant : .infinity)
  }
}
