package import MetaTag

extension Trip {
  /// What the receiver recorded.
  package var track: Track { Track(segments, name: "trip.gpx") }

  /// How well a planner knows where the photos were taken.
  package struct Outcome: Sendable, CustomStringConvertible {
    /// Photos without a place of their own, taken while the receiver was on.
    package var asked = 0
    /// Of these, placed within 50 m of the truth.
    package var right = 0
    /// Of all photos, those placed more than 50 m from the truth, and farther than the error they were given.
    package var wrong: [String] = []
    /// Why photos were left, and how many.
    package var left: [String: Int] = [:]

    /// Counts, and what was wrong.
    package var description: String { "\(right) of \(asked) right, left \(left), wrong \(wrong)" }
    /// Of those asked for, how many are right.
    package var share: Double { Double(right) / Double(max(1, asked)) }
  }

  /// What `planner` makes of the photos that don't know their place.
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
      case .skip(let reason), .unchanged(let reason): outcome.left[reason.summary, default: 0] += 1
      }
    }
    return outcome
  }
}
