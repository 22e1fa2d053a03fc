import ArgumentParser
import MetaTag

/// The tracks or photos that locate other photos.
struct TrackSourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Track file, folder or zip archive: GPX, KML, KMZ, NMEA, IGC, TCX, FIT, GeoJSON, CSV, Google Timeline, OwnTracks "
        + "(see TRACKS.md). Repeatable.", valueName: "file"))
  var track: [PathArgument] = []

  @Option(
    help: ArgumentHelp(
      "Track for one camera's photos only (model or serial number): X-T4=alice.gpx. Repeatable.",
      valueName: "camera=file"),
    transform: CameraTrack.argument)
  var trackOf: [CameraTrack] = []

  @Option(
    help: ArgumentHelp(
      "Use the locations of the photos and videos in this folder and its subfolders like a track. Repeatable.",
      valueName: "folder"))
  var fromPhotos: [PathArgument] = []

  @Option(
    help: ArgumentHelp(
      "With --from-photos, use only this camera's photos. Repeatable.",
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
      "If --place is a country or region, write its center as the location. (default: only its names)"))
  var areaCenter = false

  @Flag(help: "Don't add --place to the recent places.")
  var noRecent = false
}
