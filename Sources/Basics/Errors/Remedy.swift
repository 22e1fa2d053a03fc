/// What a user, or a program on their behalf, can do about an error, a skipped photo or a note. It names an action, not
/// an option of a program.
public enum Remedy: Hashable, Sendable {
  // Erasing

  /// Erase all metadata.
  case clearAll
  /// Erase only the location.
  case clearLocation
  /// Erase all metadata of a JPEG copy. With `orFields`, location and date can be erased in the file itself.
  case clearAllOfCopy(orFields: Bool = false)
  /// Erase the dates of a JPEG copy.
  case clearDateOfCopy
  /// Remove timed metadata (telemetry) as a whole, or erase all metadata.
  case dropTimedMetadata
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
  /// Don't ask for sidecars.
  case omitSidecar
  /// Take each file as a separate photo.
  case separateFiles
  /// Restore the sidecar from a backup, or remove it.
  case restoreSidecar
  /// Remove the sidecar that is not meant.
  case removeSidecar
  /// Name the sidecar with this name as an input, or move it away.
  case nameSidecar(String)

  // Dates and fields

  /// Set the date.
  case setDate
  /// Set the date with a time zone.
  case setDateWithZone
  /// Give a date with a day and a time of day.
  case giveWholeDate
  /// Set the tag in a separate run.
  case setSeparately

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
  /// Rename one of the columns.
  case renameColumn
  /// Declare that the positions are signed, or write signs.
  case declareSigns
  /// Name the file by the start of its flight.
  case nameFlight

  // Permissions

  /// Allow the owner to write the file.
  case makeWritable
  /// Take the set-id bit from the file, or change it as the superuser.
  case removeSetID
  /// Remove this `chattr` attribute from the file, or from its folder.
  case removeAttribute(String, ofFolder: Bool)
  /// Let the file's owner change it.
  case letOwnerChange
  /// Make the file independent of its other names.
  case copyLinkedFile
  /// Change a copy on another disk, and copy it back.
  case changeOnOtherDisk
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

  // Installation and limits

  /// Install the programs again.
  case reinstall
  /// Start fewer processes at a time, or raise this limit of `ulimit`.
  case fewerProcesses(limit: String)
}
