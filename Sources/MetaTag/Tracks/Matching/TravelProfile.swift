import Glibc

/// A track sampled every few seconds in a time window: the position of its bearer, how likely photos were taken, and
/// the UTC offset of the clocks there.
struct TravelProfile {
  /// The time of the first step, in seconds since 1970.
  let start: Double
  /// Seconds from one step to the next.
  let step: Double
  /// Unit vectors from the Earth's center; `unknown` where the track has no position.
  private var places: [SIMD3<Float>]
  /// The logarithm of how much likelier a photo is than on average over the track.
  private(set) var rates: [Float]
  /// Seconds east of UTC, one for each quarter of an hour: zones change their offsets at no other times.
  private var offsets: [Int32] = []
  /// All different offsets.
  private(set) var distinctOffsets: [Double] = []

  /// The maximum number of steps: about 50 MB.
  private static let mostSteps = 2_000_000.0
  private static let quarter = 900.0
  private static let unknown = SIMD3<Float>.zero
  /// The likelihood of a photo on the move, relative to 1 at a halt.
  private static let rateInPassing: Float = 0.2

  /// Creates a profile.
  ///
  /// - Parameters:
  ///   - window: The time window in seconds since 1970.
  ///   - areMoments: Whether the fixes are photos of another camera. A person who takes one photo often takes others at
  ///     that time.
  init(of track: Track, in window: ClosedRange<Double>, areMoments: Bool, zone: ((Coordinate) -> Zone?)?) {
    start = window.lowerBound
    step = max(2, (window.upperBound - window.lowerBound) / TravelProfile.mostSteps)
    let count = Int((window.upperBound - window.lowerBound) / step) + 1
    places = Array(repeating: TravelProfile.unknown, count: count)
    rates = Array(repeating: TravelProfile.rateInPassing, count: count)
    for segment in track.segments { fill(segment.points) }
    if areMoments {
      for point in track.segments.lazy.flatMap(\.points) { raiseRates(around: point) }
    } else {
      rateHalts()
    }
    weighRates()
    if let zone { keepTime(by: zone) }
  }

  /// Whether the track has no position in the window.
  var isEmpty: Bool { !places.contains { $0 != TravelProfile.unknown } }

  /// Returns the logarithm of the likelihood of a photo at `time`.
  func rate(at time: Double) -> Double {
    let index = (time - start) / step
    return index >= 0 && index < Double(rates.count) ? Double(rates[Int(index)]) : 0
  }

  /// Returns the metres from `place` to the bearer's position at `time`; nil when that is unknown.
  func distance(to place: SIMD3<Float>, at time: Double) -> Double? {
    let index = (time - start) / step
    guard index >= 0, index < Double(places.count - 1) else { return nil }
    let (before, after) = (places[Int(index)], places[Int(index) + 1])
    guard before != TravelProfile.unknown, after != TravelProfile.unknown else { return nil }
    let way = before + (after - before) * Float(index - index.rounded(.down)) - place
    return Double((way * way).sum().squareRoot()) * Coordinate.meanRadius
  }

  /// Returns when a clock in local time, corrected by `shift`, showed `clock`. If it did so twice, returns the earlier
  /// time, or the one with the `expected` offset; if never, the time as if the clock had not been set forward.
  func instant(ofLocal clock: Double, shift: Double, expected: Double? = nil) -> Double {
    if let expected, offset(at: clock - expected + shift) == expected { return clock - expected + shift }
    for offset in distinctOffsets {
      let time = clock - offset + shift
      if self.offset(at: time) == offset { return time }
    }
    return clock - offset(at: clock - (distinctOffsets.first ?? 0)) + shift
  }

  private func offset(at time: Double) -> Double {
    guard !offsets.isEmpty else { return 0 }
    return Double(offsets[min(max(0, Int((time - start) / TravelProfile.quarter)), offsets.count - 1)])
  }

  /// Turns rates into logarithms relative to their mean. Where the track has no position, a photo gives no evidence:
  /// that most were taken while the receiver was on only shows how people use receivers.
  private mutating func weighRates() {
    let known = places.indices.filter { places[$0] != TravelProfile.unknown }
    let sum = known.reduce(0 as Double) { $0 + Double(rates[$1]) }
    let mean = Float(log(sum / Double(max(1, known.count))))
    for index in rates.indices {
      rates[index] = places[index] == TravelProfile.unknown ? 0 : log(rates[index]) - mean
    }
  }

