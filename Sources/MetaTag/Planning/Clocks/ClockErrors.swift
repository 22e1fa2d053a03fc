/// A camera body, as far as photos distinguish one from another.
public struct CameraBody: Hashable, Comparable, Codable, Sendable {
  private let names: [String?]

  /// Creates the body that took a photo.
  public init(of metadata: Metadata) { names = [metadata.make, metadata.model, metadata.serialNumber] }

  /// Whether the two may be the same body: no name that both record differs.
  func mayBe(_ other: CameraBody) -> Bool {
    zip(names, other.names).allSatisfy { own, name in own == nil || own == name }
  }

  /// Compares make, then model, then serial number. One that isn't recorded comes first.
  public static func < (a: CameraBody, b: CameraBody) -> Bool {
    zip(a.names, b.names).first { $0 != $1 }.map { own, other in
      other.map { other in own.map { $0 < other } ?? true } ?? false
    } ?? false
  }
}

/// A point that relates a camera's clock to a correct one: the time on the camera's clock and the correction to add.
package struct ClockReference: Hashable, Sendable {
  /// The time that the camera recorded; its offset is ignored.
  package let time: CaptureTime
  /// The correction to add: positive when the camera is slow.
  package let correction: TimeShift
  /// The uncertainty of the correction in seconds.
  package internal(set) var uncertainty = 0.0

  /// Creates a reference from a photo of a correct clock.
  ///
  /// - Parameters:
  ///   - metadata: The metadata of the photo that shows the clock.
  ///   - shown: The time on that clock. With an offset it is an instant; without one, a time in the zone of the
  ///     camera's clock.
  ///   - clock: Facts about the camera's clock, for photos that don't record their offset.
  /// - Throws: `Reason` when the photo has no time, or `shown` has an offset and the camera's offset is unknown.
  package init(_ metadata: Metadata, shown: CaptureTime, clock: CameraClock = CameraClock()) throws(Reason) {
    guard let time = metadata.captureTime else { throw metadata.lackOfTime }
    let recorded: Instant
    if shown.offset == nil {
      recorded = time.instant(at: .utc)
    } else {
      recorded = try clock.reading(of: metadata).instant
    }
    let right = shown.instant(at: shown.offset ?? .utc)
    self.time = time
    correction = TimeShift(
      seconds: right.seconds - recorded.seconds, nanoseconds: right.nanoseconds - recorded.nanoseconds)
  }
}

