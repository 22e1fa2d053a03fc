@testable import MetaTag

/// The result of another program for a scene, written from its documentation and behaviour (ExifTool 12.57,
/// gpscorrelate 2.0). Tests check that the program matches its model; so any difference between the program and metatag
/// is one between this model and metatag, which has a name.
enum PeerModel {
  /// Parts that are left out of a model, to show what depends on them.
  struct Leaving: OptionSet {
    let rawValue: Int
    static let waypoints = Leaving(rawValue: 1)
    static let noFixes = Leaving(rawValue: 2)
    static let sameTimes = Leaving(rawValue: 4)
  }

  /// ExifTool's Geotag: all points, waypoints too, on one line of time; of two at the same time the later in the file.
  /// Between points up to 30 minutes apart a straight line in degrees, else the nearest within 30 minutes, of two the
  /// later. A way westward across the meridian of 180° goes around the world on the other side, and has no location
  /// while longitudes are greater than 180°.
  static func exiftool(_ scene: RandomScene, at second: Int64, leaving: Leaving = []) -> Coordinate? {
    var fixes: [Int64: RandomScene.Fix] = [:]
    for fix in (leaving.contains(.waypoints) ? [] : scene.waypoints) + scene.segments.flatMap({ $0 })
    where !(fix.isNone && leaving.contains(.noFixes)) {
      if leaving.contains(.sameTimes), fixes[fix.time] != nil { continue }
      fixes[fix.time] = fix
    }
    let times = fixes.keys.sorted()
    let (time, limit) = (second * 1_000_000, Int64(1_800_000_000))
    let before = times.last { $0 <= time }.flatMap { fixes[$0] }
    let after = times.first { $0 > time }.flatMap { fixes[$0] }
    if let before, let after, after.time - before.time <= limit {
      guard after.longitude - before.longitude > 180 else { return straight(before, after, at: time, around: true) }
      var (a, b) = (before, after)
      (a.longitude, b.longitude) = (a.longitude + 360, b.longitude - 360)
      return straight(a, b, at: time, around: false)
    }
    let nearest = [after, before].compactMap(\.self).filter { abs($0.time - time) <= limit }
      .min { abs($0.time - time) < abs($1.time - time) }
    return nearest.flatMap { Coordinate(latitude: $0.latitude, longitude: $0.longitude) }
  }

  /// gpscorrelate: the first two neighbours of a segment, in the order of the file, whose whole seconds enclose the
  /// photo. Zones of times are ignored, longitudes don't wrap, and there is no limit. Points after the first one that
  /// is later than the photo are ignored.
  static func gpscorrelate(_ scene: RandomScene, at second: Int64) -> Coordinate? {
    let time = second - scene.offset
    for segment in scene.segments {
      for (index, fix) in segment.enumerated() {
        let start = fix.time / 1_000_000
        if start == time { return Coordinate(latitude: fix.latitude, longitude: fix.longitude) }
        guard start < time else { return nil }
        guard index + 1 < segment.count else { continue }
        let (end, next) = (segment[index + 1].time / 1_000_000, segment[index + 1])
        guard time < end else { continue }
        var (a, b) = (fix, next)
        (a.time, b.time) = (start * 1_000_000, end * 1_000_000)
        return straight(a, b, at: time * 1_000_000, around: false)
      }
    }
    return nil
  }

  /// Linear in degrees: around the world, or only if no longitude goes beyond ±180°.
  static func straight(_ a: RandomScene.Fix, _ b: RandomScene.Fix, at time: Int64, around: Bool) -> Coordinate? {
    let fraction = Double(time - a.time) / Double(b.time - a.time)
    var turn = b.longitude - a.longitude
    if around, abs(turn) > 180 { turn -= turn > 0 ? 360 : -360 }
    var longitude = a.longitude + turn * fraction
    if longitude < -180 { longitude += 360 }
    if around, longitude > 180 { longitude -= 360 }
    return Coordinate(latitude: a.latitude + (b.latitude - a.latitude) * fraction, longitude: longitude)
  }
}
