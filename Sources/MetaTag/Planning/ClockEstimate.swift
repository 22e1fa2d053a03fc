/// What photos tell of how wrong their camera's clock is.
package struct ClockEstimate: Hashable, Sendable {
  /// The offset at which the clock stood everywhere, for photos that record none; nil when it kept local time.
  package let offset: UTCOffset?
  /// Seconds that must be added to the clock's time at `middle`: positive when the camera is slow.
  package let correction: Double
  /// Seconds that the clock loses a day.
  package let drift: Double
  /// A time of the clock amid the photos; its offset doesn't matter.
  package let middle: Instant
  /// The probability that no other correction is right, at least 0.9999.
  package let confidence: Double
  /// How many photos it rests on: those at least a minute apart, at most some hundreds.
  package let photoCount: Int
  /// How many of them record their place.
  package let locatedCount: Int
  private let correctionError: Double
  private let driftError: Double

  init(_ fit: ClockOffsetSearch, _ evidence: ClockEvidence) {
    let recordsNone = !evidence.items.contains { $0.offset != nil }
    // Of a clock that has the wrong day, the hours.
    let hours = (-fit.shift).remainder(dividingBy: 86_400)
    let kept = fit.basis == .fixed && recordsNone ? UTCOffset.kept(near: hours) : 0
    offset = fit.basis == .fixed ? UTCOffset(seconds: Int(kept)) : nil
    correction = fit.shift + kept
    drift = fit.drift
    middle = Instant(seconds: Int64(fit.middle))
    confidence = fit.confidence
    photoCount = evidence.items.count
    locatedCount = evidence.items.count { $0.place != nil }
    correctionError = fit.shiftError
    driftError = fit.driftError
  }

  /// Seconds by which the correction of `time` may be wrong (twice the standard deviation).
  package func uncertainty(at time: CaptureTime) -> Double {
    let days = time.instant(at: .utc).timeInterval(since: middle) / 86_400
    return (correctionError * correctionError + driftError * driftError * days * days).squareRoot()
  }

  /// Whether the drift is more than chance.
  package var hasDrift: Bool { abs(drift) > driftError }
}

extension ClockEstimate: CustomStringConvertible {
  /// `the clock was 37s fast (± 2 s), gaining 1.3 s a day; from 120 photos, 30 of them with a place; confidence over
  /// 99.99 %`.
  package var description: String {
    let size = TimeShift(seconds: Int64(abs(correction).rounded())).description.drop { $0 == "+" }
    let error = abs(correction) < 0.5 ? "right" : "\(size) \(correction > 0 ? "slow" : "fast")"
    let place = offset.map { "at \($0) everywhere and " } ?? ""
    let tenths = (abs(drift) * 10).rounded() / 10
    return "the clock was \(place)\(error) (± \(Span(correctionError.rounded(.up))))"
      + (hasDrift && tenths > 0 ? ", \(drift > 0 ? "losing" : "gaining") \(tenths) s a day" : "")
      + "; from \(photoCount) photos, \(locatedCount) of them with a place; confidence over 99.99 %"
  }
}

/// Why a camera's clock is not estimated.
public enum ClockAmbiguity: Error, Hashable, Sendable {
  /// Too little speaks for any correction; the likeliest when there are some about equal, likeliest first.
  case ambiguous([Candidate])
  /// The photos before and after some moment want different corrections.
  case setAnew

  /// A correction in seconds, and how likely it is to be right.
  public struct Candidate: Hashable, Sendable {
    /// Seconds to add to the clock's time, where that records no zone read at `offset` or else in the zone of the place.
    package let correction: Double
    /// The offset at which the clock stood everywhere; nil for one that kept local time, or records its zone.
    package let offset: UTCOffset?
    /// A probability.
    package let likelihood: Double

    init(correction: Double, offset: UTCOffset? = nil, likelihood: Double) {
      (self.correction, self.offset, self.likelihood) = (correction, offset, likelihood)
    }
  }
}

extension ClockAmbiguity: CustomStringConvertible {
  /// In words, with what helps.
  public var description: String {
    let remedy = "say it with --offset, or show it with --sync"
    switch self {
    case .setAnew: return "its clock seems to have been set anew on the way: give its photos in parts, or \(remedy)"
    case .ambiguous(let corrections) where corrections.count > 1:
      let spans = corrections.map { candidate in
        let shift = TimeShift(seconds: Int64(candidate.correction))
        let option = candidate.offset.map { "--camera-zone \($0) --offset \(shift)" } ?? "\(shift)"
        return "\(option) with \(Self.percent(candidate.likelihood))"
      }
      .joined(separator: ", ")
      return "its photos fit after several corrections (\(spans)): \(remedy)"
    case .ambiguous: return "its photos don't tell what its clock is wrong by: \(remedy)"
    }
  }

  /// Rounded down, so that several add up to no more than all.
  private static func percent(_ likelihood: Double) -> String {
    likelihood < 0.01 ? "under 1 %" : "\(min(99, Int(likelihood * 100))) %"
  }
}

/// What a run's photos tell of each camera's clock.
package struct ClockEstimates: Hashable, Sendable {
  private var found: [CameraBody: Result<ClockEstimate, ClockAmbiguity>] = [:]
  /// The bodies in the order in which the photos named them, with what they are called.
  package private(set) var cameras: [Camera] = []

  /// A body, and what people call it.
  package struct Camera: Hashable, Sendable {
    /// What tells it from others.
    package let body: CameraBody
    /// Make, model and serial number.
    package let name: String
  }

  /// No camera's clock is estimated.
  package init() {}

  /// What was found of `body`'s clock; nil when it was not asked for.
  package subscript(body: CameraBody) -> Result<ClockEstimate, ClockAmbiguity>? { found[body] }

  /// Weighs the photos of each body that `isWanted`.
  ///
  /// The result depends on what `photos` record, not on their order, except for the order of `cameras`.
  /// - Parameters:
  ///   - track: Where the photographer was; with `areMoments`, other photos that record place and time.
  ///   - clock: What is known of the cameras' clocks.
  ///   - zone: Which zone's time is kept at a place.
  package init(
    of photos: [Metadata], on track: Track, areMoments: Bool = false, clock: CameraClock = CameraClock(),
    zone: ((Coordinate) -> Zone?)? = nil, where isWanted: (CameraBody) -> Bool = { _ in true }
  ) {
    var ofBody: [CameraBody: [Metadata]] = [:]
    for photo in photos {
      let body = CameraBody(of: photo)
      guard isWanted(body) else { continue }
      if ofBody[body] == nil { cameras.append(Camera(body: body, name: photo.cameraName)) }
      ofBody[body, default: []].append(photo)
    }
    for (body, photos) in ofBody {
      let evidence = ClockEvidence(photos, clock: clock)
      let profile = evidence.window.map { TravelProfile(of: track, in: $0, areMoments: areMoments, zone: zone) }
      guard let profile else {
        found[body] = .failure(.ambiguous([]))
        continue
      }
      do throws(ClockAmbiguity) {
        found[body] = .success(
          ClockEstimate(try ClockOffsetSearch(evidence, profile, knowsZones: zone != nil), evidence))
      } catch {
        found[body] = .failure(error)
      }
    }
  }
}
