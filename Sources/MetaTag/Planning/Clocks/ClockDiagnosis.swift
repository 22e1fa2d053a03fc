/// The way in which a camera's clock, as it is read, misses the track that should place its photos.
public struct ClockDiagnosis: Hashable, Codable, Sendable {
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
