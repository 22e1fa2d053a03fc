import ArgumentParser
import MetaTag

struct ClearCommand: PhotoEditing {
  /// What stays of a photo with --all.
  enum Kept: String, ExpressibleByArgument, CaseIterable, Sendable {
    case date, orientation, icc
  }

  /// What becomes of tracks of places that can't be erased apart from the rest of the track.
  enum Timed: String, ExpressibleByArgument, CaseIterable, Sendable {
    case keep, drop
  }

  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Erase what photos say about a place, a date, or everything.",
    usage: "metatag clear (--location | --date | --all) [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag clear --location *.JPG
        metatag clear --location --dry-run --recursive ~/Pictures/to-share
        metatag clear --location --zone-around @home:500m --zone-around Vienna:20km .
            only photos with a position there, be it of what they show;
            see 'metatag place pin'
        metatag clear --location --coarsen 10km *.JPG
            about where it was: the middle of a cell of a grid, the same for all in
            it; 0, 0, which devices write without a fix, is left: without --coarsen
            it goes
        metatag clear --date *.JPG
            when it was taken, digitized, changed, and its position fixed
        metatag clear --all --keep date *.JPG
            everything but the capture time goes

      Coordinates and names of places go from EXIF, XMP and IPTC; their bytes are
      overwritten, not only unlinked, in unused space too. The journal on this
      computer keeps what was erased, also after 'metatag undo' brought it back;
      only its owner can read it. Of a GoPro's movie, the positions in its telemetry
      go too; where others record places along the way (DJI, Sony, iPhone),
      --timed drop takes out the whole track, with all else that it recorded; the
      report tells. Where such tracks have more than 64 MB, in drones' movies of
      some minutes, 'ffmpeg -i IN -map 0:v -map 0:a -c copy OUT' makes a movie
      without them. What somebody wrote in words (captions, keywords, comments)
      stays, be it about a place; the report tells of what looks like coordinates
      or a date.

      --all leaves the picture to the last pixel, its size, how it is turned and its
      colour profile, without which it would look different. EXIF, XMP, IPTC,
      comments, maker notes, previews and what follows the picture go. JPEG, HEIC,
      AVIF, PNG, WebP, JPEG XL, GIF and TIFF can be cleared so, every page of it,
      and movies (MOV, MP4, 3GP). A movie keeps its pictures and its sound; tracks
      of anything else go: telemetry (GoPro, DJI, Sony, iPhone), timecode, and
      texts, subtitles and chapters too, since some cameras write places into them;
      the report counts them. The halves of a Live Photo lose the number by which
      Apple knows that they are one.

      Raw files can't be cleared with --all: no converter could show them right
      without their makers' notes. Clear a JPEG that is made of one, or take its
      place out with --location --raw in-place. What else holds more than is known
      is left alone with the reason.
      """)

  @Flag(help: "Erase coordinates and names of places.")
  var location = false

  @Flag(help: "Erase dates.")
  var date = false

  @Flag(help: "Erase everything that describes the photo.")
  var all = false

  @Option(
    name: .customLong("zone-around"),
    help: ArgumentHelp(
      "Clear only photos with a position so near: @home:500m, 48.2,16.37:2km, Vienna:20km.", valueName: "place:distance"
    ),
    transform: PrivateZone.argument)
  var zones: [PrivateZone] = []

  @Option(
    help: ArgumentHelp("Leave the place as coarse as this: 10km.", valueName: "distance"),
    transform: ClearCommand.coarseness)
  var coarsen: Coarseness?

  @Option(
    help: ArgumentHelp(
      "What stays with --all: date, orientation, icc; the last two always do.", valueName: "what,..."),
    transform: ClearCommand.kept)
  var keep: [Set<Kept>] = []

  @Option(help: "Tracks of a movie that record places along the way: keep refuses the movie, drop takes them out.")
  var timed = Timed.keep

  @OptionGroup var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup var output: OutputOptions

  /// A copy beside a photo would leave in it what was to be erased.
  var fallback: Fallback { Fallback(.fail) }

  func validate() throws {
    guard location || date || all else {
      throw ValidationError("Say what to erase: --location, --date or --all.")
    }
    if all, location || date { throw ValidationError("--all erases place and date too: give it alone.") }
    if !location, !zones.isEmpty || coarsen != nil {
      throw ValidationError("--zone-around and --coarsen are about --location.")
    }
    if all, timed == .drop { throw ValidationError("--all takes such tracks out anyway: leave out --timed.") }
    if !keep.isEmpty, !all { throw ValidationError("--keep is about --all.") }
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
