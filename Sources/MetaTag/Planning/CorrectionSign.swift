/// A sign that a photo's dates were corrected before.
public enum CorrectionSign: Hashable, Sendable {
  /// The time of its position fits them.
  case gpsTime(Instant)
  /// The track was at its place by them.
  case place
  /// This run moved them, and was not undone.
  case run(RunID)
}

extension CorrectionSign {
  /// The run that moved the dates.
  var run: RunID? { if case .run(let run) = self { run } else { nil } }
}

extension CorrectionSign: CustomStringConvertible {
  /// `its GPS time (2024-05-18T08:34:20Z) fits it`.
  public var description: String {
    switch self {
    case .gpsTime(let fix):
      "its GPS time\(CivilTime(secondsSince1970: fix.seconds).map { " (\($0)Z)" } ?? "") fits it"
    case .place: "its place on the track fits it"
    case .run(let run): "run \(run) changed it"
    }
  }
}
