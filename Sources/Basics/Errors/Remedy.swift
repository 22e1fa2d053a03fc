/// An action of a user, or of a program on their behalf, against an error, a skipped photo or a note. It doesn't name
/// an option of a program.
@nonexhaustive
public enum Remedy: Hashable, Sendable {
  // Erasing

  /// Erase all metadata.
  case clearAll
  /// Erase the whole location, wherever it is, instead of rounding it.
  case clearLocation
  /// Erase all metadata of a JPEG copy. With `orFields`, location and date can be erased in the file itself.
  case clearAllOfCopy(orFields: Bool = false)
  /// Erase the dates of a JPEG copy.
  case clearDateOfCopy
  /// Remove timed metadata (telemetry) as a whole, or erase all metadata.
  case dropTimedMetadata
  /// Remove timed metadata (telemetry) as a whole.
  case dropTimedTrack
  /// Give up the data from which the original JPEG can be reconstructed.
  case dropReconstruction
  /// Remove the data first, with a program that made or knows them.
  case removeFirst
  /// Take the movie out of the photo first.
  case takeOutMovie
  /// Take the tracks out of the movie first.
  case takeOutTracks

  // Sidecars and companions

  /// Write into a sidecar.
  case useSidecar
  /// Change the raw file itself.
  case changeInPlace
  /// Don't ask for sidecars. With `changingRaw`, change the raw file itself.
  case omitSidecar(changingRaw: Bool = false)
  /// Take each file as a separate photo.
  case separateFiles
  /// Restore the sidecar from a backup, or remove it.
  case restoreSidecar
  /// Remove the sidecar that is not meant.
  case removeSidecar
  /// Name the sidecar with this name as an input, or move it away.
  case nameSidecar(String)

  // Locations

  /// Give the photo a location.
  case giveLocation
  /// Give the photo a location, or erase 0, 0.
  case giveOrClearLocation
  /// Replace the location that can't be read.
  case replaceLocation
  /// Name the place by the photo's position.
  case nameByPosition
  /// Replace the place names by those of the photo's position.
  case replaceNames
  /// Replace the names of the place that the photo shows by those of its position.
  case replaceShownNames
  /// Write 0, 0 all the same.
  case allowZero
  /// Relax these limits, with which the photo would be placed.
  case relax([Limit])
  /// Use another track, or correct the camera's clock.
  case otherTrack
  /// Use other photos as references, or correct the camera's clock.
  case otherPhotos
  /// Move the dates of the track by so many weeks.
  case addWeeks(Int)
  /// Name the track's camera more exactly.
  case nameCamera
  /// Move the table, or run somewhere else.
  case moveTable

  // Clocks and time zones

  /// Give the time zone of the camera's clock.
  case giveZone
  /// Give the time zone of the camera's clock only for this file; UTC if that is what it records.
  case giveZoneSeparately
  /// Declare that the movie's time is in UTC, as the standard requires, or give the time zone of the camera's clock.
  case giveVideoZone
  /// Declare that the movie's time is in UTC.
  case declareUTC
  /// Give the time zone of the place.
  case givePlaceZone
  /// Record another time zone.
  case setZone
  /// Give the time zone as one of these offsets.
  case chooseOffset(UTCOffset, UTCOffset)
  /// Record this offset, or move the date first if the clock was wrong.
  case useOffset(UTCOffset, orShift: TimeShift)
  /// Move the date by this first, and then record the time zone.
  case shiftFirst(TimeShift)
  /// Move the movie's date by this if it is in the time of the camera's clock.
  case shiftVideo(by: TimeShift)
  /// Give the error of the camera's clock.
  case correctClock
  /// Check the camera's clock and time zone, or trust them.
  case checkClock(wasEstimated: Bool)
  /// Run the photos before and after the clock was set separately.
  case splitPhotos
  /// Let the run that places the photos correct their dates, with the same correction as that run.
  case correctDates(likeRun: Int?)
  /// Correct the date once more although it was corrected, by this run if it is known.
  case correctAgain(despiteRun: Int?)
  /// Give one of these times instead of the place.
  case giveMoment
  /// Accept a stay of so many minutes, or give the time instead of the place.
  case acceptStay(minutes: Int)
  /// Take the time when the track was nearest.
  case allowStay

  // Dates and fields

  /// Replace what the photo has.
  case overwrite
  /// Set the date.
  case setDate
  /// Set the date to the one in the file name, if that is right.
  case setDateIfRight
  /// Compare the dates, and set the right one.
  case checkDates
  /// Complete this date, or move it by whole units.
  case completeDate(PartialDate)
  /// Give a time of day, or record only the day.
  case giveTimeOfDay
  /// Give a pattern by which the file name is read.
  case givePattern
  /// Set the date with a time zone.
  case setDateWithZone
  /// Give a date with a day and a time of day.
  case giveWholeDate
  /// Change the dates.
  case changeDates
  /// Set title, author, description or keywords.
  case setFields
  /// Set the field of this name.
  case setField(String)
  /// Set the names of the place.
  case setPlaceNames
  /// Set the tag in a separate run.
  case setSeparately

  // Texts that were parsed

  /// Write the text like this example, or like one of the others.
  case writeLike(String, or: [String] = [])
  /// Write this instead.
  case write(String)
  /// Write this text in quotes.
  case quote(String)
  /// Use one of these names or signs.
  case useOneOf([String])
  /// Use one of these names, one of which was probably meant. The most likely is the first.
  case didYouMean([String])
  /// Join two conditions with an operator.
  case joinConditions
  /// Give the field an empty value, which removes it.
  case giveEmptyValue
  /// Give the member of a plan the value null, which removes what it names.
  case giveNull
  /// Leave out this member of a plan.
  case omitMember(String)
  /// Leave out the row of a plan.
  case omitRow
  /// End the time with its offset from UTC.
  case addOffset

