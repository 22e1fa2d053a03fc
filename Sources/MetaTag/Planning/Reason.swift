public import Foundation

/// The reason why a photo stays unchanged.
@nonexhaustive
public enum Reason: Error, Hashable, Sendable {
  /// The photo records no date.
  case noCaptureTime
  /// The date is invalid: its raw text.
  case malformedDate(String)
  /// The zone is invalid: the tag and its text.
  case malformedOffset(tag: String, String)
  /// A tag for a date contains another text, which may be more than a date in a bad form: the tag and its raw text.
  case looseDate(tag: String, String)
  /// The photo records its offset, which is kept.
  case hasZone(UTCOffset)
  /// The movie records its offset in a tag of its maker, which is read but never written.
  case hasFixedZone(UTCOffset)
  /// The photo records no offset.
  case noZone(CaptureTime)
  /// The movie is dated only by its headers: in UTC as the standard requires, or in the time of the camera's clock.
  case noHeaderZone(CaptureTime)
  /// The movie is dated only by its headers, and it is unknown whether they are in the given zone; that zone's offset.
  case doubtfulHeader(CaptureTime, UTCOffset?)
  /// The movie is dated only by its headers, and the run that placed it was given a correction of the clock.
  case headersOfWrongClock(RunID?)
  /// The movie is dated only by its headers, and neither reading lies between the photos numbered next to it: their
  /// names.
  case strayHeader(CaptureTime, between: [String])
  /// The photo records no offset, and the track was in several zones when clocks there showed its time.
  case severalZones(CaptureTime, [UTCOffset])
  /// The photo records no offset, and another photo of its camera shows that the clock didn't keep local time.
  case nonlocalClock(CaptureTime, Zone, other: UTCOffset, of: String)
  /// The photo is read by an assumed zone, in which most of its camera's photos are outside the track.
  case doubtfulClock(ClockDiagnosis)
  /// Clocks in the zone showed this time twice.
  case ambiguousTime(CivilTime, Zone, earlier: UTCOffset, later: UTCOffset)
  /// Clocks in the zone never showed this time.
  case nonexistentTime(CivilTime, Zone, before: UTCOffset, after: UTCOffset)
  /// The error of the camera's clock is unknown.
  case unknownClock(ClockAmbiguity)
  /// The error of the camera's clock is known only to so many seconds, in which the track covers so many metres; nil
  /// metres if the error is too uncertain for the date.
  case vagueClock(seconds: Double, metres: Double?)
  /// A receiver's time proves that the clock was wrong or in another zone.
  case clockWrong(FixContradiction)
  /// The date was, or may have been, corrected before: the sign of that, and the shift that would be applied again.
  case datesFixed(by: CorrectionSign, TimeShift)
  /// Copies of the date have different offsets.
  case offsetsDisagree(UTCOffset, UTCOffset)
  /// The photo records a year, a month or a day without a time of day: it isn't an instant, and a shorter shift can't
  /// move it.
  case onlyPartial(PartialDate)
  /// The photo has no copy of its date from this source.
  case noCopy(CopyDatePlanner.Source)
  /// The time of the file's last change is unknown.
  case noFileTime
  /// The photo records no position with the satellites' time.
  case noSatelliteTime
  /// The instant of the photo is known, but not the zone of its place.
  case unknownZone(Instant)
  /// The moved date would be outside the years 0 to 9999.
  case outsideCalendar
  /// The track, or the other photos, don't place it; `relaxing` contains the limits that would have to be relaxed so that
  /// they do.
  case noMatch(MatchFailure, by: ReferenceKind = .track, relaxing: [Remedy.Limit] = [])
  /// Every track belongs to other cameras.
  case noTrackOfCamera(String)
  /// The names of several tracks' cameras match the photo's camera.
  case severalTracksOfCamera([String])
  /// The photo has a location, which is kept.
  case hasLocation
  /// The photo has a location and names of its place, which are kept.
  case hasLocationAndNames
  /// The photo has a location, which is kept: the new one isn't known to have a smaller error.
  case notBetter(PositionError, than: PositionError)
  /// The photo has a date, which is kept.
  case hasCaptureTime
  /// The track doesn't determine when the photo was taken.
  case noVisit(VisitFailure)
  /// The file's name contains no date.
  case noDateInName(String)
  /// The date in the file's name is in the future: another number, or a wrong clock.
  case futureInName(CaptureTime)
  /// The file's name contains a day, and the file was last changed on another one.
  case otherFileDay(CivilTime, file: CaptureTime)
  /// The file's name contains only the day.
  case dayInName(String, CivilTime)
  /// The table gives no values for the photo.
  case table(TableFailure)
  /// Google Takeout gives no values for the photo.
  case takeout(TakeoutFailure)
  /// The photo has the values that this JSON file of Google Takeout could give, and keeps them.
  case unlikeTakeout(String, [TakeoutAmbiguity])
  /// The dates contradict each other in these ways, and the correct one is unknown.
  case unrepairable([DateFinding.Kind])
  /// The photo records no position that could have names.
  case noLocation
  /// The photo records 0, 0, which devices write without a fix, and no place.
  case noFix
  /// The photo has names of places, which are kept.
  case hasNames
  /// The photo has names of places, which are kept, and its position has others.
  case hasOtherNames(PlaceNames, than: PlaceNames)
  /// The photo has these names of places, which are kept instead of the given names.
  case keepsNames(PlaceNames)
  /// The position lies outside the place whose names were given: the names of the position.
  case liesElsewhere(PlaceNames)
  /// Nothing is known about the position: no country, no sea.
  case unknownPlace
  /// The photo has no location to clear.
  case nothingToClear
  /// The photo has names of a place but no position, so it is unknown whether it was taken in a zone.
  case namesOnly
  /// The position can't be read, so it can't be rounded, and it is unknown whether it lies in a zone: the cause.
  case unreadPlace(String, remedy: Remedy? = .clearLocation)
  /// The position can't be read and is kept: the cause.
  case malformedPlace(String)
  /// The location is in none of the zones.
  case outsideZones
  /// The photo already has the requested values: not a byte would change.
  case asWanted
  /// The photo is as the plan would make it: the plan was applied before.
  case appliedBefore
  /// The photo already has the format to which it should be converted.
  case hasFormat(ImageType)
  /// The photo has a format that everyone can read.
  case commonFormat
  /// The new file exists already.
  case converted
  /// The date is in whole seconds, and would be moved by less than half a second.
  case wholeSeconds
  /// The photo has no date that can be read and erased, but other data that may contain one: sentences about these.
  case noReadableDate([String])
  /// The photo has no position, but keeps this text that looks like one.
  case placeInText(String)
  /// The photo has no date, but keeps this text that looks like one.
  case dateInText(String)
  /// The file can't be changed itself, and this file next to it already has the requested values.
  case hasSubstitute(String)
  /// The reason in the words of a client's planner.
  case custom(String)
}

