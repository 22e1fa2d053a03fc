/// The codes of reasons.
extension Reason {
  /// The reasons as names that don't change from one version to the next.
  @nonexhaustive
  public enum Code: String, Sendable, CaseIterable {
    /// The photo records no date.
    case noCaptureTime
    /// The date is invalid.
    case malformedDate
    /// The time zone is invalid.
    case malformedOffset
    /// A tag for a date contains another text.
    case looseDate
    /// The photo records its time zone, which is kept.
    case hasZone
    /// The movie records its time zone in a tag of its maker, which is never written.
    case hasFixedZone
    /// The photo records no time zone.
    case noZone
    /// The movie is dated only by its headers, whose time zone is unknown.
    case noHeaderZone
    /// The movie is dated only by its headers, which may be in UTC or show the camera's clock.
    case doubtfulHeader
    /// The movie is dated only by its headers, and a run corrected the clock.
    case headersOfWrongClock
    /// The movie is dated only by its headers, which don't fit the photos with neighbouring numbers.
    case strayHeader
    /// The photo records no time zone, and the track was in several.
    case severalZones
    /// The photo records no time zone, and its camera's clock didn't keep local time.
    case nonlocalClock
    /// The photo records no time zone, and most photos of its camera are outside the track in the assumed one.
    case doubtfulClock
    /// Clocks in the time zone showed this time twice.
    case ambiguousTime
    /// Clocks in the time zone never showed this time.
    case nonexistentTime
    /// The error of the camera's clock could not be estimated.
    case unknownClock
    /// The photos before and after some moment need different corrections of the clock.
    case clockReset
    /// The error of the camera's clock is not known well enough.
    case vagueClock
    /// A receiver's time contradicts the date.
    case clockWrong
    /// The date was, or may have been, corrected before.
    case datesFixed
    /// Copies of the date have different offsets.
    case offsetsDisagree
    /// The photo records a year, a month or a day without a time of day.
    case onlyPartial
    /// The photo has no copy of its date from this source.
    case noCopy
    /// The modification time of the file is unknown.
    case noFileTime
    /// The photo records no position with the satellites' time.
    case noSatelliteTime
    /// The time zone of the photo's place is unknown.
    case unknownZone
    /// The moved date would be outside the years 0 to 9999.
    case outsideCalendar
    /// The track has no fix, or no photo knows its place.
    case emptyTrack
    /// The photo was taken between two fixes too far apart in space.
    case tooFarApart
    /// The photo was taken before the first fix.
    case beforeTrack
    /// The photo was taken after the last fix.
    case afterTrack
    /// The photo was taken after the last fix, as if the receiver's week counter had started again.
    case rolledOver
    /// The photo was taken between two fixes too far apart in time.
    case inGap
    /// The photo was taken between two segments of the track.
    case betweenSegments
    /// Every track belongs to other cameras.
    case noTrackOfCamera
    /// Several tracks match the photo's camera.
    case severalTracksOfCamera
    /// The photo has a location, which is kept.
    case hasLocation
    /// The photo has a location and names of its place, which are kept.
    case hasLocationAndNames
    /// The photo has a location that isn't known to be worse.
    case notBetter
    /// The photo has a date, which is kept.
    case hasCaptureTime
    /// The track was never at the photo's place.
    case neverNear
    /// The track was at the photo's place several times.
    case severalVisits
    /// The track was at the photo's place on another day.
    case visitOnOtherDay
    /// The track stayed at the photo's place for too long.
    case longStay
    /// The track was at the photo's place, whose time zone is unknown.
    case unknownZoneOfVisit
    /// The file name contains no date.
    case noDateInName
    /// The date in the file name is in the future.
    case futureInName
    /// The file name contains a day, and the file was last changed on another one.
    case otherFileDay
    /// The file name contains a day without a time.
    case dayInName
    /// The table doesn't name the photo.
    case notInTable
    /// Several rows of the table name the photo, and differ.
    case severalRows
    /// Two files have the name in the row.
    case severalFiles
    /// The row has neither position nor date.
    case emptyRow
    /// The row has the position 0, 0.
    case noFixInTable
    /// The row can't be used.
    case malformedRow
    /// No JSON file of Google Takeout belongs to the photo.
    case noTakeoutFile
    /// Several JSON files of Google Takeout may belong to the photo.
    case severalTakeoutFiles
    /// The JSON file of Google Takeout may belong to several photos.
    case severalTakeoutPhotos
    /// The JSON file of Google Takeout can't be read.
    case unreadableTakeoutFile
    /// The JSON file of Google Takeout has no date or location.
    case emptyTakeoutFile
    /// The photo keeps its values, which differ from those of Google Takeout.
    case unlikeTakeout
    /// The dates contradict each other.
    case unrepairable
    /// The photo records no position.
    case noLocation
    /// The photo records 0, 0 and no place.
    case noFix
    /// The photo has names of its place, which are kept.
    case hasNames
    /// The photo keeps its names, which differ from those of its position.
    case hasOtherNames
    /// The photo keeps its names instead of the given ones.
    case keepsNames
    /// The position lies outside the place whose names were given.
    case liesElsewhere
    /// Nothing is known about the position.
    case unknownPlace
    /// The photo has no location to erase.
    case nothingToClear
    /// The photo has names of a place but no position.
    case namesOnly
    /// The position can't be read, so it is unknown whether it lies in a zone.
    case unreadPlace
    /// The position can't be read, and is kept.
    case malformedPlace
    /// The location is in none of the zones.
    case outsideZones
    /// The photo already has the requested values.
    case asWanted
    /// The photo is as the plan would make it.
    case appliedBefore
    /// The photo already has the format to which it should be converted.
    case hasFormat
    /// The photo has a format that everyone can read.
    case commonFormat
    /// The new file exists already.
    case converted
    /// The date is in whole seconds, and would be moved by less than half a second.
    case wholeSeconds
    /// The photo has no date that can be read and erased, but other data that may contain one.
    case noReadableDate
    /// The photo has no position, but a text that looks like one.
    case placeInText
    /// The photo has no date, but a text that looks like one.
    case dateInText
    /// The file can't be changed itself, and a file next to it has the requested values.
    case hasSubstitute
    /// A client's planner gave the reason in its own words.
    case custom
  }

