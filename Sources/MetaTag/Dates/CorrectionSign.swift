/// A sign that a photo's dates were corrected before.
public enum CorrectionSign: Hashable, Sendable {
  /// The time of the photo's position fits the dates.
  case gpsTime(Instant)
  /// The track was at the photo's place at these dates.
  case place
  /// This run moved the dates and was not undone.
  case run(RunID)
}

extension CorrectionSign {
  /// The run that moved the dates.
  var run: RunID? { if case .run(let run) = self { run } else { nil } }
}

extension CorrectionSign: CustomStringConvertible {
  /// A text such as `its GPS time (2024-05-18T08:34:20Z) fits it`.
  public var description: String {
    switch self {
    case .gpsTime(let fix):
      "its GPS time\(CivilTime(secondsSince1970: fix.seconds).map { " (\($0)Z)" } ?? "") fits it"
    case .place: "its place on the track fits it"
    case .run(let run): "run \(run) changed it"
    }
  }
}
