import ArgumentParser
import MetaTag
import SystemPackage

struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write down where photos were taken, for maps and other programs.",
    usage: "metatag export (gpx | kml | kmz | geojson | csv) [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag export gpx *.JPG > day.gpx         waypoints with time and name
        metatag export kml --recursive ~/Pictures > pictures.kml
        metatag export kmz *.JPG > pictures.kmz    with a small picture of each
        metatag export geojson -r . | jq           points for a map
        metatag export csv *.JPG > places.csv      signed degrees, north and east
                                                   positive; see import-csv

      The result goes to standard output, in the order of the inputs. Photos without
      a place are left out and counted. GPX knows only UTC: a photo that doesn't
      record its offset has no time there.
      """)

  @Argument(help: "The format.")
  var format: ExportChoice

  @Option(help: ArgumentHelp("Pixels of the longer side of the pictures in KMZ. (default: 256)", valueName: "pixels"))
  var thumbnailSize: Int?

  @OptionGroup var input: InputOptions
  @OptionGroup var condition: ConditionOption
  @OptionGroup var work: JobsOption

  func validate() throws {
    guard let thumbnailSize else { return }
    if format != .kmz { throw ValidationError("--thumbnail-size is about kmz.") }
    guard (1...8_192).contains(thumbnailSize) else {
      throw ValidationError("--thumbnail-size takes 1 to 8192, not \(thumbnailSize).")
    }
  }

  func run() async throws {
    let console = Console()
    if format == .kmz, console.isTerminal { throw SetupError("KMZ is no text: send it into a file, as in > day.kmz") }
    let photos = await condition.reading(try input.photos(console: console), jobs: work, console: console)
    let reading = try Reading(pixels: format == .kmz ? thumbnailSize ?? 256 : nil)
    let placed: PlacedPhotos
    do { placed = try PlacedPhotos(among: photos) } catch {
      console.warn("metatag: \(error). Times are exported as the photos record them.")
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
          + (withoutPlace == 1 ? "records no place and is left out" : "record no place and are left out"))
    }
    if withoutPicture > 0 {
      console.warn(
        "\(withoutPicture) of \(photos.count.pluralized("file")) without a picture that can be decoded here: only the place is written"
      )
    }
    try console.finish()
    try Interrupt.announce(on: console, done: done, of: photos.count)
    if failures > 0 { throw ExitCode.failure }
  }
}

/// What is read of each photo.
private struct Reading: Sendable {
  /// Of the longer side of its small picture, if there is to be one.
  let pixels: Int?
  private let codecs: PictureCodecs

  init(pixels: Int?) throws {
    self.pixels = pixels
    codecs = pixels == nil ? .none : try PictureCodecs()
  }

  struct Failed: Error {
    let row: ReportRow
  }

  /// Nil without a place.
  /// - Parameter clock: What the run that placed it was told of its clock.
  func photo(_ photo: Photo, recorded clock: DateFacts.KnownClock?) -> Result<ExportedPhoto?, Failed> {
    do throws(FileError) {
      let joined = try PhotoMetadata(photo)
      var photo = ExportedPhoto(photo.input.path, joined.metadata, recorded: clock)
      if let pixels { photo?.thumbnail = try? joined.image.thumbnail(maxPixels: pixels, codecs: codecs).jpeg }
      return .success(photo)
    } catch {
      return .failure(Failed(row: ReportRow(photo.input.path, error)))
    }
  }
}