  /// The reason without its values.
  public var code: Code {
    switch self {
    case .noCaptureTime: .noCaptureTime
    case .malformedDate: .malformedDate
    case .malformedOffset: .malformedOffset
    case .looseDate: .looseDate
    case .hasZone: .hasZone
    case .hasFixedZone: .hasFixedZone
    case .noZone: .noZone
    case .noHeaderZone: .noHeaderZone
    case .doubtfulHeader: .doubtfulHeader
    case .headersOfWrongClock: .headersOfWrongClock
    case .strayHeader: .strayHeader
    case .severalZones: .severalZones
    case .nonlocalClock: .nonlocalClock
    case .doubtfulClock: .doubtfulClock
    case .ambiguousTime: .ambiguousTime
    case .nonexistentTime: .nonexistentTime
    case .unknownClock(.ambiguous): .unknownClock
    case .unknownClock(.reset): .clockReset
    case .vagueClock: .vagueClock
    case .clockWrong: .clockWrong
    case .datesFixed: .datesFixed
    case .offsetsDisagree: .offsetsDisagree
    case .onlyPartial: .onlyPartial
    case .noCopy: .noCopy
    case .noFileTime: .noFileTime
    case .noSatelliteTime: .noSatelliteTime
    case .unknownZone: .unknownZone
    case .outsideCalendar: .outsideCalendar
    case .noMatch(let failure, _, _): failure.code
    case .noTrackOfCamera: .noTrackOfCamera
    case .severalTracksOfCamera: .severalTracksOfCamera
    case .hasLocation: .hasLocation
    case .hasLocationAndNames: .hasLocationAndNames
    case .notBetter: .notBetter
    case .hasCaptureTime: .hasCaptureTime
    case .noVisit(let failure): failure.code
    case .noDateInName: .noDateInName
    case .futureInName: .futureInName
    case .otherFileDay: .otherFileDay
    case .dayInName: .dayInName
    case .table(let failure): failure.code
    case .takeout(let failure): failure.code
    case .unlikeTakeout: .unlikeTakeout
    case .unrepairable: .unrepairable
    case .noLocation: .noLocation
    case .noFix: .noFix
    case .hasNames: .hasNames
    case .hasOtherNames: .hasOtherNames
    case .keepsNames: .keepsNames
    case .liesElsewhere: .liesElsewhere
    case .unknownPlace: .unknownPlace
    case .nothingToClear: .nothingToClear
    case .namesOnly: .namesOnly
    case .unreadPlace: .unreadPlace
    case .malformedPlace: .malformedPlace
    case .outsideZones: .outsideZones
    case .asWanted: .asWanted
    case .appliedBefore: .appliedBefore
    case .hasFormat: .hasFormat
    case .commonFormat: .commonFormat
    case .converted: .converted
    case .wholeSeconds: .wholeSeconds
    case .noReadableDate: .noReadableDate
    case .placeInText: .placeInText
    case .dateInText: .dateInText
    case .hasSubstitute: .hasSubstitute
    case .custom: .custom
    }
  }
}

extension MatchFailure {
  /// The reason as a code.
  var code: Reason.Code {
    switch self {
    case .emptyTrack: .emptyTrack
    case .tooFarApart: .tooFarApart
    case .beforeTrack: .beforeTrack
    case .afterTrack: .afterTrack
    case .rolledOver: .rolledOver
    case .inGap: .inGap
    case .betweenSegments: .betweenSegments
    }
  }
}

extension VisitFailure {
  /// The reason as a code.
  var code: Reason.Code {
    switch self {
    case .neverNear: .neverNear
    case .severalVisits: .severalVisits
    case .otherDay: .visitOnOtherDay
    case .longStay: .longStay
    case .unknownZone: .unknownZoneOfVisit
    }
  }
}
