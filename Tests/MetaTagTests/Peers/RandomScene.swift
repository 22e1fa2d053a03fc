import Foundation
import TestSupport

@testable import MetaTag

/// A made-up track as a GPX file, and the seconds at which photos were taken, with everything that real tracks have,
/// from pauses to points out of order.
struct RandomScene {
  /// A point as it is in the file.
  struct Fix: Hashable {
    /// Microseconds since the scene began, in UTC.
    var time: Int64
    var latitude, longitude: Double
    var altitude: Double?
    /// Whether the receiver reports no fix.
    var isNone = false
  }

  /// The offset of written times: `2024-05-01T12:00:00+02:00` for 7,200.
  let offset: Int64
  let segments: [[Fix]]
  /// Waypoints with a time, which are not part of the track.
  let waypoints: [Fix]
  /// Photos' times in seconds since the scene began.
  let photos: [Int64]

  /// 2024-05-01T00:00:00Z.
  static let start: Int64 = 1_714_521_600

  init(photos count: Int, using generator: inout SeededGenerator) {
    // Four scenes in five are tidy, so that rare cases don't hide common ones.
    let isMessy = Int.random(in: 0..<5, using: &generator) == 0
    let chance = { (percent: Int, generator: inout SeededGenerator) in
      Int.random(in: 0..<100, using: &generator) < percent
    }
    offset = chance(10, &generator) ? 7_200 : 0
    let fraction: Int64 = chance(10, &generator) ? 250_000 : 0
    // Around the world; the meridian of 180°, that of 0° and the equator are visited often.
    var latitude = chance(20, &generator) ? 0 : Double.random(in: -75...75, using: &generator)
    var longitude: Double =
      [179.99, 0, .random(in: -179...179, using: &generator)].randomElement(using: &generator) ?? 0
    let speed: Double = [0.00001, 0.0001, 0.002].randomElement(using: &generator) ?? 0
    let hasAltitudes = chance(80, &generator)
    var time = Int64.random(in: 6...10, using: &generator) * 3_600_000_000 + fraction
    var (segments, segment): ([[Fix]], [Fix]) = ([], [])
    for _ in 0..<Int.random(in: 2...40, using: &generator) {
      var altitude: Double?
      if hasAltitudes, chance(90, &generator) {
        altitude = chance(5, &generator) ? 0 : Double(Int.random(in: -500...30_000, using: &generator)) / 10
      }
      segment.append(
        Fix(
          time: time, latitude: RandomScene.rounded(latitude), longitude: RandomScene.rounded(longitude),
          altitude: altitude, isNone: isMessy && chance(5, &generator)))
      var step = [1, 5, 10, 60, 300, 1_000].randomElement(using: &generator) ?? 1
      if chance(8, &generator) { step = [1_799, 1_800, 1_801, 4_000].randomElement(using: &generator) ?? 1 }
      latitude = max(-80, min(80, latitude + .random(in: -speed...speed, using: &generator) * Double(step)))
      longitude += .random(in: -speed...speed, using: &generator) * Double(step)
      longitude = longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
      time += Int64(step) * 1_000_000
      if chance(10, &generator) {
        segments.append(segment)
        segment = []
        // Sometimes another receiver, switched on before the first was off.
        if isMessy, chance(30, &generator) { time -= 900_000_000 }
      }
    }
    if !segment.isEmpty { segments.append(segment) }
    if isMessy { RandomScene.disturb(&segments, using: &generator) }
    self.segments = segments
    let all = segments.flatMap { $0 }
    let (first, last) = (all.map(\.time).min() ?? 0, all.map(\.time).max() ?? 0)
    let within = { (generator: inout SeededGenerator) in
      Int64.random(in: first / 1_000_000 - 2_700...last / 1_000_000 + 2_700, using: &generator)
    }
    waypoints =
      isMessy && chance(50, &generator)
      ? [Fix(time: within(&generator) * 1_000_000, latitude: 60, longitude: 60)] : []
    self.photos = (0..<count).map { _ in
      chance(20, &generator) ? (all.randomElement(using: &generator)?.time ?? 0) / 1_000_000 : within(&generator)
    }
  }

  /// Adds two points at one time, and swaps two others.
  private static func disturb(_ segments: inout [[Fix]], using generator: inout SeededGenerator) {
    for index in segments.indices where segments[index].count > 2 {
      let at = Int.random(in: 1..<segments[index].count, using: &generator)
      if Bool.random(using: &generator) {
        segments[index][at].time = segments[index][at - 1].time
      } else {
        segments[index].swapAt(at, at - 1)
      }
    }
  }

  /// Seven decimals, as files have them.
  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }

  var gpx: String {
    let points = segments.map { "<trkseg>" + $0.map { text($0, "trkpt") }.joined(separator: "\n") + "</trkseg>" }
    return "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\">" + waypoints.map { text($0, "wpt") }.joined()
      + "<trk>" + points.joined(separator: "\n") + "</trk></gpx>\n"
  }

  private func text(_ fix: Fix, _ name: String) -> String {
    let clock = CivilTime(secondsSince1970: RandomScene.start + fix.time / 1_000_000 + offset)
    let fraction = fix.time % 1_000_000 == 0 ? "" : ".250"
    let zone = offset == 0 ? "Z" : "+02:00"
    // All digits, because not every reader knows `1e-07`.
    return "<\(name) lat=\"\(String(format: "%.7f", fix.latitude))\" lon=\"\(String(format: "%.7f", fix.longitude))\">"
      + (fix.altitude.map { "<ele>\($0)</ele>" } ?? "")
      + "<time>\(clock.map { "\($0)" } ?? "")\(fraction)\(zone)</time>"
      + (fix.isNone ? "<fix>none</fix>" : "") + "</\(name)>"
  }
}
