@testable import MetaTag

/// The kinds of differences between another program's locations and metatag's: the rows of `Tests/DIFFERENCES.md`,
/// which says which one is right.
enum PeerDifference: String, CaseIterable {
  case none, degrees, segments, gap, outside, overlap
  case sameTime = "same time"
  case noFix = "no fix"
  case waypoint
  case zone, fraction, order
  case aroundTheWorld = "around the world"

  /// The distance in metres within which two answers are the same, because written digits are finite.
  static let tolerance = 0.2

  static func areSame(_ a: Coordinate?, _ b: Coordinate?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return a.distance(to: b) < tolerance
  }

  /// The row of a difference from ExifTool. Nil is a bug on either side.
  static func exiftool(_ scene: RandomScene, _ second: Int64, _ ours: Result<TrackMatch, MatchFailure>)
    -> PeerDifference?
  {
    let theirs = PeerModel.exiftool(scene, at: second)
    if areSame(try? ours.get().location.coordinate, theirs) { return PeerDifference.none }
    for (left, row) in [
      (.waypoints, waypoint), (.noFixes, noFix), (.sameTimes, sameTime),
    ] as [(PeerModel.Leaving, PeerDifference)]
    where !areSame(PeerModel.exiftool(scene, at: second, leaving: left), theirs) { return row }
    if scene.spans(around: second) > 1 { return overlap }
    switch ours {
    case .failure(.betweenSegments): return segments
    case .failure(.inGap): return gap
    case .failure(.beforeTrack), .failure(.afterTrack): return outside
    case .success(let match):
      // At a fix, ExifTool finds no location only if the way continues westward across 180°.
      guard case .between(let a, let b) = match.fixes else { return theirs == nil ? aroundTheWorld : nil }
      if areSame(straight(match), theirs) { return degrees }
      if b.coordinate.longitude - a.coordinate.longitude > 180 { return aroundTheWorld }
      let others = scene.segments.joined().contains {
        a.microseconds < $0.microseconds && $0.microseconds < b.microseconds
      }
      return others ? overlap : nil
    case .failure: return nil
    }
  }

  /// The row of a difference from gpscorrelate. Nil is a bug on either side.
  static func gpscorrelate(
    _ scene: RandomScene, _ second: Int64, _ ours: Result<TrackMatch, MatchFailure>
  ) -> PeerDifference? {
    let theirs = PeerModel.gpscorrelate(scene, at: second)
    if areSame(try? ours.get().location.coordinate, theirs) { return PeerDifference.none }
    if scene.offset != 0 { return zone }
    if scene.segments.joined().contains(where: { $0.time % 1_000_000 != 0 }) { return fraction }
    if scene.segments.joined().contains(where: \.isNone) { return noFix }
    if scene.isOutOfOrder { return order }
    switch ours {
    case .failure(.inGap): return gap
    case .failure: return nil
    case .success(let match):
      guard case .between(let a, let b) = match.fixes else { return nil }
      if areSame(straight(match), theirs) { return degrees }
      return abs(a.coordinate.longitude - b.coordinate.longitude) > 180 ? aroundTheWorld : nil
    }
  }

  /// The location of a match by linear interpolation of degrees.
  private static func straight(_ match: TrackMatch) -> Coordinate? {
    guard case .between(let a, let b) = match.fixes else { return nil }
    let fixes = [a, b].map { point in
      RandomScene.Fix(
        time: point.microseconds, latitude: point.coordinate.latitude, longitude: point.coordinate.longitude)
    }
    return PeerModel.straight(fixes[0], fixes[1], at: match.instant.microseconds, around: true)
  }
}

extension RandomScene.Fix {
  /// Microseconds since 1970.
  fileprivate var microseconds: Int64 { RandomScene.start * 1_000_000 + time }
}

extension RandomScene {
  /// The number of segments that span a second.
  func spans(around second: Int64) -> Int {
    segments.count { segment in
      let times = segment.map(\.time)
      return (times.min() ?? 0) <= second * 1_000_000 && second * 1_000_000 <= (times.max() ?? 0)
    }
  }

  /// Whether a point isn't later than the one before it.
  var isOutOfOrder: Bool {
    let times = segments.joined().map(\.time)
    return zip(times, times.dropFirst()).contains { $0 >= $1 }
  }
}
