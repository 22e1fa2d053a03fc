/// The reason why a track doesn't determine when a photo was taken.
public enum VisitFailure: Error, Hashable, Sendable {
  /// The track never came within so many metres of the photo's place.
  case neverNear(Double)
  /// The track was there at these times, by the clock of the place.
  case severalVisits([CaptureTime])
  /// The track was there at these times, on other days than the one that the photo records.
  case otherDay(CivilTime, [CaptureTime])
  /// The track stayed there from the first time to the second.
  case longStay(CaptureTime, CaptureTime)
  /// The track was there, but the time zone of the place is unknown.
  case unknownZone

  /// The reason in a sentence.
  package var sentence: String {
    switch self {
    case .neverNear(let metres): "\(heading) (never within \(Length(metres)))"
    case .severalVisits(let times): "\(heading): \(VisitFailure.list(times))"
    case .otherDay(let day, let times):
      "\(heading) (\(day.description.prefix(10)); the track: \(VisitFailure.list(times)))"
    case .longStay(let start, let end): "\(heading): from \(start) to \(end); --max-stay takes the time it was nearest"
    case .unknownZone: "\(heading): say it with --zone"
    }
  }

  /// The reason without the photo's own values.
  package var heading: String {
    switch self {
    case .neverNear: "the track was never at its place"
    case .severalVisits: "the track was at its place several times"
    case .otherDay: "the track was at its place on another day than it records"
    case .longStay: "the track stayed at its place too long to tell the time"
    case .unknownZone: "no time zone is known at its place"
    }
  }

  private static func list(_ times: [CaptureTime]) -> String {
    let shown = 4
    let more = times.count > shown ? " and \(times.count - shown) more" : ""
    return times.prefix(shown).map(\.description).joined(separator: ", ") + more
  }
}
