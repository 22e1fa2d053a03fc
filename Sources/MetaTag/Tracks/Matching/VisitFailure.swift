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

  /// The remedy; nil if there is none.
  var remedy: Remedy? {
    switch self {
    case .neverNear, .severalVisits, .otherDay: nil
    case .longStay: .allowStay
    case .unknownZone: .givePlaceZone
    }
  }

  /// The reason without the photo's own values.
  var summary: String {
    switch self {
    case .neverNear: "the track was never at its place"
    case .severalVisits: "the track was at its place several times"
    case .otherDay: "the track was at its place on another day than the photo records"
    case .longStay: "the track stayed at its place for too long"
    case .unknownZone: "the time zone of its place is unknown"
    }
  }

  private static func list(_ times: [CaptureTime]) -> String {
    let shown = 4
    let more = times.count > shown ? " and \(times.count - shown) more" : ""
    return times.prefix(shown).map(\.description).joined(separator: ", ") + more
  }
}

extension VisitFailure: CustomStringConvertible {
  /// The reason in a sentence.
  public var description: String {
    switch self {
    case .neverNear(let metres): "\(summary) (never within \(Length(metres)))"
    case .severalVisits(let times): "\(summary): \(VisitFailure.list(times))"
    case .otherDay(let day, let times):
      "\(summary) (\(day.description.prefix(10)); the track: \(VisitFailure.list(times)))"
    case .longStay(let start, let end): "\(summary): from \(start) to \(end)"
    case .unknownZone: summary
    }
  }
}
