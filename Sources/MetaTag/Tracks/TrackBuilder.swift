/// Collects the points of a track file, and counts those that can't be used.
struct TrackBuilder {
  /// The name of the file.
  let name: String
  /// Returns the time zone of a place, if it can be looked up.
  let zone: TrackZone?
  private var segments: [Track.Segment] = []
  private var points: [TrackPoint] = []
  /// The points of the same segment before `points`, in pieces: one growing array would be copied, and so be in memory
  /// twice.
  private var pieces: [[TrackPoint]] = []
  /// 40 MB: blocks larger than 32 MB return to the system as soon as they are freed (mallopt(3), M_MMAP_THRESHOLD).
  private static let pieceCount = 1 << 20
  private var rejected: [TrackSource.Rejection: Int] = [:]
  private var unordered = 0
  private var sameTime = 0
  private var withoutZone = 0
  private var brokenOff: Int?
  private var spread = 0
  private var others: [TrackSource.Warning] = []
  private var places = 0
  private var routePoints = 0

  init(name: String = "", zone: TrackZone? = nil) {
    self.name = name
    self.zone = zone
  }

  /// Whether there is no fix.
  var isEmpty: Bool { segments.isEmpty && points.isEmpty && pieces.isEmpty }
  /// The number of fixes.
  var count: Int {
    segments.reduce(0) { $0 + $1.points.count } + pieces.reduce(0) { $0 + $1.count } + points.count
  }

  mutating func add(_ point: TrackPoint) {
    if let last = points.last ?? pieces.last?.last, point.microseconds < last.microseconds { unordered += 1 }
    if points.count == TrackBuilder.pieceCount {
      pieces.append(points)
      points = []
      points.reserveCapacity(TrackBuilder.pieceCount)
    }
    points.append(point)
  }

  mutating func reject(_ reason: TrackSource.Rejection) { rejected[reason, default: 0] += 1 }
  mutating func noteMissingZone() { withoutZone += 1 }
  mutating func noteSpread(_ count: Int) { spread += count }
  /// Counts a place that is not a track point; reported if there are no fixes.
  mutating func notePlace() { places += 1 }
  /// Counts a point of a route; reported if there are no fixes.
  mutating func noteRoutePoint() { routePoints += 1 }
  mutating func note(_ warning: TrackSource.Warning) { others.append(warning) }
  mutating func noteEnd(at offset: Int) { brokenOff = offset }

  /// Adds a stay: the receiver was in one place from one instant to the other, and at every instant in between.
  mutating func addStay(at coordinate: Coordinate, from start: Instant, to end: Instant) {
    let length = end.microseconds.subtractingReportingOverflow(start.microseconds)
    // A stay of more than a month is a mistake; use its ends only.
    let step: Int64 = 600_000_000
    if !length.overflow, (0...4_464 * step).contains(length.partialValue) {
      for passed in stride(from: 0, to: length.partialValue, by: Int(step)) {
        let shift = TimeShift(seconds: passed / 1_000_000)
        add(TrackPoint(start.adding(shift), coordinate))
      }
    } else {
      add(TrackPoint(start, coordinate))
    }
    if end > start { add(TrackPoint(end, coordinate)) }
  }

  /// Ends the segment, because there is a break before the next point.
  mutating func endSegment() {
    joinPieces()
    if !zip(points, points.dropFirst()).allSatisfy({ $0.microseconds < $1.microseconds }) { putInOrder() }
    if let segment = Track.Segment(points) { segments.append(segment) }
    points = []
  }

  /// Joins the pieces and `points` into one array; each piece is freed as soon as it is copied.
  private mutating func joinPieces() {
    guard !pieces.isEmpty else { return }
    pieces.append(points)
    points = []
    points.reserveCapacity(pieces.reduce(0) { $0 + $1.count })
    pieces.reverse()
    while let piece = pieces.popLast() { points += piece }
  }

  consuming func track(name: String, format: String) -> Track {
    endSegment()
    var warnings: [TrackSource.Warning] = []
    if unordered > 0 { warnings.append(.unordered(unordered)) }
    if sameTime > 0 { warnings.append(.sameTime(sameTime)) }
    if withoutZone > 0 { warnings.append(.withoutZone(withoutZone)) }
    if spread > 0 { warnings.append(.spread(spread)) }
    warnings += others
    if segments.isEmpty, places > 0 { warnings.append(.onlyPlaces(places)) }
    if segments.isEmpty, routePoints > 0 { warnings.append(.onlyRoutes(routePoints)) }
    if let brokenOff { warnings.append(.brokenOff(brokenOff)) }
    let source = TrackSource(
      name: name, format: format, count: segments.reduce(0) { $0 + $1.points.count }, rejected: rejected,
      warnings: warnings)
    return Track(segments, sources: [source])
  }

  /// Sorts by time. Of points at the same time, the one with the smallest uncertainty is kept; in a tie, the last in
  /// the file.
  private mutating func putInOrder() {
    let points = points
    let order = points.indices.sorted { (points[$0].microseconds, $0) < (points[$1].microseconds, $1) }
    var kept: [TrackPoint] = []
    kept.reserveCapacity(points.count)
    for index in order {
      let point = points[index]
      guard let last = kept.last, last.microseconds == point.microseconds else {
        kept.append(point)
        continue
      }
      sameTime += 1
      if point.uncertainty <= last.uncertainty { kept[kept.count - 1] = point }
    }
    self.points = kept
  }
}

extension TrackPoint {
  /// The uncertainty; smaller is better. Metres and dilutions are comparable enough for points of one file.
  fileprivate var uncertainty: Double { accuracy ?? dilutionOfPrecision ?? .infinity }
}

extension TrackBuilder {
  /// Adds a line that was travelled at constant speed from one instant to the other.
  mutating func addLine(_ line: [Coordinate], altitudes: [Double?], from start: Instant, to end: Instant) {
    var passed = [0.0]
    for (from, to) in zip(line, line.dropFirst()) { passed.append((passed.last ?? 0) + from.distance(to: to)) }
    let (length, seconds) = (passed.last ?? 0, end.timeInterval(since: start))
    for (index, coordinate) in line.enumerated() {
      let fraction = length > 0 ? passed[index] / length : Double(index) / Double(max(1, line.count - 1))
      let nanoseconds = (seconds * fraction).truncatingRemainder(dividingBy: 1) * 1e9
      let shift = TimeShift(seconds: Int64(seconds * fraction), nanoseconds: Int32(nanoseconds))
      add(TrackPoint(start.adding(shift), coordinate, altitude: altitudes[index]))
    }
    noteSpread(max(0, line.count - 2))
  }
}
