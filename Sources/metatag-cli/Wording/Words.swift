import GeoIndex
import MetaTag
import SystemPackage

/// The tool's words for remedies, errors, reasons and notes.
extension Remedy {
  /// The sentence for users of this tool.
  var words: String {
    switch self {
    case .clearLocation: "Use 'metatag clear --location' without --coarsen and --zone-around."
    case .clearAllOfCopy(orFields: false): "Use 'metatag clear --all' on a JPEG copy."
    case .clearAllOfCopy(orFields: true):
      "Use 'metatag clear --all' on a JPEG copy, or 'metatag clear --location --date --raw in-place' for the rest."
    case .clearDateOfCopy: "Use 'metatag clear --date' on a JPEG copy."
    case .dropTimedMetadata: "Use --timed drop to remove it as a whole, or 'metatag clear --all'."
    case .dropTimedTrack: "Use --timed drop to remove it as a whole."
    case .dropReconstruction: "Use --jxl-jpeg drop."
    case .removeFirst: "Remove it first, with the program that wrote it."
    case .takeOutMovie: "Remove the movie first (exiftool -trailer:all=)."
    case .takeOutTracks: "Remove the metadata tracks first (ffmpeg -map 0:v -map 0:a -c copy)."
    case .clearAll: "Use 'metatag clear --all'."
    case .useSidecar: "Use --sidecar always."
    case .changeInPlace: "Use --raw in-place to change the file itself."
    case .omitSidecar(changingRaw: false): "Leave out --sidecar always."
    case .omitSidecar(changingRaw: true): "Leave out --sidecar always, and use --raw in-place."
    case .separateFiles: "Use --separately to process each file by itself."
    case .restoreSidecar: "Restore it from a backup, or remove it."
    case .removeSidecar: "Remove the wrong one."
    case .nameSidecar(let name): "Name \(name) itself to change it, or move it away."
    case .giveLocation: "Use 'metatag geotag'."
    case .giveOrClearLocation: "Use 'metatag geotag', or 'metatag clear --location'."
    case .replaceLocation: "Use --overwrite replace with 'metatag geotag' or an import."
    case .nameByPosition: "Use 'metatag name' for the names of its position."
    case .replaceNames: "Use 'metatag name --overwrite replace'."
    case .replaceShownNames: "Use 'metatag name --overwrite replace --shown'."
    case .allowZero: "Use --allow-zero."
    case .relax(let limits): "Use \(limits.map(\.option).joined(separator: " "))."
    case .otherPhotos: "Use other photos, or --offset if the camera's clock was wrong."
    case .addWeeks(let weeks): "Use --add-weeks \(weeks)."
    case .nameCamera: "Name the camera more exactly in --track-of."
    case .moveTable: "Move the table, or run metatag in another folder."
    case .otherTrack: "Use another track, or --offset if the camera's clock was wrong."
    case .giveZone: "Use --camera-zone."
    case .giveZoneSeparately:
      "Give it separately, with --camera-zone Z if it is UTC (the standard), otherwise the camera's zone."
    case .giveVideoZone: "Use --camera-zone Z if it is UTC (the standard), otherwise the camera's zone."
    case .declareUTC: "Use --camera-zone Z if it is UTC."
    case .givePlaceZone: "Use --zone."
    case .chooseOffset(let first, let second): "Give the zone as \(first) or \(second)."
    case .useOffset(let offset, let shift):
      "Use \(offset), or 'metatag date shift \(shift)' first if the clock was wrong."
    case .shiftFirst(let shift): "Use 'metatag date shift \(shift)', and then record the zone."
    case .shiftVideo(let shift):
      "If it is local time, 'metatag date shift \(shift)' makes it UTC: use that once, and nothing else."
    case .setZone: "Use 'metatag date zone'."
    case .checkClock(let wasEstimated):
      "Use \(wasEstimated ? "--offset" : "--offset auto"), --sync or --camera-zone; or --trust-clock."
    case .splitPhotos: "Process the photos before and after that separately, or use --offset or --sync."
    case .correctDates(let run):
      "Use 'metatag geotag --fix-dates'\(run.map { " with the options of run \($0)" } ?? "")."
    case .correctAgain(let run):
      "If it is still wrong, use \(run.map { "--despite-run \($0)" } ?? "'metatag date shift'")."
    case .giveMoment: "Give one of them as a time."
    case .acceptStay(let minutes): "Allow that with --max-stay \(minutes)m, or give the time instead."
    case .allowStay: "Use --max-stay to use the time of the closest approach."
    case .correctClock: "Use --offset or --sync."
    case .overwrite: "Use --overwrite replace."
    case .setDate: "Use 'metatag date set'."
    case .setDateIfRight: "If it is right, use 'metatag date set'."
    case .checkDates: "See 'metatag date check', and use 'metatag date set'."
    case .completeDate(let date):
      "Use 'metatag date set' with a \(date.day == nil ? "day and a time" : "time of day"), or 'metatag date shift' by whole "
        + "\(date.precision)s."
    case .giveTimeOfDay: "Use --time 12:00 or --day-only."
    case .givePattern: "Use --pattern to read it."
    case .setDateWithZone: "Use 'metatag date set' with a time zone, for example 2024-05-01T12:00:00+02:00."
    case .giveWholeDate: "Give a date with a day and a time."
    case .changeDates: "Use 'metatag date'."
    case .setFields: "Use --title, --artist, --description or --keywords."
    case .setField(let name):
      "Use 'metatag set --\(name.replacing(/[A-Z]|[0-9]+mm/) { "-\($0.output.lowercased())" })'."
    case .setPlaceNames: "Use 'metatag set' with --sublocation, --city, --state, --country or --country-code."
    case .setSeparately: "Set it in a separate run."
    case .writeLike(let example, let others): "Write for example \(([example] + others).alternatives)."
    case .write(let text): "Write \(text)."
    case .quote(let text): "Write text in quotes: \"\(text)\"."
    case .useOneOf(let names): "Use \(names.alternatives)."
    case .didYouMean(let names): "Did you mean \(names.alternatives)?"
    case .joinConditions: "Join conditions with && or ||."
    case .giveEmptyValue: "An empty value removes the field."
    case .giveNull: "Use null to remove it."
    case .omitMember(let name): "Omit '\(name)'."
    case .omitRow: "Omit the row."
    case .addOffset: "End it with Z for UTC, or with its offset."
    case .fixName(let name): "Use 'metatag fix-extension' to name it \(name)."
    case .moveAway(let name): "Move \(name ?? "it") away first."
    case .chooseAnotherName: "Choose another name."
    case .shortenName: "Shorten the photo's name."
    case .renameByHand: "Rename it by hand."
    case .saveAgain: "Save it again with a program that can read it."
    case .convertToUTF8: "Convert it to UTF-8 first."
    case .unpack: "Unpack it first."
    case .convertToZlib: "Convert it first: osmium cat OLD.osm.pbf -o NEW.osm.pbf"
    case .importGeoNamesDump:
      "Import a dump with places, such as allCountries.txt; this table is used if it is in the same folder."
    case .renameColumn: "Rename one of them."
    case .declareSigns:
      "If they are signed, and all are north and east, use --signed. exiftool's -c %+.7f writes signs."
    case .nameFlight: "Name it for example DJI_2024-05-18__10-00-00.csv."
    case .bringOriginalBack: "Bring the original back, and undo again."
    case .moveBackByHand: "Move it back yourself if you want it."
    case .removeByHand: "Compare both, and delete the copy yourself if you don't need it."
    case .keepOriginal: "Leave out --trash-original."
    case .chooseFolder: "Use another folder with --copy-to."
    case .makeWritable: "Run chmod u+w on it first."
    case .removeSetID: "Run chmod ug-s on it first, or let root change it."
    case .removeAttribute(let letter, let ofFolder):
      "Run chattr -\(letter) on \(ofFolder ? "the folder" : "it") first."
    case .letOwnerChange: "Let its owner change it."
    case .changeGroup: "Run chgrp on it first, with a group of yours."
    case .copyLinkedFile: "Make it a file of its own first (cp FILE COPY && mv COPY FILE)."
    case .changeOnOtherDisk: "Copy it to another disk, change it there, and copy it back."
    case .freeSpace(let count):
      "Free \(count.map { "at least \(megabytes($0))" } ?? "some space") on that disk, and run the command again."
    case .omitKeptTime: "Leave out --keep-mtime."
    case .changeFileTime: "Use 'touch' to set another one."
    case .runAgain: "Run the command again for this file."
    case .nextRun: "The next run of metatag will finish this."
    case .planAgain(separately: false): "Make the plan again."
    case .planAgain(separately: true): "Make the plan again, with --separately if each file has its own values."
    case .undoFirst(let run): "Undo run \(run) first."
    case .undoAndRepeat: "Undo that run, and run the whole command again."
    case .undoInOtherRun: "Start another undo."
    case .restoreFileTime(let seconds, let nanoseconds):
      "If nothing else was changed, run touch -m -d @\(seconds).\(nanoseconds.padded(9)) FILE, and undo again."
    case .moveBack: "Move it back there, and undo again."
    case .createAgain: "Run the command that created it again."
    case .undoOriginal(let run): "Use 'metatag undo \(run)' to undo the rest."
    case .wait: "Wait until it has finished."
    case .otherStateFolder: "Set XDG_STATE_HOME to another folder."
    case .copyJournal:
      "Allow that (chmod -R u+rwX on the folder), or copy the folder metatag to another place, allow it there, and set "
        + "XDG_STATE_HOME to that place."
    case .closeElsewhere: "Close it there, and run the command again."
    case .repairJournal:
      "'metatag doctor --repair' makes a new journal of what can be read, and keeps this one. If that fails, move the "
        + "folder away and keep it."
    case .restoreJournal:
      "Bring its file journal.db back from a backup, or move the folder away; then the next run begins a new journal."
    case .replaceJournal(let afterUndo):
      (afterUndo ? "First undo what you want to undo with 'metatag undo'. Then move" : "Move")
        + " the folder away and keep it; the next run begins a new journal."
    case .listRuns: "'metatag log' lists the runs."
    case .importPlaces: "Use 'metatag place import' to import such places."
    case .exportTrack: "Export the recorded track."
    case .nameUnits: "Write for example 'speed (km/h)' or 'altitude (m)'."
    case .declareColumnZone: "If it is UTC, call the column 'UTC time', otherwise add the zone (+02:00)."
    case .writeTimes:
      "Write 2024-05-18 10:00:00, 18.05.2024 10:00:00 or seconds since 1970, or name the format of a six-digit date in the "
        + "heading: 'date (YYMMDD)'."
    case .skipInvalidRows: "Correct them, or leave them out with --skip-bad-rows."
    case .nameCountry(didYouMean: []): "Give its name, or its two ISO 3166-1 letters (JP)."
    case .nameCountry(let names):
      "Did you mean \(names.alternatives)? Otherwise, give its name, or its two ISO 3166-1 letters (JP)."
    case .importPlacesAgain: "Move it away, and import your files again."
    case .updateImport:
      "Import its file again with 'metatag place update', or remove it with 'metatag place remove'."
    case .useNewerVersion: "Use that version."
    case .checkPermissions: "Check its permissions."
    case .deleteCache: "Delete the folder; it will be created again."
    case .otherCacheFolder: "Check its permissions and free space, or set XDG_CACHE_HOME to another folder."
    case .otherDataFolder: "Check its permissions, or set XDG_DATA_HOME to another folder."
    case .reinstall: "Install metatag again."
    case .installProgram(let name):
      "Install \(name) in the folder of metatag or in ../libexec, or set METATAG_LIBEXEC to its folder."
    case .fewerProcesses(let limit): "Use a smaller --jobs, or raise 'ulimit \(limit)'."
    }
  }
}