extension Reason: CustomStringConvertible, LocalizedError {
  /// The reason in a sentence, with the photo's own values and without a remedy.
  public var description: String {
    switch self {
    case .malformedOffset(let tag, let text): "\(summary): \(tag) is '\(text)'"
    case .malformedDate(let text): "\(summary): \"\(text)\""
    case .looseDate(let tag, let text): "\(summary): \(tag) is '\(text)'"
    case .hasZone(let offset), .hasFixedZone(let offset): "\(summary) (\(offset))"
    case .noZone(let time), .noHeaderZone(let time), .doubtfulHeader(let time, _): "\(summary) (\(time))"
    case .strayHeader(let time, let names): "\(summary) (\(time), \(names.joined(separator: " and ")))"
    case .severalZones(let time, let offsets):
      "\(summary) (\(time) at \(offsets.map(\.description).joined(separator: " or ")))"
    case .nonlocalClock(let time, let zone, let offset, let name):
      "\(summary) (\(time) in \(zone), but \(name) is at \(offset))"
    case .doubtfulClock(let diagnosis):
      "\(summary) (\(diagnosis.outside) of \(diagnosis.count), by up to \(Span(diagnosis.farthest)))"
    case .ambiguousTime(let time, let zone, _, _): "\(time) occurred twice in \(zone)"
    case .nonexistentTime(let time, let zone, _, _): "\(time) never occurred in \(zone), where clocks jumped over it"
    case .unknownClock(let doubt): "\(doubt)"
    case .vagueClock(let seconds, let metres):
      "\(summary) (± \(Span(seconds))\(metres.map { ", or \(Length($0)) of travel" } ?? ""))"
    case .clockWrong(let contradiction): "\(summary) (\(contradiction))"
    case .datesFixed(let sign, let correction): "\(summary): \(sign), so \(correction) is not added"
    case .offsetsDisagree(let first, let second): "\(summary) (\(first), \(second))"
    case .onlyPartial(let date): "\(summary), \(date)"
    case .unknownZone(let instant):
      summary + (CivilTime(secondsSince1970: instant.seconds).map { " (\($0) in UTC)" } ?? "")
    case .hasOtherNames(let kept, let found):
      "already has place names (\(kept)) that differ from those of its position (\(found))"
    case .keepsNames(let kept): "\(summary) (\(kept))"
    case .liesElsewhere(let names): summary + (names.isEmpty ? "" : ": \(names)")
    case .noMatch(let failure, let reference, _): failure.description(by: reference)
    case .noTrackOfCamera(let camera): "\(summary), \(camera)"
    case .severalTracksOfCamera(let names): "\(summary) (\(names.joined(separator: ", ")))"
    case .notBetter(let found, let recorded): "\(summary) (error recorded: \(recorded), found: \(found))"
    case .noVisit(let failure): failure.description
    case .noDateInName(let name): "\(summary), \(name)"
    case .futureInName(let time): "\(summary), \(time)"
    case .otherFileDay(let day, let time):
      "\(summary) (\(time)) than the day in its name, \(day.description.prefix(10))"
    case .dayInName(_, let day): "\(summary), \(day.description.prefix(10))"
    case .table(let failure): failure.description
    case .takeout(let failure): failure.description
    case .unlikeTakeout(let name, let doubts): doubts.map { $0.sentence(of: name) }.joined(separator: "; ")
    case .unrepairable(let kinds):
      "conflicting dates (\(Set(kinds).map(\.words).sorted().joined(separator: ", "))); can't tell which is right"
    case .malformedPlace(let why), .unreadPlace(let why, _): "\(summary): \(why)"
    case .hasSubstitute(let name): "can't be changed itself; \(name) already has the requested values"
    case .placeInText(let text), .dateInText(let text): "\(summary) (\(text))"
    default: summary
    }
  }