  // Names of files

  /// Give the file this name, which fits its content.
  case fixName(String)
  /// Move this file away first.
  case moveAway(String?)
  /// Choose a name that no file has.
  case chooseAnotherName
  /// Give the photo a shorter name.
  case shortenName
  /// Rename the link by hand.
  case renameByHand

  // Other forms of a file

  /// Save the file again with a program that can read it.
  case saveAgain
  /// Convert the text to UTF-8.
  case convertToUTF8
  /// Unpack the file first.
  case unpack
  /// Convert the PBF file to one that is compressed with zlib.
  case convertToZlib
  /// Import GeoNames' dump of places; its other tables are read from the same folder.
  case importGeoNamesDump
  /// Rename one of the columns.
  case renameColumn
  /// Declare that the positions are signed, or write signs.
  case declareSigns
  /// Name the file by the start of its flight.
  case nameFlight

  // Copies

  /// Bring the original back, and undo again.
  case bringOriginalBack
  /// Move the file back by hand.
  case moveBackByHand
  /// Compare the copy with its original, and remove it by hand.
  case removeByHand
  /// Leave the original where it is.
  case keepOriginal
  /// Choose another folder for the copies.
  case chooseFolder

  // Permissions

  /// Allow the owner to write the file.
  case makeWritable
  /// Take the set-id bit from the file, or change it as the superuser.
  case removeSetID
  /// Remove this `chattr` attribute from the file, or from its folder.
  case removeAttribute(String, ofFolder: Bool)
  /// Let the file's owner change it.
  case letOwnerChange
  /// Give the file a group to which its owner belongs.
  case changeGroup
  /// Make the file independent of its other names.
  case copyLinkedFile
  /// Change a copy on another disk, and copy it back.
  case changeOnOtherDisk
  /// Free at least so many bytes on its disk, if it is known how many are needed.
  case freeSpace(Int?)
  /// Don't ask to keep the modification time.
  case omitKeptTime
  /// Give the file another modification time.
  case changeFileTime

  // Runs and the journal

  /// Run again, only for this file.
  case runAgain
  /// Nothing: the next run puts it right.
  case nextRun
  /// Make the plan again. With `separately`, each file as a separate photo where each has its own values.
  case planAgain(separately: Bool = false)
  /// Undo this run first.
  case undoFirst(Int)
  /// Undo the run, and start again.
  case undoAndRepeat
  /// Start another run for the undo.
  case undoInOtherRun
  /// Give the file back its modification time (seconds and nanoseconds since 1970), and undo again, if nothing else was
  /// changed.
  case restoreFileTime(seconds: Int, nanoseconds: Int)
  /// Move the file back to its original path, and undo again.
  case moveBack
  /// Run the command again that created the file.
  case createAgain
  /// Look up the runs in the journal.
  case listRuns
  /// Undo this run, which the undo in question took back in part.
  case undoOriginal(Int)
  /// Wait until the other process has ended.
  case wait
  /// Choose another folder for the journal.
  case otherStateFolder
  /// Use a copy of the journal's folder in a place that can be written to.
  case copyJournal
  /// Close the file in the other program, and try again.
  case closeElsewhere
  /// Make a new journal of what can be read in the damaged one.
  case repairJournal
  /// Bring the journal's file back from a backup, or begin a new journal.
  case restoreJournal
  /// Move the journal's folder away. With `afterUndo`, first undo what can be undone.
  case replaceJournal(afterUndo: Bool)

  // Tracks and tables

  /// Import places without a track.
  case importPlaces
  /// Export the recorded track, not the planned route.
  case exportTrack
  /// Name the units in the headings of the columns.
  case nameUnits
  /// Name the time zone in the heading of the column, or behind the times.
  case declareColumnZone
  /// Write the times in another form, or name the form of six-digit dates in the heading.
  case writeTimes

  // Places

  /// Correct the invalid rows, or leave them out.
  case skipInvalidRows
  /// Give the country's name or its two letters. It may be one of these countries.
  case nameCountry(didYouMean: [String] = [])
  /// Move the file of places away, and import the places again.
  case importPlacesAgain
  /// Import the file of the named import again, or remove the import.
  case updateImport
  /// Use the newer version.
  case useNewerVersion
  /// Check the permissions of the file.
  case checkPermissions
  /// Delete the cache folder, which is filled again.
  case deleteCache
  /// Check the permissions and free space of the cache folder, or choose another one.
  case otherCacheFolder
  /// Check the permissions of the folder of the user's places, or choose another one.
  case otherDataFolder

  // Installation and limits

  /// Install the programs again.
  case reinstall
  /// Install the program of this name next to the executable or in `../libexec`, or name its folder in the environment
  /// variable `METATAG_LIBEXEC`.
  case installProgram(String)
  /// Start fewer processes at a time, or raise this limit of `ulimit`.
  case fewerProcesses(limit: String)

  /// A limit for the distance of a photo from the fixes that place it.
  @nonexhaustive
  public enum Limit: Hashable, Sendable {
    /// Fixes of different segments.
    case acrossSegments
    /// The time between two fixes.
    case gap(minutes: Int)
    /// The time to the nearest fix.
    case nearest(minutes: Int)
    /// The distance between two fixes.
    case distance(metres: Int)
  }
}