extension [String] {
  /// The names in a sentence: `d, h, m or s`.
  fileprivate var alternatives: String {
    guard let last, count > 1 else { return first ?? "" }
    return "\(dropLast().joined(separator: ", ")) or \(last)"
  }
}

/// Returns a number of bytes, rounded up to a tenth of a megabyte.
private func megabytes(_ count: Int) -> String {
  let tenths = (count + 99_999) / 100_000
  return "\(tenths / 10).\(tenths % 10) MB"
}

extension Remedy.Limit {
  /// The option that relaxes the limit.
  fileprivate var option: String {
    switch self {
    case .acrossSegments: "--across-segments"
    case .gap(let minutes): "--max-gap \(minutes)m"
    case .nearest(let minutes): "--nearest-within \(minutes)m"
    case .distance(let metres): "--max-distance \(metres)m"
    }
  }
}

extension Error {
  /// The problem in a sentence, and what to do in another: `is write-protected. Run chmod u+w on it first.`
  var words: String {
    switch self {
    case let error as FileError: joined(error.description, error.remedy) + error.confinementWords
    case let error as GeoIndexError: joined(error.description, error.remedy)
    case let error as ParseError: joined(error.description, error.remedy)
    case let error as Reason: joined(error.description, error.remedy)
    default: "\(self)"
    }
  }
}

