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