  /// The reason in a sentence.
  public var errorDescription: String? { description }

  /// The reason without the photo's own values, the same for all photos with this reason.
  public var summary: String {
    switch self {
    case .noCaptureTime: "no capture time recorded"
    case .malformedOffset: "invalid time zone"
    case .malformedDate: "invalid date"
    case .looseDate: "a date tag contains other text"
    case .hasZone: "time zone already recorded"
    case .hasFixedZone: "time zone already recorded in manufacturer data, which can't be changed"
    case .noZone: "no time zone recorded"
    case .noHeaderZone: "video time has no time zone"
    case .doubtfulHeader: "video time may be UTC or the camera's local time"
    case .headersOfWrongClock: "video time may be UTC or the camera's local time, and its clock was wrong"
    case .strayHeader: "video time matches the photos with neighbouring numbers neither as UTC nor as local time"
    case .severalZones: "no time zone recorded, and the track was in several"
    case .nonlocalClock: "no time zone recorded, and another photo of its camera contradicts the zone of the location"
    case .doubtfulClock:
      "no time zone recorded, and in the zone of the location, most photos of its camera are outside the track"
    case .ambiguousTime: "the time occurred twice in its time zone"
    case .nonexistentTime: "the time never occurred in its time zone"
    case .unknownClock(let doubt): doubt.summary
    case .vagueClock: "its camera's clock error is not known precisely enough"
    case .clockWrong: "its GPS time contradicts its date in this time zone"
    case .datesFixed: "may have been corrected already"
    case .offsetsDisagree: "two time zones recorded"
    case .onlyPartial(let date): "only the \(date.precision) is recorded"
    case .noCopy(let source): "has no \(source.name)"
    case .noFileTime: "has no modification time"
    case .noSatelliteTime: "no position with GPS time recorded"
    case .unknownZone: "the time zone of its location is unknown"
    case .outsideCalendar: "its date would be outside the years 0 to 9999"
    case .noMatch(let failure, let reference, _): failure.summary(by: reference)
    case .noTrackOfCamera: "no track of its camera"
    case .severalTracksOfCamera: "several tracks match its camera"
    case .noVisit(let failure): failure.summary
    case .noDateInName: "no date in the file name"
    case .futureInName: "the date in the file name is in the future"
    case .otherFileDay: "the file was last changed on another day"
    case .dayInName: "the file name has a date but no time"
    case .table(let failure): failure.summary
    case .takeout(let failure): failure.summary
    case .unlikeTakeout: "keeps dates or locations that differ from those of its JSON file"
    case .unrepairable: "conflicting dates; can't tell which is right"
    case .hasCaptureTime: "already has a date"
    case .hasLocation: "already has a location"
    case .hasLocationAndNames: "already has a location and place names"
    case .notBetter: "already has a location that is not known to be less precise"
    case .noLocation, .nothingToClear: "has no location"
    case .noFix: "has no location, only 0,0 (no GPS fix)"
    case .hasNames: "already has place names"
    case .hasOtherNames: "already has place names that differ from those of its position"
    case .keepsNames: "already has place names"
    case .liesElsewhere: "its position is in a different place"
    case .unknownPlace: "no place is known at its position"
    case .namesOnly: "has place names but no position, so it is unknown whether it is in a zone"
    case .unreadPlace, .malformedPlace: "has a position that can't be read"
    case .outsideZones: "is outside all zones"
    case .asWanted: "nothing to do"
    case .appliedBefore: "the plan was applied before"
    case .hasFormat(let type): "already \(type.name)"
    case .commonFormat: "already in a common format"
    case .converted: "the converted file already exists"
    case .wholeSeconds: "the date is in whole seconds and already the closest"
    case .noReadableDate(let remains): "has no date that can be read; " + remains.joined(separator: "; ")
    case .placeInText: "nothing to do, but has a text that looks like coordinates"
    case .dateInText: "nothing to do, but has a text that looks like a date"
    case .hasSubstitute: "can't be changed itself; the file next to it already has the requested values"
    case .custom(let reason): reason
    }
  }