extension FileError {
  /// Another sentence if `--root` may be the cause.
  fileprivate var confinementWords: String {
    guard code == .permissionDenied, let root = Confinement.root else { return "" }
    let end = joined(description, remedy).hasSuffix(".") ? "" : "."
    return "\(end) --root limits metatag to files below \(root.printable)."
  }
}

/// An error about a value on the command line, in the tool's words. The argument parser prints descriptions, in which
/// the errors of libraries have no remedy.
struct ArgumentError: Error, CustomStringConvertible {
  let description: String

  /// Returns what `parse` returns, and gives its errors the tool's words.
  static func inWords<Value>(_ parse: () throws -> Value) throws -> Value {
    do { return try parse() } catch let error as ParseError { throw ArgumentError(description: error.words) }
  }
}

/// Joins a sentence and the words of a remedy.
func joined(_ description: String, _ remedy: Remedy?) -> String {
  guard let remedy else { return description }
  return description + (description.contains("\n") ? "\n" : ". ") + remedy.words
}

extension Note {
  /// The note in a sentence, and what to do in another.
  var words: String { joined(description, remedy) }

  /// The note without the names of files, under which rows are counted together: `….MP4 has the same name, …`.
  var summary: String {
    let name = file.map { "\(Note.withoutStem($0)) " } ?? ""
    guard case .fixName(let right)? = remedy else { return joined(name + sentence, remedy) }
    return joined(name + sentence, .fixName(Note.withoutStem(right)))
  }

  private static func withoutStem(_ name: String) -> String { "….\(FilePath(name).extension ?? "")" }
}

extension [Note] {
  /// The notes in one sentence after `sentence`, and all remedies in sentences of their own.
  func words(after sentence: String? = nil, _ remedy: Remedy? = nil) -> String {
    let facts = ([sentence].compactMap(\.self) + map(\.description)).joined(separator: "; ")
    return ([remedy] + map(\.remedy)).compactMap { $0?.words }.reduce(facts) { text, remedy in
      text + (text.hasSuffix(".") ? " " : ". ") + remedy
    }
  }
}

extension ClockAmbiguity {
  /// The reason in a sentence, and what to do in another.
  var words: String { joined(description, remedy) }
}

extension PassAmbiguity {
  /// The reason in a sentence, and what to do in another.
  var words: String { joined(description, remedy) }
}
