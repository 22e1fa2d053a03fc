import ArgumentParser
import MetaTag
import SystemPackage

/// `metatag import-csv`: sets the locations and dates of photos from a table.
struct ImportCSVCommand: PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "import-csv",
    abstract: "Set the locations and dates of photos from a table.",
    usage: "metatag import-csv <table> [<options>] [<files> ...]",
    discussion: """
      EXAMPLES:
        metatag import-csv places.csv
            the photos named in the table
        metatag import-csv places.csv --recursive ~/Pictures
            only those of them that are in this folder
        metatag export csv *.JPG > places.csv
            write such a table; 'exiftool -csv -GPSLatitude -GPSLongitude' does too

      Columns are found by their headings:
      - file: SourceFile, path, FileName or name;
      - location: GPSLatitude, latitude or lat, and the same for longitude, in
        decimal degrees or as 48 deg 51' 24.00" N, with GPSLatitudeRef if present;
        or GPSPosition; GPSAltitude; GPSImgDirection;
      - date: DateTimeOriginal or taken, with OffsetTimeOriginal; or Date and Time.

      Decimal degrees under latitude and longitude (or lat and lon) are signed. Any
      other table whose degrees have neither a sign nor a letter is refused, because
      its hemispheres are unknown.

      A file name is looked for next to the table and in the current folder. If it
      isn't there, it is compared without its folders, and must match exactly one
      row and one of the photos that you name. Existing locations and dates are
      kept, unless you give --overwrite replace.
      """)

  @Argument(help: ArgumentHelp("Table with commas, semicolons or tabs, in UTF-8 or UTF-16.", valueName: "table"))
  var table: PathArgument

  @Argument(
    help: ArgumentHelp("Photos and movies, or folders of them. (default: those in the table)", valueName: "files"))
  var files: [PathArgument] = []

  @Flag(name: [.customShort("r"), .long], help: "Include the photos in subfolders.")
  var recursive = false

  @Flag(help: "Read degrees without a sign or letter as north and east.")
  var signed = false

  @Flag(
    help:
      "Also write the position 0, 0. Devices write it when they don't know where they are, so metatag treats it as no location."
  )
  var allowZero = false

  @Option(help: "Whether to replace locations and dates that photos already have.")
  var overwrite = PlainOverwrite.keep

  @OptionGroup var oldNames: KeepNamesOption
  @OptionGroup var edit: EditOptions
  @OptionGroup(title: "Fallback for HEIF and AVIF", visibility: .shared) var instead: FallbackOptions
  @OptionGroup var confinement: ConfinementOption
  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions

  func run() async throws {
    let console = Console()
    let places = try read()
    var leftOut = Walk.LeftOut()
    let named =
      files.isEmpty ? nil : Walk.photos(in: files.flatMap(\.paths), recursively: recursive, leftOut: &leftOut)
    console.keep(leftOut)
    let assignment = TableAssignment(places, photos: named, folder: table.path.removingLastComponent())
    let catalog = edit.condition.catalog
    let photos = await photos(of: assignment.inputs, catalog)
    let orphans = files.isEmpty ? [] : assignment.orphans(to: photos)
    announce(places.notes + orphans.map(\.sentence), on: console)
    let overwrite = overwrite.rule
    let names = oldNames.keepNames ? nil : NamesOfMovedPhotos(console: console)
    try await write(to: photos, on: console, catalog) { photo in
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
      throw SetupError("the table \(table.path.printable): \(error.words.printable)")
    }
  }

  /// Prints the first notes, and how many more there are.
  private func announce(_ notes: [String], on console: Console) {
    let shown = 20
    for note in notes.prefix(shown) { console.warn("\(table.path.printable): \(note.printable)") }
    if notes.count > shown { console.warn("\(table.path.printable): and \(notes.count - shown) more such lines") }
  }
}

extension TableAssignment.UnmatchedRow {
  fileprivate var sentence: String {
    let name = row.name.printable
    return "line \(row.line): \(name) "
      + (isAmbiguous ? "matches several photos of this name and is left out" : "is not one of the photos")
  }
}
