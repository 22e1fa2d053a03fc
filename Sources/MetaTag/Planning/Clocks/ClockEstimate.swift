/// The error of a camera's clock, estimated from its photos.
package struct ClockEstimate: Hashable, Codable, Sendable {
  /// The fixed offset of the clock at all places, for photos that record none; nil when the clock kept local time.
  package let offset: UTCOffset?
  /// The correction at `middle` in seconds: positive when the camera is slow.
  package let correction: Double
  /// Seconds that the clock loses per day.
  package let drift: Double
  /// A clock time near the middle of the photos; its offset is ignored.
  package let middle: Instant
  /// The probability that no other correction is right, at least 0.9999.
  package let confidence: Double
  /// The number of photos used: those at least a minute apart, at most some hundreds.
  package let photoCount: Int
  /// The number of these photos that record their place.
  package let locatedCount: Int
  private let correctionError: Double
  private let driftError: Double

  init(_ fit: ClockOffsetSearch, _ evidence: ClockEvidence) {
    let recordsNone = !evidence.items.contains { $0.offset != nil }
    // If the clock has the wrong date, use only the hours of the correction.
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

  /// Returns the uncertainty of the correction of `time` in seconds (twice the standard deviation).
  package func uncertainty(at time: CaptureTime) -> Double {
    let days = time.instant(at: .utc).timeInterval(since: middle) / 86_400
    return (correctionError * correctionError + driftError * driftError * days * days).squareRoot()
  }

  /// Whether the drift is statistically significant.
  package var hasDrift: Bool { abs(drift) > driftError }
}

extension ClockEstimate: CustomStringConvertible {
  /// A text such as `the clock was 37s fast (± 2 s), gaining 1.3 s a day; from 120 photos, 30 of them with a location;
  /// confidence over 99.99 %`.
  package var description: String {
    let size = TimeShift(seconds: Int64(abs(correction).rounded())).description.drop { $0 == "+" }
    let error = abs(correction) < 0.5 ? "right" : "\(size) \(correction > 0 ? "slow" : "fast")"
    let place = offset.map { "at \($0) everywhere and " } ?? ""
    let tenths = (abs(drift) * 10).rounded() / 10
    return "the clock was \(place)\(error) (± \(Span(correctionError.rounded(.up))))"
      + (hasDrift && tenths > 0 ? ", \(drift > 0 ? "losing" : "gaining") \(tenths) s a day" : "")
      + "; from \(photoCount) photos, \(locatedCount) of them with a location; confidence over 99.99 %"
  }
}

/// The reason why a camera's clock error can't be estimated.
@nonexhaustive
public enum ClockAmbiguity: Error, Hashable, Codable, Sendable {
  /// There is too little evidence for any correction. Contains the candidates if several are about equally likely,
  /// likeliest first.
  case ambiguous([Candidate])
  /// The photos before and after some moment need different corrections.
  case reset

  /// A possible correction with its likelihood.
  public struct Candidate: Hashable, Codable, Sendable {
    /// Seconds to add to the clock's time. A time without an offset is read at `offset`, or in the zone of the place if
    /// `offset` is nil.
    package let correction: Double
    /// The fixed offset of the clock at all places; nil if it kept local time or records its offset.
    package let offset: UTCOffset?
    /// The probability that the correction is right.
    package let likelihood: Double

    init(correction: Double, offset: UTCOffset? = nil, likelihood: Double) {
      (self.correction, self.offset, self.likelihood) = (correction, offset, likelihood)
    }
  }
}

extension ClockAmbiguity: CustomStringConvertible {
  /// The reason without numbers.
  var summary: String {
    switch self {
    case .reset: "this camera's clock seems to have been set during the trip"
    case .ambiguous: "couldn't work out this camera's clock error"
    }
  }

  /// The reason in a sentence.
  public var description: String {
    guard case .ambiguous(let corrections) = self, corrections.count > 1 else { return summary }
    return "\(summary): its photos match after \(corrections.map(\.description).joined(separator: ", or "))"
  }

  /// The remedy.
  public var remedy: Remedy { self == .reset ? .splitPhotos : .correctClock }
}

extension ClockAmbiguity.Candidate: CustomStringConvertible {
  /// `+1h (60 %)`, or `+1h at +02:00 (60 %)`. The likelihood is rounded down so that several don't add up to more than
  /// 100 %.
  public var description: String {
    let percent = likelihood < 0.01 ? "under 1 %" : "\(min(99, Int(likelihood * 100))) %"
    return "\(TimeShift(seconds: Int64(correction)))\(offset.map { " at \($0)" } ?? "") (\(percent))"
  }
}

/// The estimates of each camera's clock error from the photos of a run.
package struct ClockEstimates: Hashable, Sendable {
  private var found: [CameraBody: Result<ClockEstimate, ClockAmbiguity>] = [:]
  /// The bodies with their names, in the order in which they first appear in the photos.
  package private(set) var cameras: [Camera] = []

  /// A camera body with its name.
  package struct Camera: Hashable, Codable, Sendable {
    /// The value that identifies the body.
    package let body: CameraBody
    /// Make, model and serial number.
    package let name: String
  }

  /// Creates an empty collection.
  package init() {}

  /// The estimate for `body`, or the reason for its absence; nil if none was requested.
  package subscript(body: CameraBody) -> Result<ClockEstimate, ClockAmbiguity>? { found[body] }

  /// Estimates the clock error of each body for which `isWanted` returns true.
  ///
  /// The result depends on what `photos` record, not on their order, except for the order of `cameras`.
  /// - Parameters:
  ///   - track: The positions of the photographer; with `areMoments`, other photos that record place and time.
  ///   - clock: Facts about the cameras' clocks.
  ///   - zone: Returns the time zone at a place.
  package init(
    of photos: some Sequence<Metadata>, on track: Track, areMoments: Bool = false, clock: CameraClock = CameraClock(),
    zone: ((Coordinate) -> Zone?)? = nil, where isWanted: (CameraBody) -> Bool = { _ in true }
  ) {
    var ofBody: [CameraBody: [ClockEvidence.Item]] = [:]
    for photo in photos {
      let body = CameraBody(of: photo)
      guard isWanted(body) else { continue }
      if ofBody[body] == nil { cameras.append(Camera(body: body, name: photo.cameraName)) }
      ofBody[body, default: []] += ClockEvidence.Item(photo, clock: clock).map { [$0] } ?? []
    }
    for (body, items) in ofBody {
      let evidence = ClockEvidence(items)
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

extension ClockEstimates: Codable {
  private enum CodingKeys: String, CodingKey { case cameras, found, failed }

  /// Decodes the estimates.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    cameras = try container.decode([Camera].self, forKey: .cameras)
    let estimates = try container.decode(SortedPairs<CameraBody, ClockEstimate>.self, forKey: .found).dictionary
    let failures = try container.decode(SortedPairs<CameraBody, ClockAmbiguity>.self, forKey: .failed).dictionary
    found = estimates.mapValues { .success($0) }.merging(failures.mapValues { .failure($0) }) { first, _ in first }
  }

  /// Encodes the estimates.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(cameras, forKey: .cameras)
    try container.encode(SortedPairs(found.compactMapValues { try? $0.get() }), forKey: .found)
    let failures = found.compactMapValues { result in
      if case .failure(let failure) = result { failure } else { nil }
    }
    try container.encode(SortedPairs(failures), forKey: .failed)
  }
}
