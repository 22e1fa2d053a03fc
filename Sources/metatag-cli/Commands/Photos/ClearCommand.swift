import ArgumentParser
import MetaTag

/// `metatag clear`: erases locations, dates, or all metadata from photos.
struct ClearCommand: PhotoEditing {
  /// Metadata that --all keeps.
  enum Kept: String, ExpressibleByArgument, CaseIterable, Sendable {
    case date, orientation, icc
  }

  /// How to handle tracks whose positions can't be erased without the rest of the track.
  enum Timed: String, ExpressibleByArgument, CaseIterable, Sendable {
    case keep, drop
  }

  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Erase locations, dates, or all metadata from photos.",
    usage: "metatag clear (--location | --date | --all) [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag clear --location *.JPG
            erase coordinates and place names
        metatag clear --location --dry-run --recursive ~/Pictures/to-share
            show what would be erased
        metatag clear --location --zone-around @home:500m --zone-around Vienna:9km .
            only photos taken there, or that show a place there; see 'metatag place
            pin'
        metatag clear --location --coarsen 10km *.JPG
            keep only an approximate location: the center of a grid cell
        metatag clear --date *.JPG
            erase when photos were taken, digitized, changed and located
        metatag clear --all --keep date *.JPG
            erase everything except the capture time

      --location erases coordinates and place names from EXIF, XMP and IPTC, and
      overwrites their bytes, also in unused space. The journal on this computer,
      which only you can read, keeps them, even after 'metatag undo'. Text that
      somebody wrote (captions, keywords, comments) stays; the report says if it
      seems to contain coordinates or a date. With --coarsen, the position 0, 0 is
      kept: devices write it when they don't know where they are.

      In a GoPro movie, the positions in its telemetry are erased too. In movies by
      DJI, Sony and iPhone they can't be erased alone; --timed drop removes the
      whole track with everything it recorded, and the report says so. For a track
      of more than 64 MB (a few minutes of a drone's flight), make a movie without
      it: 'ffmpeg -i IN -map 0:v -map 0:a -c copy OUT'.

      --all works on JPEG, HEIC, AVIF, PNG, WebP, JPEG XL, GIF, TIFF (every page),
      MOV, MP4 and 3GP. It keeps the pixels, size, orientation and colour profile.
      EXIF, XMP, IPTC, comments, maker notes, previews and trailing data are erased.
      A movie keeps pictures and sound; all other tracks are removed and counted:
      telemetry, timecode, subtitles, chapters. Apple's programs no longer show a
      cleared Live Photo as one photo. Raw files can't be cleared with --all: raw
      converters need their maker notes. Clear a JPEG made from the raw file, or
      use --location --raw in-place. A file with contents that metatag doesn't know
      is skipped with the reason.
      """)

  @Flag(help: "Erase coordinates and place names.")
  var location = false

  @Flag(help: "Erase dates.")
  var date = false

  @Flag(help: "Erase all metadata.")
  var all = false

  @Option(
    name: .customLong("zone-around"),
    help: ArgumentHelp(
      "With --location, clear only photos within this distance of a place: @home:500m, 48.2,16.37:2km, Vienna:20km. Repeatable.",
      valueName: "place:distance"
    ),
    transform: PrivateZone.argument)
  var zones: [PrivateZone] = []

  @Option(
    help: ArgumentHelp(
      "With --location, round the location to a grid of this size instead of erasing it: 10km.", valueName: "distance"),
    transform: ClearCommand.coarseness)
  var coarsen: Coarseness?

  @Option(
    help: ArgumentHelp(
      "With --all, keep this: date, orientation, icc. The last two are always kept.", valueName: "what,..."),
    transform: ClearCommand.kept)
  var keep: [Set<Kept>] = []

  @Option(
    help:
      "For a movie with a track of positions that can't be erased alone: skip it (keep), or remove the track (drop).")
  var timed = Timed.keep

  @OptionGroup(title: "Files") var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions

  /// A copy would leave the original with what was to be erased.
  var fallback: Fallback { Fallback(.fail) }

  func validate() throws {
    guard location || date || all else {
      throw ValidationError("Say what to erase: --location, --date or --all.")
    }
    if all, location || date { throw ValidationError("--all can't be used with --location or --date: it erases both.") }
    if !location, !zones.isEmpty || coarsen != nil {
      throw ValidationError("--zone-around and --coarsen require --location.")
    }
    if all, timed == .drop {
      throw ValidationError("--timed can't be used with --all, which always removes such tracks.")
    }
    if !keep.isEmpty, !all { throw ValidationError("--keep requires --all.") }
  }

  func planner(_ console: Console) throws -> any Planner {
    if all {
      var erasure = Erasure()
      erasure.keepsDate = keep.contains { $0.contains(.date) }
      return ErasePlanner(erasure)
    }
    var planner = ClearPlanner()
    planner.zones = try zones.map { try $0.resolved(console) }
    planner.coarseness = coarsen
    planner.clearsLocation = location
    planner.clearsDates = date
    planner.dropsTimedPlaces = timed == .drop
    return planner
  }

  private static func coarseness(_ word: String) throws -> Coarseness {
    guard let coarseness = Coarseness(metres: try Measure.metres(word)) else {
      throw ValidationError("--coarsen takes 1m to 5000km.")
    }
    return coarseness
  }

  private static func kept(_ word: String) throws -> Set<Kept> {
    let words = word.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let kept = words.compactMap { Kept(rawValue: $0) }
    guard kept.count == words.count else { throw ValidationError("--keep takes date, orientation and icc.") }
    return Set(kept)
  }
}
