import Synchronization

/// The way in which a camera's clock, as it is read, misses the track that should place its photos.
public struct ClockDiagnosis: Hashable, Sendable {
  /// The number of photos considered: those without a place, at most 26 hours from the track.
  package let count: Int
  /// The number of these photos that lie outside the track.
  package let outside: Int
  /// The greatest distance of these photos from the track, in seconds.
  package let farthest: Double
  /// The number of photos that the best other zone or correction would put inside the track.
  package let attainable: Int

  /// Whether an estimate of the clock error from the photos was requested and failed.
  package internal(set) var wasEstimated = false

  /// A text for `farthest`.
  package var span: String { "\(Span(farthest))" }

  /// The least number of photos that must come inside before a clock is doubted.
  private static let leastCount = 5
  /// Seconds from the track beyond which a photo belongs to another journey; also the largest clock error that is
  /// tried.
  private static let reach = 26.0 * 3_600
  /// Seconds between the corrections that are tried: zones differ by whole quarters of an hour.
  private static let step = 900.0

  /// Creates a diagnosis. Returns nil unless another zone or correction brings at least twice as many photos inside,
  /// and at least five.
  ///
  /// - Parameter readings: For each photo, the instants that its time may mean, in seconds since 1970.
  init?(of readings: [[Double]], in spans: TrackSpans) {
    let nearest = readings.compactMap { instants in
      instants.map { (instant: $0, distance: spans.distance(to: $0)) }.min { $0.distance < $1.distance }
    }
    .filter { $0.distance <= Self.reach }
    let outside = nearest.filter { $0.distance > 0 }
    let inside = nearest.count - outside.count
    guard !outside.isEmpty, nearest.count >= max(Self.leastCount, 2 * inside) else { return nil }
    let best =
      stride(from: -Self.reach, through: Self.reach, by: Self.step).lazy.map { shift in
        nearest.count { spans.distance(to: $0.instant + shift) == 0 }
      }
      .max() ?? 0
    guard best >= Self.leastCount, best >= 2 * inside else { return nil }
    (count, self.outside, attainable) = (nearest.count, outside.count, best)
    farthest = outside.map(\.distance).max() ?? 0
  }
}

/// The times at which a track knows the position.
struct TrackSpans {
  /// The spans in ascending order, without overlap.
  private let spans: [ClosedRange<Double>]

  init(of track: Track, _ rules: MatchRules) {
    var found: [ClosedRange<Double>] = []
    for segment in track.segments {
      var start: Double?
      var last = 0.0
      for point in segment.points {
        let seconds = Double(point.microseconds) / 1e6
        if let begun = start, seconds - last > rules.maxGap {
          found.append(begun...last)
          start = seconds
        }
        start = start ?? seconds
        last = seconds
      }
      if let start { found.append(start...last) }
    }
    spans = found.map { $0.lowerBound - rules.nearestWithin...$0.upperBound + rules.nearestWithin }
      .sorted { $0.lowerBound < $1.lowerBound }
      .reduce(into: []) { joined, span in
        let pause = rules.acrossSegments ? rules.maxGap : 0
        if let last = joined.last, span.lowerBound <= last.upperBound + pause {
          joined[joined.count - 1] = last.lowerBound...max(last.upperBound, span.upperBound)
        } else {
          joined.append(span)
        }
      }
  }

  /// Returns the seconds from `instant` to the nearest span; 0 inside one.
  func distance(to instant: Double) -> Double {
    let next = spans.partitionPoint { $0.lowerBound <= instant }
    let before = next > 0 ? max(0, instant - spans[next - 1].upperBound) : .infinity
    return min(before, next < spans.count ? spans[next].lowerBound - instant : .infinity)
  }
}

extension GeotagPlanner {
  /// Finds the cameras whose clocks, as they are read, miss the track. Their few photos that fall inside by an assumed
  /// zone are not placed then.
  package mutating func diagnose(_ photos: ZoneEvidence) {
    lateDiagnoses = nil
    guard reference == .track else { return }
    let spans = TrackSpans(of: track, match)
    for (body, photos) in photos.unplaced {
      if case .success? = estimates[body] { continue }
      let readings = photos.map { photo in
        let correction = errors.correction(of: photo.time, for: body).timeInterval
        return offsets(of: photo, by: body).map { offset in
          photo.time.instant(at: offset).timeInterval(since: Instant(seconds: 0)) + correction
        }
      }
      diagnoses[body] = ClockDiagnosis(of: readings, in: spans)
      diagnoses[body]?.wasEstimated = estimates[body] != nil
    }
  }
}

/// A diagnosis of the cameras' clocks that is made lazily, when the first photo misses the track.
final class LateDiagnoses: Sendable {
  private let photos: @Sendable () -> [NumberedPhoto]
  private let found = Mutex<[CameraBody: ClockDiagnosis]?>(nil)

  /// Creates a diagnosis that calls `photos` once.
  init(_ photos: @escaping @Sendable () -> [NumberedPhoto]) { self.photos = photos }

  func found(by planner: GeotagPlanner) -> [CameraBody: ClockDiagnosis] {
    found.withLock { found in
      if let found { return found }
      var (planner, zoneEvidence) = (planner, ZoneEvidence())
      photos().forEach { zoneEvidence.take($0) }
      planner.diagnose(zoneEvidence)
      found = planner.diagnoses
      return planner.diagnoses
    }
  }
}
