/// A camera's body, as far as photos tell one from another.
public struct CameraBody: Hashable, Sendable {
  private let names: [String?]

  /// The body that took a photo.
  public init(of metadata: Metadata) { names = [metadata.make, metadata.model, metadata.serialNumber] }

  /// Whether nothing that it names is another's.
  func mayBe(_ other: CameraBody) -> Bool {
    zip(names, other.names).allSatisfy { own, name in own == nil || own == name }
  }
}

/// A photo of a clock that is right: what the camera's clock showed, and what must be added to that.
package struct ClockReference: Hashable, Sendable {
  /// What the camera recorded; its offset doesn't matter.
  package let time: CaptureTime
  /// What must be added: positive when the camera is slow.
  package let correction: TimeShift
  /// Seconds by which the correction may be wrong.
  package internal(set) var uncertainty = 0.0

  /// - Parameters:
  ///   - metadata: What the photo of the clock records.
  ///   - shown: What that clock showed. With an offset it is an instant; without one, a time in the zone of the
  ///     camera's clock.
  ///   - clock: What is known of the camera's clock, for photos that don't record their offset.
  /// - Throws: `Reason` when the photo has no time, or `shown` has an offset and the camera's is not known.
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

/// By how much clocks were wrong: one span for all cameras, or for each body the line through its sightings. A quartz
/// clock drifts evenly, so that one line also holds before the first and after the last of them.
package struct ClockErrors: Hashable, Sendable {
  /// What must be added to the time of cameras without a sighting.
  package var constant: TimeShift
  private var lines: [CameraBody: Line] = [:]
  /// The offsets with which the lines of bodies were found whose photos of a clock record none.
  private var assumed: [CameraBody: UTCOffset] = [:]

  private struct Line: Hashable {
    let start: Instant
    let correction: Double
    let drift: Double
    var uncertainty = 0.0
    var estimate: ClockEstimate?

    func correction(at instant: Instant) -> Double { correction + drift * instant.timeInterval(since: start) }
  }

  /// One span for all cameras: none, when not said otherwise.
  package init(_ constant: TimeShift = .zero) { self.constant = constant }

  /// The sightings that tell of a clock: those that are known to the minute, if there are any.
  static func decisive(_ clockReferences: [ClockReference]) -> [ClockReference] {
    let exact = clockReferences.filter { $0.uncertainty <= vagueSeconds }
    return exact.isEmpty ? clockReferences : exact
  }

  /// Whether one clock can have been wrong as these say, those known to the minute if there are any: by a minute more or less, as far as they can be misread, and a
  /// minute for each day between them, which is many times what any camera's loses.
  package static func areBelievable(_ clockReferences: [ClockReference]) -> Bool {
    let clockReferences = decisive(clockReferences)
    let times = clockReferences.map { $0.time.instant(at: .utc) }
    let corrections = clockReferences.map(\.correction.timeInterval)
    guard let first = times.min(), let last = times.max(), let least = corrections.min(), let most = corrections.max()
    else { return true }
    return most - least <= 60 * (1 + last.timeInterval(since: first) / 86_400)
  }

  /// Takes the line of least squares through `clockReferences` for this body, through those known to the minute if there are
  /// any. One sighting is a constant.
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

  /// Notes with which offset the sightings of this body were read. Only both together are known: a photo that records
  /// another offset has another correction.
  package mutating func assume(_ offset: UTCOffset, for body: CameraBody) { assumed[body] = offset }

  /// Takes for this body what sightings told of `other`, which is the same.
  package mutating func adopt(_ other: CameraBody, for body: CameraBody) { lines[body] = lines[other] }

  /// Takes what was estimated for this body.
  package mutating func set(_ estimate: ClockEstimate, for body: CameraBody) {
    lines[body] = Line(
      start: estimate.middle, correction: estimate.correction, drift: estimate.drift / 86_400, estimate: estimate)
  }

  /// Seconds by which a clock that is called right may be wrong: nobody reads a clock better.
  package static let exactSeconds = 2.0

  /// Seconds of uncertainty beyond which a correction tells where photos were taken, and no dates.
  package static let vagueSeconds = 60.0

  /// What must be added to `time`, as this body recorded it; zero where the clock can't be told from a right one.
  package func correction(of time: CaptureTime, for body: CameraBody) -> TimeShift {
    let measured = measured(at: time, for: body)
    let uncertainty = lines[body]?.estimate?.uncertainty(at: time) ?? uncertainty(of: body)
    return abs(measured.timeInterval) < max(Self.exactSeconds, uncertainty) ? .zero : measured
  }

  /// Seconds by which what sightings tell of this body's clock may be wrong.
  package func uncertainty(of body: CameraBody) -> Double { lines[body]?.uncertainty ?? 0 }

  /// By how much this body's clock was found to be wrong at `time`, however little that is.
  package func measured(at time: CaptureTime, for body: CameraBody) -> TimeShift {
    guard let line = lines[body] else { return constant }
    let zone = time.offset.flatMap { own in assumed[body].map { own.seconds - $0.seconds } } ?? 0
    return TimeShift(roundingSeconds: line.correction(at: time.instant(at: .utc)) + Double(zone))
  }

  /// Seconds a day by which this body's clock loses; nil without a sighting of it.
  package func drift(of body: CameraBody) -> Double? { lines[body].map { $0.drift * 86_400 } }
}

extension TimeShift {
  /// `seconds`, rounded to the millisecond.
  init(roundingSeconds seconds: Double) {
    let milliseconds = Int64((max(-1e12, min(1e12, seconds)) * 1_000).rounded())
    let (whole, rest) = milliseconds.flooredDivision(by: 1_000)
    self.init(seconds: whole, nanoseconds: Int32(rest) * 1_000_000)
  }
}
