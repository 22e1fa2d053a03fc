import Glibc

/// The correction of a clock that explains its photos best, and its confidence compared with all others.
///
/// First, all corrections of up to 26 hours are weighed in steps of ten seconds, for clocks in local time and for
/// clocks at one fixed offset; whole hours, as zones produce them, have a higher prior. The alternatives are all
/// corrections that lead to instants more than three minutes away, and the hypothesis that photos and track are
/// unrelated. Then correction and drift are weighed together around the best; a quartz clock drifts by some tenths of a
/// second per day.
struct ClockOffsetSearch {
  let basis: ClockEvidence.Basis
  /// The correction at `middle`, in seconds.
  let shift: Double
  /// Seconds by which the correction grows per day.
  let drift: Double
  /// A clock time near the middle of the photos, in seconds since 1970.
  let middle: Double
  /// The uncertainty of `shift` in seconds, and of `drift` in seconds per day: twice the standard deviation.
  let shiftError: Double
  let driftError: Double
  /// The probability that no other correction is right.
  let confidence: Double

  /// The largest correction that is tried, in seconds.
  static let reach = 26 * 3_600.0
  private static let step = 10.0
  fileprivate static let sameness: Float = 180
  /// The least confidence that is accepted: the probability of another correction is below one in ten thousand.
  private static let leastConfidence = 0.9999
  /// The evidence by which two corrections must beat one before the clock counts as set on the way.
  private static let leastGain: Float = 9

  /// The weights of all corrections for one basis.
  fileprivate struct Scan {
    let basis: ClockEvidence.Basis
    let corrections: [Double]
    /// The logarithm of the weight of each correction, not normalized.
    var weights: [Float]
    /// The least and the greatest value of instant − clock time − base correction.
    var least: [Float]
    var most: [Float]
    /// The weights of the photos of each single day.
    var days: [[Float]] = []
  }

  init(_ evidence: ClockEvidence, _ profile: TravelProfile, knowsZones: Bool) throws(ClockAmbiguity) {
    let items = evidence.items
    guard !items.isEmpty, !profile.isEmpty else { throw .ambiguous([]) }
    var bases: [ClockEvidence.Basis] = [.local]
    if !items.contains(where: { $0.offset != nil }) { bases = knowsZones ? [.local, .fixed] : [.fixed] }
    let base = evidence.base
    let scans = bases.map { ClockOffsetSearch.scan(evidence, $0, base, profile, share: 1 / Double(bases.count)) }
    let best = try ClockOffsetSearch.best(of: scans)
    let scan = scans[best.scan]
    guard !ClockOffsetSearch.isResetDuringTrip(scan, best.index) else { throw .reset }
    let fine = ClockOffsetRefinement(items, scan.basis, around: scan.corrections[best.index], profile)
    (basis, confidence) = (scan.basis, best.confidence)
    (shift, drift, middle) = (fine.shift, fine.drift, fine.middle)
    (shiftError, driftError) = (fine.shiftError, fine.driftError)
  }

  private static func scan(
    _ evidence: ClockEvidence, _ basis: ClockEvidence.Basis, _ base: Double, _ profile: TravelProfile, share: Double
  ) -> Scan {
    let corrections = stride(from: base - reach, through: base + reach, by: step).map(\.self)
    var scan = Scan(
      basis: basis, corrections: corrections,
      weights: corrections.map { Float(log(share * likelihood(of: $0 - base, basis) * step)) },
      least: Array(repeating: .infinity, count: corrections.count),
      most: Array(repeating: -.infinity, count: corrections.count))
    for day in evidence.days {
      var weights = [Float](repeating: 0, count: corrections.count)
      for item in evidence.items[day] {
        var expected: Double?
        for (index, correction) in corrections.enumerated() {
          let time = item.instant(basis, shift: correction, profile, expected: expected)
          expected = item.clock + correction - time
          weights[index] += Float(item.weight(at: time, profile, isCoarse: true))
          let moved = Float(time - item.clock - base)
          scan.least[index] = min(scan.least[index], moved)
          scan.most[index] = max(scan.most[index], moved)
        }
      }
      for index in weights.indices { scan.weights[index] += weights[index] }
      scan.days.append(weights)
    }
    return scan
  }

