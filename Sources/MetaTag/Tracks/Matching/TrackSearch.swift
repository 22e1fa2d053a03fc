/// Search for the position at an instant.
extension Track {
  /// Returns the receiver's position at `instant`, by `rules`.
  ///
  /// If several overlapping segments contain the instant, the one whose two fixes are closest in time is used; among
  /// equals, the one that began first, then ended first, then lies farthest south and west. The order of the files
  /// never matters.
  /// - Throws: `MatchFailure`, the reason.
  public func match(_ instant: Instant, rules: MatchRules = MatchRules()) throws(MatchFailure) -> TrackMatch {
    let (inside, neighbours) = surroundings(of: instant)
    if let inside, inside.before.instant == instant {
      return TrackMatch(instant: instant, fixes: .exact(inside.before))
    }
    for pair in [inside, rules.acrossSegments ? neighbours.pair : nil] {
      if let pair, pair.length <= rules.maxGap {
        try rules.requireBelievable(pair.before, pair.after)
        return TrackMatch(instant: instant, fixes: .between(pair.before, pair.after))
      }
    }
    if let nearest = neighbours.nearest(to: instant),
      abs(nearest.instant.timeInterval(since: instant)) <= rules.nearestWithin
    {
      if let pair = neighbours.pair, pair.length <= 2 * rules.nearestWithin {
        try rules.requireBelievable(pair.before, pair.after)
      }
      return TrackMatch(instant: instant, fixes: .nearest(nearest))
    }
    if let inside { throw .inGap(inside.length) }
    switch (neighbours.before, neighbours.after) {
    case (nil, nil): throw .emptyTrack
    case (nil, let after?): throw .beforeTrack(after.instant.timeInterval(since: instant))
    case (let before?, nil):
      for weeks in [1_024, 2_048] where contains(instant.adding(TimeShift(weeks: -weeks))) {
        throw .rolledOver(weeks: weeks)
      }
      throw .afterTrack(instant.timeInterval(since: before.instant))
    case (let before?, let after?):
      let length = Pair(before: before, after: after).length
      throw rules.acrossSegments ? .inGap(length) : .betweenSegments(length)
    }
  }

  /// Whether `instant` lies inside a segment.
  private func contains(_ instant: Instant) -> Bool { surroundings(of: instant).inside != nil }

  /// Two fixes of one segment around an instant; the same fix twice for an exact match.
  private struct Pair {
    let before: TrackPoint
    let after: TrackPoint
    var length: Double { (Double(after.microseconds) - Double(before.microseconds)) / 1e6 }
  }

  /// The last fix before and the first fix after an instant, in any segments.
  private struct Neighbours {
    var before: TrackPoint?
    var after: TrackPoint?

    var pair: Pair? {
      guard let before, let after else { return nil }
      return Pair(before: before, after: after)
    }

    func nearest(to instant: Instant) -> TrackPoint? {
      guard let before, let after else { return before ?? after }
      return instant.timeInterval(since: before.instant) < after.instant.timeInterval(since: instant) ? before : after
    }

    mutating func consider(before point: TrackPoint) {
      if before.map({ $0.microseconds < point.microseconds }) ?? true { before = point }
    }

    mutating func consider(after point: TrackPoint) {
      if after.map({ point.microseconds < $0.microseconds }) ?? true { after = point }
    }
  }

  /// Returns the last fix before or at `instant`, and the first one after it, in any segments.
  func fixes(around instant: Instant) -> [TrackPoint] {
    let neighbours = surroundings(of: instant).neighbours
    return [neighbours.before, neighbours.after].compactMap(\.self)
  }

  private func surroundings(of instant: Instant) -> (inside: Pair?, neighbours: Neighbours) {
    let next = segments.partitionPoint { $0.start <= instant }
    var (inside, neighbours): (Pair?, Neighbours) = (nil, Neighbours())
    if next < segments.count, let first = segments[next].points.first { neighbours.consider(after: first) }
    // Go backwards through the segments that have begun, as long as one of them may still contain the instant.
    for index in (0..<next).reversed() {
      guard segments[latestEnding[index]].end >= instant else {
        if let last = segments[latestEnding[index]].points.last { neighbours.consider(before: last) }
        break
      }
      let points = segments[index].points
      guard segments[index].end >= instant else {
        if let last = points.last { neighbours.consider(before: last) }
        continue
      }
      // At least the first fix is not later; unless the last one is exact, one is later.
      let later = segments[index].countNotLater(than: instant.microseconds)
      let before = points[later - 1]
      let after = before.instant == instant ? before : points[later]
      let pair = Pair(before: before, after: after)
      if inside.map({ pair.length <= $0.length }) ?? true { inside = pair }
      neighbours.consider(before: before)
      neighbours.consider(after: after)
    }
    return (inside, neighbours)
  }
}

extension Track {
  /// Returns the place of the fix nearest in time to `instant`.
  public func nearestPlace(to instant: Instant) -> Coordinate? {
    fixes(around: instant).min {
      abs($0.instant.timeInterval(since: instant)) < abs($1.instant.timeInterval(since: instant))
    }?.coordinate
  }
}

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
