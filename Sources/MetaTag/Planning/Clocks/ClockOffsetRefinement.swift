import Glibc

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