  /// The remedy; nil if there is none.
  public var remedy: Remedy? {
    switch self {
    case .malformedOffset: .setZone
    case .malformedDate, .looseDate, .offsetsDisagree: .setDate
    case .hasZone, .hasNames, .hasOtherNames, .keepsNames: .overwrite
    case .noZone, .severalZones, .nonlocalClock: .giveZone
    case .noHeaderZone: .giveVideoZone
    case .doubtfulHeader(_, nil): .declareUTC
    case .doubtfulHeader(_, let offset?): .shiftVideo(by: TimeShift(seconds: -Int64(offset.seconds)))
    case .headersOfWrongClock(let run): .correctDates(likeRun: run.map { Int($0.rawValue) })
    case .strayHeader: .giveZoneSeparately
    case .doubtfulClock(let diagnosis): .checkClock(wasEstimated: diagnosis.wasEstimated)
    case .ambiguousTime(_, _, let first, let second), .nonexistentTime(_, _, let first, let second):
      .chooseOffset(first, second)
    case .unknownClock(let doubt): doubt.remedy
    case .vagueClock: .correctClock
    case .clockWrong(let contradiction): contradiction.remedy
    case .datesFixed(let sign, _): .correctAgain(despiteRun: sign.run.map { Int($0.rawValue) })
    case .onlyPartial(let date): .completeDate(date)
    case .unknownZone: .givePlaceZone
    case .noLocation: .giveLocation
    case .noFix: .giveOrClearLocation
    case .liesElsewhere: .nameByPosition
    case .noMatch(let failure, let reference, let limits): failure.remedy(by: reference, relaxing: limits)
    case .severalTracksOfCamera: .nameCamera
    case .noVisit(let failure): failure.remedy
    case .futureInName: .setDateIfRight
    case .otherFileDay, .dayInName: .giveTimeOfDay
    case .table(let failure): failure.remedy
    case .takeout(let failure): failure.remedy
    case .unrepairable: .checkDates
    case .malformedPlace: .replaceLocation
    case .unreadPlace(_, let remedy): remedy
    default: nil
    }
  }
}
