/// The reason why a photo stays unchanged.
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
  /// The track, or the other photos, don't place it; `remedy` contains the options with which they would.
  case noMatch(MatchFailure, by: ReferenceKind = .track, remedy: String? = nil)
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
  /// The position can't be read, so it is unknown whether it lies in a zone: the cause.
  case unreadPlace(String)
  /// The position can't be read and is kept: the cause.
  case malformedPlace(String)
  /// The location is in none of the zones.
  case outsideZones
  /// The photo already has the requested values: not a byte would change.
  case asWanted
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

  /// The reason in a sentence, with the photo's own values and a suggested remedy.
  public var sentence: String {
    switch self {
    case .malformedOffset(let tag, let text): "\(heading): \(tag) says '\(text)'; 'date zone' gives it one"
    case .malformedDate(let text): "\(heading): \"\(text)\"; give it one with 'date set'"
    case .looseDate(let tag, let text): "\(heading): \(tag) says '\(text)'; 'date set' writes over it"
    case .hasZone(let offset): "\(heading) (\(offset)); --overwrite replace changes it"
    case .hasFixedZone(let offset): "\(heading) (\(offset)) in its maker's own data, where it can't be changed"
    case .noZone(let time): "\(heading) (\(time)): say it with --camera-zone"
    case .noHeaderZone(let time):
      "\(heading) (\(time)): say --camera-zone Z where that is UTC, as the standard has it, or the zone of its camera's clock"
    case .doubtfulHeader(let time, nil): "\(heading) (\(time)): say --camera-zone Z where that is UTC"
    case .doubtfulHeader(let time, let offset?):
      "\(heading) (\(time)): in UTC it is right as it is; where it shows the clock's time, 'date shift "
        + "\(TimeShift(seconds: -Int64(offset.seconds)))' makes it UTC"
    case .headersOfWrongClock(let run):
      "\(heading): 'geotag --fix-dates' corrects it\(run.map { ", with the options of run \($0)" } ?? "")"
    case .strayHeader(let time, let names):
      "\(heading) (\(time), \(names.joined(separator: " and "))): give it by itself, with --camera-zone Z where that is "
        + "UTC, or the zone of its camera's clock"
    case .severalZones(let time, let offsets):
      "\(heading) (\(time) at \(offsets.map(\.description).joined(separator: " or "))): say it with --camera-zone"
    case .nonlocalClock(let time, let zone, let offset, let name):
      "\(heading) (\(time) in \(zone), but \(name) is at \(offset)): say it with --camera-zone"
    case .doubtfulClock(let diagnosis):
      "\(heading) (\(diagnosis.outside) of \(diagnosis.count), by up to \(Span(diagnosis.farthest))): say it with "
        + "\(diagnosis.wasEstimated ? "--offset" : "--offset auto"), --sync or --camera-zone, or place it with --trust-clock"
    case .ambiguousTime(let time, let zone, let earlier, let later):
      "\(time) was shown twice in \(zone): give the zone as \(earlier) or \(later)"
    case .nonexistentTime(let time, let zone, let before, let after):
      "\(time) was never shown in \(zone), where clocks jumped over it: give the zone as \(before) or \(after)"
    case .unknownClock(let doubt): "\(doubt)"
    case .vagueClock(let seconds, let metres):
      "\(heading) (± \(Span(seconds))\(metres.map { ", which are \(Length($0)) of the way" } ?? "")): say what it is wrong by with --offset, "
        + "or show it with --sync"
    case .clockWrong(let contradiction): "\(heading) (\(contradiction))"
    case .datesFixed(let sign, let correction):
      "\(heading): \(sign), so \(correction) is not added; if it is still wrong, "
        + (sign.run.map { "or another photo: --despite-run \($0)" } ?? "move it with 'date shift'")
    case .offsetsDisagree(let first, let second): "\(heading) (\(first), \(second)): give it one date with 'date set'"
    case .onlyPartial(let date):
      "\(heading), \(date): give it a \(date.day == nil ? "day and a time" : "time of day") with 'date set', or move it by "
        + "whole \(date.precision)s with 'date shift'"
    case .unknownZone(let instant):
      "\(heading)\(CivilTime(secondsSince1970: instant.seconds).map { " (\($0) in UTC)" } ?? ""): say it with --zone"
    case .noLocation: "\(heading): give it one with 'geotag'"
    case .noFix: "\(heading): give it one with 'geotag', or remove it with 'clear --location'"
    case .hasNames: "\(heading); --overwrite replace renews them"
    case .hasOtherNames(let kept, let found):
      "already has names (\(kept)) other than those of its position (\(found)); --overwrite replace renews them"
    case .keepsNames(let kept): "\(heading) (\(kept)); --overwrite replace renews them"
    case .liesElsewhere(let names):
      "\(heading)\(names.isEmpty ? "" : ": \(names)"); 'metatag name' gives it the names of its position"
    case .noMatch(let reason, let reference, let remedy): reason.sentence(by: reference, remedy: remedy)
    case .noTrackOfCamera(let camera): "\(heading), \(camera)"
    case .severalTracksOfCamera(let names): "\(heading) (\(names.joined(separator: ", "))): name it more exactly"
    case .notBetter(let found, let recorded): "\(heading) (error recorded: \(recorded), found: \(found))"
    case .noVisit(let reason): reason.sentence
    case .noDateInName(let name): "\(heading), \(name)"
    case .futureInName(let time): "\(heading), \(time): if it was that, give it the date with 'date set'"
    case .otherFileDay(let day, let time):
      "\(heading) (\(time)) than \(day.year.padded(4))-\(day.month.padded(2))-\(day.day.padded(2)), which is in its name: "
        + "give a time with --time 12:00, or take the day alone with --day-only"
    case .dayInName(_, let day):
      "\(heading), \(day.year.padded(4))-\(day.month.padded(2))-\(day.day.padded(2)): say the time of day with --time, "
        + "or take the day alone with --day-only"
    case .table(let reason): reason.sentence
    case .takeout(let reason): reason.sentence
    case .unlikeTakeout(let name, let doubts): doubts.map { $0.sentence(of: name) }.joined(separator: "; ")
    case .unrepairable(let kinds):
      "\(heading) (\(Set(kinds).map(\.rawValue).sorted().joined(separator: ", "))): see 'metatag date check', give it one with 'date set'"
    case .malformedPlace(let why):
      "\(heading): \(why); --overwrite replace of 'geotag' and of the imports puts another in its place"
    case .unreadPlace(let why): "\(heading): \(why); 'metatag clear --location' by itself erases it, or says what does"
    case .hasSubstitute(let name): "can't be changed itself; \(name) beside it already is as asked for"
    case .placeInText(let text), .dateInText(let text): "\(heading) (\(text))"
    default: heading
    }
  }

  /// The reason without the photo's own values, the same for all photos with this reason.
  public var heading: String {
    switch self {
    case .noCaptureTime: "has no capture time"
    case .malformedOffset: "has a zone that is none"
    case .malformedDate: "has a malformed date"
    case .looseDate: "has a text in place of a date, which may be meant so"
    case .hasZone, .hasFixedZone: "zone already recorded"
    case .noZone: "does not record its time zone"
    case .noHeaderZone: "tells its time only in its movie headers, without a zone"
    case .doubtfulHeader: "tells its time only in its movie headers, which may be in UTC or show its clock's time"
    case .headersOfWrongClock:
      "was placed by a corrected clock, and its movie headers may be in UTC or show what that clock did"
    case .strayHeader:
      "tells its time only in its movie headers, which is not between the photos numbered beside it, in UTC or on their "
        + "clock"
    case .severalZones: "does not record which of the time zones on the way it is from"
    case .nonlocalClock:
      "does not record its time zone, and another photo of its camera speaks against that of the place"
    case .doubtfulClock:
      "does not record its time zone, and most photos of its camera are outside the track by that of the place"
    case .ambiguousTime: "shows a time that its zone had twice"
    case .nonexistentTime: "shows a time that its zone never had"
    case .unknownClock: "was taken by a camera whose clock is not known"
    case .vagueClock: "was taken by a camera whose clock is not known well enough"
    case .clockWrong: "has a date that its GPS time contradicts in this zone"
    case .datesFixed: "may have been corrected already"
    case .offsetsDisagree: "records two time zones"
    case .onlyPartial(let date): "records the \(date.precision) only"
    case .noCopy(let source): "has no \(source.name)"
    case .noFileTime: "has no time of last change"
    case .noSatelliteTime: "has no position with the time of the satellites"
    case .unknownZone: "does not record in which time zone it was taken"
    case .outsideCalendar: "would leave the years 0 to 9999"
    case .noMatch(let reason, let reference, _): reason.heading(by: reference)
    case .noTrackOfCamera: "has no track of its camera"
    case .severalTracksOfCamera: "has several tracks of its camera"
    case .noVisit(let reason): reason.heading
    case .noDateInName: "has no date in its name"
    case .futureInName: "has no date in its name but one in the future"
    case .otherFileDay: "its file was last changed on another day"
    case .dayInName: "has only a day in its name"
    case .table(let reason): reason.heading
    case .takeout(let reason): reason.heading
    case .unlikeTakeout: "has other dates or places than its JSON file, and keeps them"
    case .unrepairable: "has dates that contradict each other, and nothing tells which is right"
    case .hasCaptureTime: "already has a date"
    case .hasLocation: "already has a location"
    case .hasLocationAndNames: "already has a location and names of its place"
    case .notBetter: "has a location that is not known to be worse"
    case .noLocation: "has no location"
    case .noFix: "records 0, 0, which devices write without a fix, and no location"
    case .hasNames: "already has names of its place"
    case .hasOtherNames: "already has names other than those of its position"
    case .keepsNames: "already has names of a place"
    case .liesElsewhere: "its position lies elsewhere"
    case .unknownPlace: "was taken where no place is known"
    case .nothingToClear: "has no location"
    case .namesOnly: "has names of its place but no position to tell whether it lies in a zone"
    case .unreadPlace, .malformedPlace: "has a position that can't be read"
    case .outsideZones: "lies in none of the zones"
    case .asWanted: "already is as asked for"
    case .wholeSeconds: "holds its date in whole seconds only, and is the nearest already"
    case .noReadableDate(let remains): "has no date that can be read; " + remains.joined(separator: "; ")
    case .placeInText: "already is as asked for, but keeps a text that looks like coordinates"
    case .dateInText: "already is as asked for, but keeps a text that looks like a date"
    case .hasSubstitute: "can't be changed itself; the file beside it already is as asked for"
    }
  }
}
