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
}
