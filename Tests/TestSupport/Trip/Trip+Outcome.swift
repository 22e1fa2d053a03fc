package import MetaTag

extension Trip {
  /// The receiver's track.
  package var track: Track { Track(segments, name: "trip.gpx") }

  /// How well a planner finds where the photos were taken.
  package struct Outcome: Sendable, CustomStringConvertible {
    /// Photos without a location, taken while the receiver was on.
    package var asked = 0
    /// The photos among these that were placed within 50 m of the truth.
    package var right = 0
    /// Photos placed more than 50 m from the truth, and farther than the error they got.
    package var wrong: [String] = []
    /// The reasons for which photos were skipped, with their counts.
    package var left: [String: Int] = [:]

    /// The counts, and the wrong photos.
    package var description: String { "\(right) of \(asked) right, left \(left), wrong \(wrong)" }
    /// The share of right ones among the photos without a location.
    package var share: Double { Double(right) / Double(max(1, asked)) }
  }

  /// Returns the outcome of `planner` for the photos without a location.
  package func outcome(of planner: some Planner) -> Outcome {
    var outcome = Outcome()
    for photo in photos where photo.metadata.location == nil {
      if photo.isTracked { outcome.asked += 1 }
      switch planner.propose(for: photo.metadata) {
      case .change(let edit, let because):
        guard case .set(let location) = edit.location else { continue }
        let metres = location.coordinate.distance(to: photo.coordinate)
        if metres <= 50, photo.isTracked { outcome.right += 1 }
        if metres > max(50, location.horizontalError ?? 0) {
          outcome.wrong.append("\(photo.name) by \(Int(metres)) m: \(because)")
        }
      case .skip(let reason), .unchanged(let reason): outcome.left[reason.heading, default: 0] += 1
      }
    }
    return outcome
  }
}