  /// Returns the prior likelihood of a correction per second.
  private static func likelihood(of correction: Double, _ basis: ClockEvidence.Basis) -> Double {
    let near = { (distance: Double) in exp(-abs(distance) / 120) / 240 }
    let anything = 0.1 / (2 * reach)
    if basis == .fixed {
      let offset = UTCOffset.kept(near: -correction)
      return anything + 0.9 / Double(UTCOffset.keptHours.count) * near(correction + offset)
    }
    let hour = (correction / 3_600).rounded() * 3_600
    let quarter = (correction / 900).rounded() * 900
    return anything + 0.6 * near(correction) + 0.25 / 26 * near(correction - hour)
      + 0.05 / 104 * near(correction - quarter)
  }

  /// Returns the likelihood of each candidate. A correction near several candidates counts for the nearest.
  private static func candidates(
    _ found: [(scan: Int, index: Int)], of scans: [Scan], _ best: Float, all: Double
  ) -> [ClockAmbiguity.Candidate] {
    let corrections = found.map { scans[$0.scan].corrections[$0.index] }
    var masses = corrections.map { _ in 0.0 }
    for scan in scans {
      for (correction, weight) in zip(scan.corrections, scan.weights) {
        let distances = corrections.map { abs($0 - correction) }
        guard let nearest = distances.min(), nearest <= Double(sameness), let index = distances.firstIndex(of: nearest)
        else { continue }
        masses[index] += exp(Double(weight - best))
      }
    }
    return zip(found, masses).map { .init(scans[$0.scan], $0.index, likelihood: min(1, $1 / all), beside: scans) }
      .sorted { $0.likelihood > $1.likelihood }
  }

  private static func best(of scans: [Scan]) throws(ClockAmbiguity) -> (scan: Int, index: Int, confidence: Double) {
    var (best, at) = (-Float.infinity, (scan: 0, index: 0))
    for (number, scan) in scans.enumerated() {
      for (index, weight) in scan.weights.enumerated() where weight > best { (best, at) = (weight, (number, index)) }
    }
    let winner = scans[at.scan]
    var (same, others) = (0.0, exp(Double(log(0.5) - best)))
    var local: (index: Int, weight: Float)?
    var rivals: [(scan: Int, index: Int, correction: Double, weight: Float)] = []
    for (number, scan) in scans.enumerated() {
      for (index, weight) in scan.weights.enumerated() {
        let mass = exp(Double(weight - best))
        let isSame =
          abs(scan.least[index] - winner.least[at.index]) <= sameness
          && abs(scan.most[index] - winner.most[at.index]) <= sameness
        if isSame {
          same += mass
          if scan.basis == .local, weight > local?.weight ?? -.infinity { local = (index, weight) }
        } else {
          others += mass
          let isNew = rivals.allSatisfy { abs($0.correction - scan.corrections[index]) > Double(sameness) }
          if weight > best - 10, isNew { rivals.append((number, index, scan.corrections[index], weight)) }
        }
      }
    }
    let confidence = same / (same + others)
    guard confidence >= leastConfidence else {
      // Perhaps no correction fits at all.
      guard Double(best) - log(0.5) > log(1 / (1 - leastConfidence)) else { throw .ambiguous([]) }
      let shown = rivals.sorted { $0.weight > $1.weight }.prefix(2).map { ($0.scan, $0.index) }
      throw .ambiguous(candidates([at] + shown, of: scans, best, all: same + others))
    }
    // If both bases give the same instants, choose local time.
    if let local, let scan = scans.firstIndex(where: { $0.basis == .local }) { at = (scan, local.index) }
    return (at.scan, at.index, confidence)
  }

  /// Whether two corrections, one up to some day and one after it, explain the photos much better than the best single
  /// one.
  private static func isResetDuringTrip(_ scan: Scan, _ best: Int) -> Bool {
    let width = Int(Double(sameness) / step)
    let near = max(0, best - width)..<min(scan.weights.count, best + width + 1)
    let zero = [Float](repeating: 0, count: scan.weights.count)
    var rest = scan.days.reduce(zero) { sum, day in zip(sum, day).map { $0 + $1 } }
    var begun = zero
    for day in scan.days.dropLast() {
      for index in day.indices {
        begun[index] += day[index]
        rest[index] -= day[index]
      }
      let gain = [begun, rest].reduce(0 as Float) { $0 + ($1.max() ?? 0) - ($1[near].max() ?? 0) }
      if gain > leastGain { return true }
    }
    return false
  }
}

