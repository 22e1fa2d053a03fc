import ArgumentParser
import MetaTag
import SystemPackage

struct ImportCSVCommand: PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "import-csv",
    abstract: "Give photos the places, and dates, that a table has for them.",
    usage: "metatag import-csv <table> [<options>] [<files> ...]",
    discussion: """
      EXAMPLES:
        metatag import-csv places.csv
            the photos that the table names
        metatag import-csv places.csv --recursive ~/Pictures
            of these, the ones that it names
        metatag export csv *.JPG > places.csv
            makes such a table; so does exiftool -csv -GPSLatitude -GPSLongitude

      Columns are told by their headings: SourceFile, path, FileName or name;
      GPSLatitude, latitude or lat, and so on for longitude, in degrees or as
      48 deg 51' 24.00" N, with GPSLatitudeRef if there is one; GPSPosition;
      GPSAltitude; GPSImgDirection; DateTimeOriginal or taken, with
      OffsetTimeOriginal; or Date, with Time if there is one. Decimal degrees below
      latitude and longitude (or lat and lon) are taken as signed. Another table
      whose degrees have neither signs nor letters is refused: it may have lost its
      hemispheres.

      A name is that of a file beside the table, or where you are. If there is none,
      it counts without its folders, where one photo that you name, and one row,
      have it. What photos record already stays, unless --overwrite replace is
      given.
      """)

  @Argument(help: ArgumentHelp("The table: commas, semicolons or tabs, in UTF-8 or UTF-16.", valueName: "table"))
  var table: PathArgument

  @Argument(help: ArgumentHelp("Photos, or folders: the photos directly in them.", valueName: "files"))
  var files: [PathArgument] = []

  @Flag(name: [.customShort("r"), .long], help: "Take the photos of folders within folders too.")
  var recursive = false

  @Flag(help: "Degrees without sign or letter are north and east.")
  var signed = false

  @Flag(help: "Write the position 0, 0 too, which metatag reads as no place: devices write it without a fix.")
  var allowZero = false

  @Option(help: "What to do with places and dates that photos have already.")
  var overwrite = PlainOverwrite.keep

  @OptionGroup var oldNames: KeepNamesOption
  @OptionGroup var edit: EditOptions
  @OptionGroup var instead: FallbackOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let console = Console()
    let places = try read()
    var leftOut = Walk.LeftOut()
    let named =
      files.isEmpty ? nil : Walk.photos(in: files.flatMap(\.paths), recursively: recursive, leftOut: &leftOut)
    console.keep(leftOut)
    let assignment = TableAssignment(places, photos: named, folder: table.path.removingLastComponent())
    let photos = await photos(of: assignment.inputs)
    let orphans = files.isEmpty ? [] : assignment.orphans(to: photos)
    announce(places.notes + orphans.map(\.sentence), on: console)
    let overwrite = overwrite.rule
    let names = oldNames.keepNames ? nil : NamesOfMovedPhotos(console: console)
    try await write(to: photos, on: console) { photo in
      var planner = assignment.planner(for: photo)
      planner.overwrite = overwrite
      return names?.following(planner) ?? planner
    }
  }

  private func read() throws -> PlaceTable {
    var rules = PlaceTable.Rules()
    rules.isSigned = signed
    rules.allowsZero = allowZero
    do throws(FileError) {
      return try PlaceTable(table.path, rules: rules)
    } catch {
      throw SetupError("the table \(table.path.printable): \("\(error)".printable)")
    }
  }

  /// The first of them, and how many more there are.
  private func announce(_ notes: [String], on console: Console) {
    let shown = 20
    for note in notes.prefix(shown) { console.warn("\(table.path.printable): \(note.printable)") }
    if notes.count > shown { console.warn("\(table.path.printable): and \(notes.count - shown) more such lines") }
  }
}

extension TableAssignment.Stranger {
  fileprivate var sentence: String {
    let name = row.name.printable
    return "line \(row.line): \(name) "
      + (isAmbiguous ? "may be any of several photos that have this name: it is left out" : "is none of the photos")
  }
}
