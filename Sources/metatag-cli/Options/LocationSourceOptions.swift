import ArgumentParser
import MetaTag

/// The tracks or photos that locate other photos.
struct TrackSourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Track file, folder of tracks, or zip archive of tracks. Repeatable. GPX, KML, KMZ, NMEA, IGC, TCX, FIT, GeoJSON, "
        + "CSV, Google Timeline or Takeout, OwnTracks; see TRACKS.md.", valueName: "file"))
  var track: [PathArgument] = []

  @Option(
    help: ArgumentHelp(
      "Track for the photos of one camera only, given by model, serial number or words of them: X-T4=alice.gpx. "
        + "Repeatable.", valueName: "camera=file"),
    transform: OwnTrack.argument)
  var trackOf: [OwnTrack] = []

  @Option(
    help: ArgumentHelp(
      "Use the locations of the photos and videos in this folder and its subfolders like a track. Repeatable.",
      valueName: "folder"))
  var fromPhotos: [PathArgument] = []

  @Option(
    help: ArgumentHelp(
      "With --from-photos, use only the photos of this camera (model, serial number or words of them). Repeatable.",
      valueName: "name"),
    transform: TextArgument.argument)
  var guideCamera: [TextArgument] = []
}

/// The place that all photos get.
struct GivenPlaceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Coordinates (WGS 84), or a pin: @home.", valueName: "lat,lon"),
    transform: Location.argument)
  var at: Location?

  @Option(
    help: ArgumentHelp("Place name, or a pin: @home. See 'metatag place search'.", valueName: "name"),
    transform: TextArgument.place)
  var place: TextArgument?

  @Flag(
    help: ArgumentHelp(
      "If --place is a country or region, write its center as the location, and the distance to its farthest border as "
        + "the error. (default: write only its names)"))
  var areaCenter = false

  @Flag(help: "Don't add --place to the recent places.")
  var noRecent = false
}
