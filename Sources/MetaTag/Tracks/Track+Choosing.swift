/// The precision required of a fix. A fix that doesn't record its precision is accepted, except at 0, 0, which
/// receivers write without a fix.
public struct FixLimits: Hashable, Sendable {
  /// The greatest dilution of precision (PDOP if the file has it, otherwise HDOP); nil, the default, accepts any.
  public var dilution: Double?
  /// The greatest radius of uncertainty in metres; nil, the default, accepts any.
  public var accuracy: Double?

  /// Creates limits that accept any precision.
  public init() {}

  func rejection(of point: TrackPoint) -> TrackSource.Rejection? {
    if point.coordinate.isNoFix { return .noFix }
    if let dilution, let value = point.dilutionOfPrecision, value > dilution { return .diluted }
    if let accuracy, let value = point.accuracy, value > accuracy { return .inaccurate }
    return nil
  }
}

extension Track {
  /// Returns the track without the fixes that are less precise than `limits`; they are counted by reason. The track
  /// must be of one file or of none. A segment remains one segment: the pause where fixes are missing is a gap like any
  /// other.
  public func keeping(within limits: FixLimits) -> Track {
    // Don't copy millions of points if all of them are kept.
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

  /// Returns the same fixes `weeks` weeks later, to correct a receiver whose GPS week counter has rolled over.
  public func adding(weeks: Int) -> Track {
    guard weeks != 0 else { return self }
    let shift = TimeShift(weeks: weeks)
    return Track(segments.compactMap { Segment($0.points.map { $0.moved(by: shift) }) }, sources: sources)
  }
}

extension TimeShift {
  init(weeks: Int) { self.init(seconds: Int64(weeks) * 604_800) }
}
