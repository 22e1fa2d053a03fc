import ArgumentParser
import MetaTag
import SystemPackage

/// `metatag export`: exports the locations of photos as GPX, KML, KMZ, GeoJSON or CSV.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export the locations of photos as GPX, KML, KMZ, GeoJSON or CSV.",
    usage: "metatag export (gpx | kml | kmz | geojson | csv) [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag export gpx *.JPG > day.gpx         waypoints with time and name
        metatag export kml --recursive ~/Pictures > pictures.kml
        metatag export kmz *.JPG > pictures.kmz    with thumbnails
        metatag export geojson -r . | jq           points for a map
        metatag export csv *.JPG > places.csv      signed decimal degrees, as
                                                   import-csv reads them

      Writes to standard output, in the order of the input. Photos without a
      location are left out and counted. GPX times are in UTC: a photo without a UTC
      offset is exported without a time.
      """)

  @Argument(help: "Output format.")
  var format: ExportChoice

  @Option(
    help: ArgumentHelp("Length of the longer side of KMZ thumbnails, in pixels. (default: 256)", valueName: "pixels"))
  var thumbnailSize: Int?

  @OptionGroup(title: "Files") var input: InputOptions
  @OptionGroup(title: "Files") var condition: ConditionOption
  @OptionGroup var work: JobsOption

  func validate() throws {
    guard let thumbnailSize else { return }
    if format != .kmz { throw ValidationError("--thumbnail-size requires kmz.") }
    guard (1...8_192).contains(thumbnailSize) else {
      throw ValidationError("--thumbnail-size takes 1 to 8192, not \(thumbnailSize).")
    }
  }

  func run() async throws {
    let console = Console()
    if format == .kmz, console.isTerminal {
      throw SetupError("KMZ is not text: redirect it to a file, as in > day.kmz")
    }
    let photos = await condition.reading(try input.photos(console: console), jobs: work, console: console)
    let reading = try Reading(pixels: format == .kmz ? thumbnailSize ?? 256 : nil)
    let placed: PlacedPhotos
    do { placed = try PlacedPhotos(among: photos) } catch {
      console.warn("metatag: \(error.words). Times are exported as the photos record them.")
      placed = PlacedPhotos()
    }
    var document = format.document
    var (withoutPlace, withoutPicture, failures) = (0, 0, 0)
    console.write(document.begin())
    Interrupt.listen()
    let done = await orderedParallelMap(photos, width: work.count, until: { Interrupt.isWished || console.isClosed }) {
      photo in
      reading.photo(photo, recorded: placed.clock(of: photo))
    } consume: { result in
      switch result {
      case .success(let photo?):
        console.write(document.add(photo))
        if reading.pixels != nil, photo.thumbnail == nil { withoutPicture += 1 }
      case .success(nil): withoutPlace += 1
      case .failure(let failed):
        console.warn(failed.row.line())
        failures += 1
      }
    }
    console.write(document.end())
    console.reportLeftOut()
    if withoutPlace > 0 {
      console.warn(
        "\(withoutPlace) of \(photos.count.pluralized("file")) "
          + (withoutPlace == 1 ? "has no location and is left out" : "have no location and are left out"))
    }
    if withoutPicture > 0 {
      console.warn(
        "\(withoutPicture) of \(photos.count.pluralized("file")) without a picture that can be decoded: exported without a thumbnail"
      )
    }
    try console.finish()
    try Interrupt.announce(on: console, done: done, of: photos.count)
    if failures > 0 { throw ExitCode.failure }
  }
}

/// Reads photos for the export.
private struct Reading: Sendable {
  /// The length of the longer side of thumbnails; nil for no thumbnails.
  let pixels: Int?
  private let codecs: PictureCodecs

  init(pixels: Int?) throws {
    self.pixels = pixels
    codecs = pixels == nil ? .none : try PictureCodecs()
  }

  struct Failed: Error {
    let row: ReportRow
  }

  /// Returns the photo's export, or nil if it has no location.
  /// - Parameter clock: The clock correction and zone of the run that placed the photo.
  func photo(_ photo: Photo, recorded clock: DateFacts.KnownClock?) -> Result<ExportedPhoto?, Failed> {
    do throws(FileError) {
      let joined = try PhotoMetadata(photo)
      var photo = ExportedPhoto(photo.input.path, joined.metadata, recorded: clock)
      if let pixels { photo?.thumbnail = try? joined.image.jpegThumbnail(.maxPixels(pixels), codecs: codecs) }
      return .success(photo)
    } catch {
      return .failure(Failed(row: ReportRow(photo.input.path, error)))
    }
  }
}
