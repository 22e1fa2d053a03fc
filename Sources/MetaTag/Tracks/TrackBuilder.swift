/// Collects what a track file says, point by point, and keeps count of what can't be used.
struct TrackBuilder {
  private var segments: [Track.Segment] = []
  private var points: [TrackPoint] = []
  private var rejected: [TrackSource.Rejection: Int] = [:]
  private var unordered = 0
  private var sameTime = 0
  private var withoutZone = 0
  private var brokenOff: Int?

  /// Whether there is a fix.
  var isEmpty: Bool { segments.isEmpty && points.isEmpty }

  mutating func add(_ point: TrackPoint) {
    if let last = points.last, point.instant < last.instant { unordered += 1 }
    points.append(point)
  }

  mutating func reject(_ reason: TrackSource.Rejection) { rejected[reason, default: 0] += 1 }
  mutating func noteMissingZone() { withoutZone += 1 }
  mutating func noteEnd(at offset: Int) { brokenOff = offset }

  /// What follows was recorded after a break.
  mutating func endSegment() {
    if !zip(points, points.dropFirst()).allSatisfy({ $0.instant < $1.instant }) { putInOrder() }
    if let segment = Track.Segment(points) { segments.append(segment) }
    points = []
  }

  consuming func track(name: String, format: String) -> Track {
    endSegment()
    var warnings: [TrackSource.Warning] = []
    if unordered > 0 { warnings.append(.unordered(unordered)) }
    if sameTime > 0 { warnings.append(.sameTime(sameTime)) }
    if withoutZone > 0 { warnings.append(.withoutZone(withoutZone)) }
    if let brokenOff { warnings.append(.brokenOff(brokenOff)) }
    let source = TrackSource(
      name: name, format: format, count: segments.reduce(0) { $0 + $1.points.count }, rejected: rejected,
      warnings: warnings)
    return Track(segments, sources: [source])
  }

  /// Sorts by time and keeps, of points at the same time, the one with the smallest dilution of precision, else the
  /// last in the file.
  private mutating func putInOrder() {
    let points = points
    let order = points.indices.sorted { (points[$0].instant, $0) < (points[$1].instant, $1) }
    var kept: [TrackPoint] = []
    kept.reserveCapacity(points.count)
    for index in order {
      let point = points[index]
      guard let last = kept.last, last.instant == point.instant else {
        kept.append(point)
        continue
      }
      sameTime += 1
      if (point.dilutionOfPrecision ?? .infinity) <= (last.dilutionOfPrecision ?? .infinity) {
        kept[kept.count - 1] = point
      }
    }
    self.points = kept
  }
}
