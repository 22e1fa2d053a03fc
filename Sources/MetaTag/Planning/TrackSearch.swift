extension Track {
  /// Where the receiver was at `instant`, by `rules`.
  ///
  /// A photo inside several overlapping segments is placed by the one whose two fixes stand closest together in time;
  /// of equals, by the one that began first, then ended first, then lies farthest south and west: never by the order in
  /// which files were named.
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

  /// Whether a segment goes on at `instant`.
  private func contains(_ instant: Instant) -> Bool { surroundings(of: instant).inside != nil }

  /// Two fixes of one segment around an instant; the same one twice when it is exact.
  private struct Pair {
    let before: TrackPoint
    let after: TrackPoint
    var length: Double { (Double(after.microseconds) - Double(before.microseconds)) / 1e6 }
  }

  /// The last fix before and the first fix after an instant, whatever their segments.
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

  /// The last fix before `instant`, or at it, and the first after, whatever their segments.
  func fixes(around instant: Instant) -> [TrackPoint] {
    let neighbours = surroundings(of: instant).neighbours
    return [neighbours.before, neighbours.after].compactMap(\.self)
  }

  private func surroundings(of instant: Instant) -> (inside: Pair?, neighbours: Neighbours) {
    let next = segments.partitionPoint { $0.start <= instant }
    var (inside, neighbours): (Pair?, Neighbours) = (nil, Neighbours())
    if next < segments.count, let first = segments[next].points.first { neighbours.consider(after: first) }
    // Backwards through those that began, as long as one of them may still be running.
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
      // At least the first fix is not later, and unless the last is exact, one is.
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
  /// Where the fix nearest in time to `instant` is.
  public func nearestPlace(to instant: Instant) -> Coordinate? {
    fixes(around: instant).min {
      abs($0.instant.timeInterval(since: instant)) < abs($1.instant.timeInterval(since: instant))
    }?.coordinate
  }
}