extension ClockAmbiguity.Candidate {
  /// Creates a candidate as users specify corrections: in local time, if a correction of local time gives the same
  /// instants.
  fileprivate init(
    _ scan: ClockOffsetSearch.Scan, _ index: Int, likelihood: Double, beside scans: [ClockOffsetSearch.Scan]
  ) {
    let shift = scan.corrections[index]
    guard scan.basis == .fixed else {
      self.init(correction: shift, offset: nil, likelihood: likelihood)
      return
    }
    let local = scans.first { $0.basis == .local }.flatMap { local in
      local.weights.indices.filter {
        abs(local.least[$0] - scan.least[index]) <= ClockOffsetSearch.sameness
          && abs(local.most[$0] - scan.most[index]) <= ClockOffsetSearch.sameness
      }
      .min { abs(local.least[$0] - scan.least[index]) < abs(local.least[$1] - scan.least[index]) }
      .map { local.corrections[$0] }
    }
    let kept = UTCOffset.kept(near: (-shift).remainder(dividingBy: 86_400))
    self.init(
      correction: local ?? shift + kept, offset: local == nil ? UTCOffset(seconds: Int(kept)) : nil,
      likelihood: likelihood)
  }
}

extension UTCOffset {
  /// Hours from UTC that the clocks of some country keep.
  static let keptHours: [Double] =
    (-12...14).map(Double.init) + [-9.5, -3.5, 3.5, 4.5, 5.5, 5.75, 6.5, 8.75, 9.5, 10.5, 12.75]

  /// Returns the nearest of `keptHours`, in seconds.
  static func kept(near seconds: Double) -> Double {
    keptHours.map { $0 * 3_600 }.min { abs($0 - seconds) < abs($1 - seconds) } ?? 0
  }
}

/// Distances between photos that record their place and the track at the estimated moments. They measure the misfit of
/// an estimate: if the clock didn't run evenly, the spread of the estimates that explain the photos is less than the
/// spread of the photos themselves.
enum ClockResiduals {
  /// Metres that a place and the track may be apart.
  private static let tolerance = 30.0
  /// Seconds within which the track must have been at the place; otherwise the place doesn't belong to that moment.
  private static let reach = 180.0
  /// The third quartile of absolute deviations of a normal distribution, in standard deviations.
  private static let deviationsOfQuartile = 1.15

  /// Returns the standard deviation in seconds, computed from the third quartile, so that places of another moment
  /// don't count.
  static func deviation(
    of items: [ClockEvidence.Item], _ profile: TravelProfile, at instant: (ClockEvidence.Item) -> Double
  ) -> Double {
    let misses = items.compactMap { item in item.place.flatMap { miss(of: $0, at: instant(item), profile) } }.sorted()
    return misses.isEmpty ? 0 : misses[misses.count * 3 / 4] / deviationsOfQuartile
  }

  /// Returns the seconds from `time` to the nearest time at which the track was at `place` (within the tolerance); nil
  /// if it wasn't.
  private static func miss(of place: SIMD3<Float>, at time: Double, _ profile: TravelProfile) -> Double? {
    stride(from: 0, through: reach, by: profile.step).first { seconds in
      [-seconds, seconds].contains { (profile.distance(to: place, at: time + $0) ?? .infinity) <= tolerance }
    }
  }
}

/// The correction and drift of a clock whose error is known to some minutes: mean and deviation over all values that
/// explain its photos, each weighted by how well it does.
struct ClockOffsetRefinement {
  let shift: Double
  let drift: Double
  let middle: Double
  let shiftError: Double
  let driftError: Double

  /// The typical drift of a quartz clock, in seconds per day.
  private static let usualDrift = 1.0
  /// The largest drift that is tried, in seconds per day. Some clocks drift that much; photos with places show it, so
  /// the prior may be small.
  private static let mostDrift = 60.0
  /// Seconds by which the corrections of the first and the last photo may differ from the one correction found for all.
  private static let mostAtEnds = 180.0
  private static let stepsToEnds = 45.0

