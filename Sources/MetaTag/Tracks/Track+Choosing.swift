/// How precise a fix must be to be believed. One that doesn't say is believed, but for 0, 0: receivers write that
/// without a fix.
public struct FixLimits: Hashable, Sendable {
  /// The greatest dilution of precision (PDOP where the file has it, else HDOP); nil, the default, is any.
  public var dilution: Double?
  /// The greatest radius of uncertainty in metres; nil, the default, is any.
  public var accuracy: Double?

  /// Without limits.
  public init() {}

  func rejection(of point: TrackPoint) -> TrackSource.Rejection? {
    if point.coordinate.isNoFix { return .noFix }
    if let dilution, let value = point.dilutionOfPrecision, value > dilution { return .diluted }
    if let accuracy, let value = point.accuracy, value > accuracy { return .inaccurate }
    return nil
  }
}

extension Track {
  /// The track of one file without the fixes that are less precise than `limits`, or none; they are counted by reason.
  /// What is left of a segment stays one: the pause where some are missing is a gap as any other.
  public func keeping(within limits: FixLimits) -> Track {
    // Millions of points aren't copied where all of them stay.
    guard segments.contains(where: { $0.points.contains { limits.rejection(of: $0) != nil } }) else { return self }
    var rejected: [TrackSource.Rejection: Int] = [:]
    let kept = segments.compactMap { segment in
      Segment(
        segment.points.filter { point in
          guard let reason = limits.rejection(of: point) else { return true }
          rejected[reason, default: 0] += 1
          return false
        })
    }
    let lost = rejected.values.reduce(0, +)
    return Track(
      kept,
      sources: sources.map { source in
        TrackSource(
          name: source.name, format: source.format, count: source.count - lost,
          rejected: source.rejected.merging(rejected) { $0 + $1 }, warnings: source.warnings)
      })
  }

  /// The same fixes so many weeks later: what a receiver lacks whose week counter has begun anew.
  public func adding(weeks: Int) -> Track {
    guard weeks != 0 else { return self }
    let shift = TimeShift(weeks: weeks)
    return Track(segments.compactMap { Segment($0.points.map { $0.moved(by: shift) }) }, sources: sources)
  }
}

extension TimeShift {
  init(weeks: Int) { self.init(seconds: Int64(weeks) * 604_800) }
}
