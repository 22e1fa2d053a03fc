import Glibc

/// A time at which a track passed a place.
public struct TrackPass: Hashable, Sendable {
  /// When it was nearest.
  public let nearest: Instant
  /// How near, in metres.
  public let metres: Double
  /// When it came about as near.
  public let start: Instant
  /// When it left.
  public let end: Instant
}

extension Track {
  /// Metres from a place up to which a track passed it.
  static let passingMetres = 200.0

  /// When the track passed within 200 metres of `place`, in order of time. Who went away farther and came back passed twice.
  public func passes(by place: Coordinate) -> [TrackPass] {
    var passes: [TrackPass] = []
    for segment in segments {
      var samples: [(time: Double, metres: Double)] = []
      let close = {
        if let pass = TrackPass(samples) { passes.append(pass) }
        samples = []
      }
      for (index, point) in segment.points.enumerated() {
        let here = point.coordinate.planar(from: place)
        if index > 0 {
          let before = segment.points[index - 1]
          let seconds = (Double(point.microseconds) - Double(before.microseconds)) / 1e6
          let there = before.coordinate.planar(from: place)
          if seconds > MatchRules().maxGap {
            close()
          } else if let here, let there {
            // The foot of the perpendicular, if it lies between the two.
            let way = here - there
            let fraction = -(there * way).sum() / max(1e-9, (way * way).sum())
            if fraction > 0, fraction < 1 {
              let foot = there + way * fraction
              add((Double(before.microseconds) / 1e6 + seconds * fraction, (foot * foot).sum().squareRoot()))
            }
          }
        }
        add((Double(point.microseconds) / 1e6, here.map { ($0 * $0).sum().squareRoot() } ?? .infinity))
      }
      close()

      func add(_ sample: (time: Double, metres: Double)) {
        if sample.metres <= Track.passingMetres { samples.append(sample) } else { close() }
      }
    }
    return passes.sorted { ($0.nearest, $0.start) < ($1.nearest, $1.start) }
  }
}

extension TrackPass {
  /// Metres more than the nearest that count as being there.
  private static let tolerance = 30.0

  fileprivate init?(_ samples: [(time: Double, metres: Double)]) {
    guard let best = samples.min(by: { $0.metres < $1.metres }) else { return nil }
    let there = samples.filter { $0.metres <= best.metres + TrackPass.tolerance }
    let instant = { (time: Double) in Instant(seconds: 0).adding(TimeShift(seconds: time)) }
    nearest = instant(best.time)
    metres = best.metres
    start = instant(there.first?.time ?? best.time)
    end = instant(there.last?.time ?? best.time)
  }
}

extension Coordinate {
  /// Metres east and north of `center`; nil when it is farther than some ten kilometres.
  fileprivate func planar(from center: Coordinate) -> SIMD2<Double>? {
    let degree = Coordinate.meanRadius * .pi / 180
    let north = latitude - center.latitude
    guard abs(north) < 0.1 else { return nil }
    var east = longitude - center.longitude
    if east > 180 { east -= 360 } else if east < -180 { east += 360 }
    east *= cos(center.latitude * .pi / 180)
    return abs(east) < 0.1 ? SIMD2(east, north) * degree : nil
  }
}