  private struct Grid {
    var shift: (center: Double, reach: Double, step: Double)
    var drift: (center: Double, reach: Double, step: Double)
  }

  /// Mean and standard deviation of correction and drift.
  private struct Spread {
    var shift = (mean: 0.0, deviation: 0.0)
    var drift = (mean: 0.0, deviation: 0.0)
  }

  init(
    _ items: [ClockEvidence.Item], _ basis: ClockEvidence.Basis, around correction: Double, _ profile: TravelProfile
  ) {
    let clocks = items.map(\.clock)
    let middle = clocks.reduce(0, +) / Double(max(1, clocks.count))
    let days = ((clocks.last ?? 0) - (clocks.first ?? 0)) / 86_400
    let hasDays = days >= 1
    let weigh = { (shift: Double, drift: Double) in
      items.reduce(Self.likelihood(ofDrift: drift)) { sum, item in
        let wanted = shift + drift * (item.clock - middle) / 86_400
        return sum + item.weight(at: item.instant(basis, shift: wanted, profile), profile, isCoarse: false)
      }
    }
    let most = min(Self.mostDrift, 2 * Self.mostAtEnds / max(1, days))
    let wide = Grid(shift: (correction, 150, 3), drift: hasDays ? (0, most, most / Self.stepsToEnds) : (0, 0, 1))
    let first = Self.spread(over: wide, weigh)
    // Repeat with ten steps per deviation, where nearly all of the probability lies.
    let reach = (
      shift: max(wide.shift.step, 4 * first.shift.deviation), drift: max(wide.drift.step, 4 * first.drift.deviation)
    )
    let fine = Grid(
      shift: (first.shift.mean, reach.shift, reach.shift / 20),
      drift: hasDays ? (first.drift.mean, reach.drift, reach.drift / 10) : (0, 0, 1))
    let spread = Self.spread(over: fine, weigh)
    (shift, drift, self.middle) = (spread.shift.mean, spread.drift.mean, middle)
    let (shift, drift) = (spread.shift.mean, spread.drift.mean)
    let misfit = ClockResiduals.deviation(of: items, profile) { item in
      item.instant(basis, shift: shift + drift * (item.clock - middle) / 86_400, profile)
    }
    // A clock that shows whole seconds can't be read more precisely than to half a second. If the photos don't fit the
    // clock, its error can't be known more precisely than they fit.
    shiftError = max(0.5, 2 * spread.shift.deviation, 2 * misfit)
    driftError = 2 * spread.drift.deviation
  }

  /// Returns the logarithm of the prior of a drift: most are small, one in a hundred is arbitrary.
  private static func likelihood(ofDrift drift: Double) -> Double {
    log(0.99 * exp(-abs(drift) / usualDrift) / (2 * usualDrift) + 0.01 / (2 * mostDrift))
  }

  private static func spread(over grid: Grid, _ weigh: (Double, Double) -> Double) -> Spread {
    var cells: [(shift: Double, drift: Double, weight: Double)] = []
    for drift in stride(from: -grid.drift.reach, through: grid.drift.reach, by: grid.drift.step) {
      for shift in stride(from: -grid.shift.reach, through: grid.shift.reach, by: grid.shift.step) {
        let cell = (shift: grid.shift.center + shift, drift: grid.drift.center + drift)
        cells.append((cell.shift, cell.drift, weigh(cell.shift, cell.drift)))
      }
    }
    let best = cells.map(\.weight).max() ?? 0
    let masses = cells.map { exp($0.weight - best) }
    let sum = masses.reduce(0, +)
    let mean = { (value: (Int) -> Double) in cells.indices.reduce(0) { $0 + masses[$1] * value($1) } / sum }
    var spread = Spread()
    spread.shift.mean = mean { cells[$0].shift }
    spread.drift.mean = mean { cells[$0].drift }
    let (shift, drift) = (spread.shift.mean, spread.drift.mean)
    spread.shift.deviation = mean { (cells[$0].shift - shift) * (cells[$0].shift - shift) }.squareRoot()
    spread.drift.deviation = mean { (cells[$0].drift - drift) * (cells[$0].drift - drift) }.squareRoot()
    return spread
  }
}
