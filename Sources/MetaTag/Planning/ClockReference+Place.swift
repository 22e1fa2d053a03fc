/// Why a photo of a known place doesn't tell what its camera's clock was wrong by.
public enum PassAmbiguity: Error, Hashable, Sendable {
  /// The track never passed the place.
  case noPass
  /// It passed several times, and none of them is clearly nearer to what the clock showed.
  case severalPasses([TrackVisit])
  /// It stayed there: which moment of the stay it was, nobody knows. At its middle, the clock would be wrong by so much.
  case longStay(TrackVisit, correction: Double)
}

extension PassAmbiguity: CustomStringConvertible {
  /// In words, with what helps.
  public var description: String {
    switch self {
    case .noPass: return "the track has no point within \(Length(ClockReference.passingMetres)) of this place"
    case .severalPasses(let passes):
      return "the track passed this place several times: give one of them as a time: "
        + passes.prefix(5).map(\.nearest.text).joined(separator: ", ")
    case .longStay(let pass, let correction):
      // Whole minutes, as a stay tells no seconds.
      let error = Span((correction / 60).rounded() * 60)
      return "the track stayed at this place from \(pass.start.text) to \(pass.end.text): the clock is "
        + "\(error) \(correction < 0 ? "fast" : "slow"), give or take \(Span((pass.length / 2).rounded(.up))); "
        + "accept that with --max-stay \(Int((pass.length / 60).rounded(.up)))m, or give the moment as a time"
    }
  }
}

extension ClockReference {
  /// Metres from a place up to which a track passed it.
  static let passingMetres = 200.0
  /// Metres more than the nearest that count as being there.
  private static let tolerance = 30.0
  /// A receiver at rest seems to move by up to so many metres; after so many seconds that is a stay.
  private static let standing = 5.0
  private static let leastStay = 20.0
  /// Seconds of a stay that count as one moment.
  package static let moment = 120.0

  /// What a photo taken at a known place tells of its camera's clock: the moment at which the track passed there.
  ///
  /// A stay of up to `longestStay` seconds counts as its middle, give or take a half of it. If the track passed several
  /// times, the pass is taken that the other `clockReferences` of the camera expect, or by which the clock is least wrong; by the
  /// next best it must be wrong by a minute more than twice as much.
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

  /// When the track passed within 200 metres, each pass cut down to when it was about as near as it came.
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

  /// The part of a pass in which the track stood where it was nearest; nil where it went on at once.
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
  /// ISO 8601 in UTC, to the second.
  fileprivate var text: String { CivilTime(secondsSince1970: seconds).map { "\($0)Z" } ?? "\(seconds) s" }
}