/// The errors of the cameras' clocks: one constant for all cameras, or for each body a line through its references. A
/// quartz clock drifts evenly, so the line also holds before the first and after the last reference.
package struct ClockErrors: Hashable, Sendable {
  /// The correction for cameras without references.
  package var constant: TimeShift
  private var lines: [CameraBody: Line] = [:]
  /// The offsets that were assumed when the line of a body was computed from photos without an offset.
  private var assumed: [CameraBody: UTCOffset] = [:]

  private struct Line: Hashable, Codable {
    let start: Instant
    let correction: Double
    let drift: Double
    var uncertainty = 0.0
    var estimate: ClockEstimate?

    func correction(at instant: Instant) -> Double { correction + drift * instant.timeInterval(since: start) }
  }

  /// Creates one constant correction for all cameras; zero by default.
  package init(_ constant: TimeShift = .zero) { self.constant = constant }

  /// Returns the references known to the minute, or all references if no reference is that precise.
  static func decisive(_ clockReferences: [ClockReference]) -> [ClockReference] {
    let exact = clockReferences.filter { $0.uncertainty <= vagueSeconds }
    return exact.isEmpty ? clockReferences : exact
  }

  /// Whether one clock can have all these errors; considers only references known to the minute, if there are any. They
  /// may differ by one minute, as they can be misread, plus one minute for each day between them, which is many times
  /// the drift of any camera.
  package static func areBelievable(_ clockReferences: [ClockReference]) -> Bool {
    let clockReferences = decisive(clockReferences)
    let times = clockReferences.map { $0.time.instant(at: .utc) }
    let corrections = clockReferences.map(\.correction.timeInterval)
    guard let first = times.min(), let last = times.max(), let least = corrections.min(), let most = corrections.max()
    else { return true }
    return most - least <= 60 * (1 + last.timeInterval(since: first) / 86_400)
  }

  /// Sets the error of `body` to the least-squares line through `clockReferences`, using only those known to the minute
  /// if there are any. A single reference gives a constant.
  package mutating func set(_ clockReferences: [ClockReference], for body: CameraBody) {
    let clockReferences = Self.decisive(clockReferences)
    guard let first = clockReferences.first else { return }
    let start = first.time.instant(at: .utc)
    let points = clockReferences.map { clockReference in
      (x: clockReference.time.instant(at: .utc).timeInterval(since: start), y: clockReference.correction.timeInterval)
    }
    let count = Double(points.count)
    let mean = (x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
    let spread = points.reduce(0) { $0 + ($1.x - mean.x) * ($1.x - mean.x) }
    let drift = spread > 0 ? points.reduce(0) { $0 + ($1.x - mean.x) * ($1.y - mean.y) } / spread : 0
    lines[body] = Line(
      start: start, correction: mean.y - drift * mean.x, drift: drift,
      uncertainty: clockReferences.map(\.uncertainty).max() ?? 0)
  }

  /// Records the offset with which the references of this body were read. The correction is valid only together with
  /// this offset: a photo that records another offset has another correction.
  package mutating func assume(_ offset: UTCOffset, for body: CameraBody) { assumed[body] = offset }

  /// Uses the line of `other`, which is the same camera, for this body.
  package mutating func adopt(_ other: CameraBody, for body: CameraBody) { lines[body] = lines[other] }

  /// Uses an estimate for this body.
  package mutating func set(_ estimate: ClockEstimate, for body: CameraBody) {
    lines[body] = Line(
      start: estimate.middle, correction: estimate.correction, drift: estimate.drift / 86_400, estimate: estimate)
  }

  /// Seconds by which a clock may be wrong and still count as correct: clocks can't be read more precisely.
  package static let exactSeconds = 2.0

  /// Uncertainty in seconds above which a correction can only place photos, but not correct dates.
  package static let vagueSeconds = 60.0

  /// Returns the correction for `time` as this body recorded it; zero if the error lies within the uncertainty.
  package func correction(of time: CaptureTime, for body: CameraBody) -> TimeShift {
    let measured = measured(at: time, for: body)
    let uncertainty = lines[body]?.estimate?.uncertainty(at: time) ?? uncertainty(of: body)
    return abs(measured.timeInterval) < max(Self.exactSeconds, uncertainty) ? .zero : measured
  }

  /// Returns the uncertainty of this body's clock error from references, in seconds.
  package func uncertainty(of body: CameraBody) -> Double { lines[body]?.uncertainty ?? 0 }

  /// Returns the measured correction of this body's clock at `time`, however small.
  package func measured(at time: CaptureTime, for body: CameraBody) -> TimeShift {
    guard let line = lines[body] else { return constant }
    let zone = time.offset.flatMap { own in assumed[body].map { own.seconds - $0.seconds } } ?? 0
    return TimeShift(roundingSeconds: line.correction(at: time.instant(at: .utc)) + Double(zone))
  }

  /// Returns the seconds that this body's clock loses per day; nil without a reference.
  package func drift(of body: CameraBody) -> Double? { lines[body].map { $0.drift * 86_400 } }
}

extension ClockErrors: Codable {
  private enum CodingKeys: String, CodingKey { case constant, lines, assumed }

  /// Decodes the corrections.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    constant = try container.decode(TimeShift.self, forKey: .constant)
    lines = try container.decode(SortedPairs<CameraBody, Line>.self, forKey: .lines).dictionary
    assumed = try container.decode(SortedPairs<CameraBody, UTCOffset>.self, forKey: .assumed).dictionary
  }

  /// Encodes the corrections.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(constant, forKey: .constant)
    try container.encode(SortedPairs(lines), forKey: .lines)
    try container.encode(SortedPairs(assumed), forKey: .assumed)
  }
}

extension TimeShift {
  /// Creates a shift of `seconds`, rounded to the millisecond.
  init(roundingSeconds seconds: Double) {
    let milliseconds = Int64((max(-1e12, min(1e12, seconds)) * 1_000).rounded())
    let (whole, rest) = milliseconds.flooredDivision(by: 1_000)
    self.init(seconds: whole, nanoseconds: Int32(rest) * 1_000_000)
  }
}

/// The reason why a photo at a known place doesn't determine the error of its camera's clock.
@nonexhaustive
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
