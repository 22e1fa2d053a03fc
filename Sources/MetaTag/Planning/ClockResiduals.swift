/// How far photos that know their place are from where the track was at the moment that an estimate gives them: no
/// clock that runs evenly need be behind them, and then the spread of all that explains them is less than that of the
/// photos themselves.
enum ClockResiduals {
  /// Metres that a place and a track may be apart.
  private static let tolerance = 30.0
  /// Seconds in which the track must have been there, else the place is not of that moment.
  private static let reach = 180.0
  /// Of a normal distribution, three in four are less than so many standard deviations off.
  private static let deviationsOfQuartile = 1.15

  /// The standard deviation, in seconds, by the third quartile, so that places of another moment don't count.
  static func deviation(
    of items: [ClockEvidence.Item], _ profile: TravelProfile, at instant: (ClockEvidence.Item) -> Double
  ) -> Double {
    let misses = items.compactMap { item in item.place.flatMap { miss(of: $0, at: instant(item), profile) } }.sorted()
    return misses.isEmpty ? 0 : misses[misses.count * 3 / 4] / deviationsOfQuartile
  }

  /// Seconds from `time` to when the track was as good as at `place`; nil where it wasn't.
  private static func miss(of place: SIMD3<Float>, at time: Double, _ profile: TravelProfile) -> Double? {
    stride(from: 0, through: reach, by: profile.step).first { seconds in
      [-seconds, seconds].contains { (profile.distance(to: place, at: time + $0) ?? .infinity) <= tolerance }
    }
  }
}