  private mutating func fill(_ points: [TrackPoint]) {
    let end = start + Double(places.count) * step
    for (a, b) in zip(points, points.dropFirst()) {
      let (from, to) = (Double(a.microseconds) / 1e6, Double(b.microseconds) / 1e6)
      guard to >= start, from <= end, to - from <= MatchRules().maxGap else { continue }
      let (here, there) = (a.coordinate.roundedUnitVector, b.coordinate.roundedUnitVector)
      let first = max(0, Int(((from - start) / step).rounded(.up)))
      let last = min(places.count - 1, Int(((to - start) / step).rounded(.down)))
      guard first <= last else { continue }
      for index in first...last {
        let fraction = (start + Double(index) * step - from) / (to - from)
        places[index] = here + (there - here) * Float(fraction)
      }
    }
  }

  /// Rates the likelihood of photos by the bearer's speed within twenty seconds: photographers stand still, so slower
  /// is likelier. A long stay, such as a night in a hotel, is mostly not spent on photos, so it is rated lower.
  private mutating func rateHalts() {
    let reach = max(1, Int(10 / step))
    var speeds = [Float](repeating: .infinity, count: places.count)
    for index in places.indices where places[index] != TravelProfile.unknown {
      let (before, after) = (max(0, index - reach), min(places.count - 1, index + reach))
      let from = places[before] == TravelProfile.unknown ? index : before
      let to = places[after] == TravelProfile.unknown ? index : after
      guard from < to else { continue }
      let way = places[to] - places[from]
      speeds[index] = (way * way).sum().squareRoot() * Float(Coordinate.meanRadius / (Double(to - from) * step))
    }
    let passing = TravelProfile.rateInPassing
    for index in speeds.indices where speeds[index].isFinite {
      let fast = speeds[index] * speeds[index] / 0.25
      rates[index] = passing + (1 - passing) / (1 + fast * fast)
    }
    let long = Int(1_800 / step)
    for stay in speeds.indices.split(whereSeparator: { speeds[$0] > 0.7 }) where stay.count > long {
      let share = Float(long) / Float(stay.count)
      for index in stay { rates[index] = max(passing, rates[index] * share) }
    }
  }

  private mutating func raiseRates(around point: TrackPoint) {
    let middle = (Double(point.microseconds) / 1e6 - start) / step
    guard middle.isFinite, abs(middle) < 1e9 else { return }
    let (reach, width) = (Int(300 / step), Float(90 / step))
    let (first, end) = (max(0, Int(middle) - reach), min(places.count, Int(middle) + reach))
    guard first < end else { return }
    for index in first..<end {
      let far = (Float(index) - Float(middle)) / width
      let passing = TravelProfile.rateInPassing
      rates[index] = max(rates[index], passing + (1 - passing) * exp(-far * far))
    }
  }

  /// Fills in the offsets. Between places the zone of the last one applies, and before the first place, its zone.
  private mutating func keepTime(by zone: (Coordinate) -> Zone?) {
    var last: (place: SIMD3<Float>, zone: Zone)?
    let span = TravelProfile.quarter / step
    var pending = 0
    for mark in 0...Int(Double(places.count) / span) {
      let indices = Int(Double(mark) * span)..<min(places.count, Int(Double(mark + 1) * span))
      if let place = places[indices].first(where: { $0 != TravelProfile.unknown }) {
        // About five kilometres, as in `TrackZones`.
        let way = place - (last?.place ?? TravelProfile.unknown)
        if (way * way).sum() > 6e-7, let found = Coordinate(roundedUnitVector: place).flatMap(zone) {
          last = (place, found)
        }
      }
      guard let last else {
        pending += 1
        continue
      }
      for mark in mark - pending...mark {
        let instant = Instant(seconds: Int64(start + Double(mark) * TravelProfile.quarter))
        offsets.append(Int32(last.zone.offset(at: instant).seconds))
      }
      pending = 0
    }
    distinctOffsets = Set(offsets).sorted().reversed().map(Double.init)
  }
}
