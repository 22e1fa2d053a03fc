/// The reason why a photo at a known place doesn't determine the error of its camera's clock.
public enum PassAmbiguity: Error, Hashable, Sendable {
  /// The track never passed the place.
  case noPass
  /// The track passed several times, and no pass is clearly nearer to the clock's time.
  case severalPasses([TrackVisit])
  /// The track stayed at the place, so the moment of the photo is unknown. `correction` is the clock error if the photo
  /// was taken in the middle of the stay.
  case longStay(TrackVisit, correction: Double)
}

extension PassAmbiguity: CustomStringConvertible {
  /// The reason in a sentence.
  public var description: String {
    switch self {
    case .noPass: return "the track has no point within \(Length(ClockReference.passingMetres)) of this place"
    case .severalPasses(let passes):
      return "the track passed this place several times: "
        + passes.prefix(5).map(\.nearest.text).joined(separator: ", ")
    case .longStay(let pass, let correction):
      // Round to whole minutes: a stay doesn't determine seconds.
      let error = Span((correction / 60).rounded() * 60)
      return "the track stayed at this place from \(pass.start.text) to \(pass.end.text): the clock is "
        + "\(error) \(correction < 0 ? "fast" : "slow"), give or take \(Span((pass.length / 2).rounded(.up)))"
    }
  }

  /// The remedy; nil if there is none.
  public var remedy: Remedy? {
    switch self {
    case .noPass: nil
    case .severalPasses: .giveMoment
    case .longStay(let pass, _): .acceptStay(minutes: Int((pass.length / 60).rounded(.up)))
    }
  }
}

extension ClockReference {
  /// Metres within which a track passes a place.
  static let passingMetres = 200.0
  /// Metres beyond the closest approach that still count as being there.
  private static let tolerance = 30.0
  /// Metres by which the position of a receiver at rest may vary, and the seconds after which rest counts as a stay.
  private static let standing = 5.0
  private static let leastStay = 20.0
  /// The longest stay in seconds that counts as one moment.
  package static let moment = 120.0

  /// Creates a reference from a photo taken at a known place: the track gives the moment at which it passed there.
  ///
  /// A stay of up to `longestStay` seconds counts as its middle, with half of its length as uncertainty. If the track
  /// passed several times, the pass is used that deviates least from the correction of the other `clockReferences`
  /// (zero without any). The deviation of the next best pass must be at least twice as large plus a minute.
  /// - Throws: `PassAmbiguity`; or `Reason` when the photo has no time or no zone.
  package init(
    _ metadata: Metadata, at place: Coordinate, on track: Track, clock: CameraClock = CameraClock(),
    beside clockReferences: [ClockReference] = [], longestStay: Double = moment
  ) throws {
    let reading = try clock.reading(of: metadata)
    let expected = clockReferences.map(\.correction.timeInterval).sorted()
    let usual = expected.isEmpty ? 0 : expected[expected.count / 2]
    let passes = ClockReference.passes(of: track, by: place).map { pass in
      let (from, to) = (
        pass.start.timeInterval(since: reading.instant), pass.end.timeInterval(since: reading.instant)
      )
      return (pass: pass, wrong: max(0, from - usual, usual - to))
    }
    .sorted { ($0.wrong, $0.pass.nearest) < ($1.wrong, $1.pass.nearest) }
    guard let best = passes.first else { throw PassAmbiguity.noPass }
    if passes.count > 1, passes[1].wrong < 2 * best.wrong + 60 {
      throw PassAmbiguity.severalPasses(passes.map(\.pass).sorted { $0.nearest < $1.nearest })
    }
    guard best.pass.length > Self.moment else {
      let stay = Self.stay(of: track, at: place, in: best.pass)
      let moment = stay.map { $0.start.timeInterval(since: reading.instant) + $0.length / 2 }
      self.init(time: reading.time, correction: moment ?? best.pass.nearest.timeInterval(since: reading.instant))
      uncertainty = stay.map { $0.length / 2 } ?? 0
      return
    }
    let middle = best.pass.start.timeInterval(since: reading.instant) + best.pass.length / 2
    guard best.pass.length <= longestStay else { throw PassAmbiguity.longStay(best.pass, correction: middle) }
    self.init(time: reading.time, correction: middle)
    uncertainty = best.pass.length / 2
  }

  /// Returns the times at which the track passed within 200 metres, each limited to the closest part of the pass.
  private static func passes(of track: Track, by place: Coordinate) -> [TrackVisit] {
    let visits = TrackVisits(of: track)
    let maxGap = MatchRules().maxGap
    return visits.visits(of: place, within: passingMetres, maxGap: maxGap).map { pass in
      let near = visits.visits(of: place, within: pass.metres + tolerance, maxGap: maxGap)
        .filter { $0.start >= pass.start && $0.end <= pass.end }
      return TrackVisit(
        near.first?.start ?? pass.nearest, near.last?.end ?? pass.nearest, nearest: pass.nearest, metres: pass.metres)
    }
  }

  /// Returns the part of a pass in which the track rested at its closest point; nil if it went on at once.
  private static func stay(of track: Track, at place: Coordinate, in pass: TrackVisit) -> TrackVisit? {
    TrackVisits(of: track).visits(of: place, within: pass.metres + standing, maxGap: MatchRules().maxGap)
      .first { $0.start <= pass.nearest && $0.end >= pass.nearest && $0.length >= leastStay }
  }

  private init(time: CaptureTime, correction: Double) {
    self.time = time
    self.correction = TimeShift(roundingSeconds: correction)
  }
}

extension Instant {
  /// The instant in ISO 8601, in UTC, to the second.
  fileprivate var text: String { CivilTime(secondsSince1970: seconds).map { "\($0)Z" } ?? "\(seconds) s" }
}
