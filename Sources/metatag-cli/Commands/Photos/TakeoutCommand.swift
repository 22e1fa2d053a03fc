import ArgumentParser
import Foundation
import MetaTag
import SystemPackage

struct TakeoutCommand: PhotoCopying {
  /// What becomes of albums.
  enum Albums: String, ExpressibleByArgument, CaseIterable, Sendable {
    case none, keywords
  }

  /// What becomes of people.
  enum People: String, ExpressibleByArgument, CaseIterable, Sendable {
    case none, keywords
  }

  /// What becomes of favourites.
  enum Favorites: String, ExpressibleByArgument, CaseIterable, Sendable {
    case none, rating
  }

  static let configuration = CommandConfiguration(
    commandName: "takeout",
    abstract: "Put the dates and places of a Google Takeout export into its photos.",
    usage: "metatag takeout [<options>] <folder> ...",
    discussion: """
      EXAMPLES:
        metatag takeout --dry-run "Takeout/Google Photos"
            what every photo in it would get, and from which JSON file
        metatag takeout --zone Europe/Vienna "Takeout/Google Photos/Photos from 2012"
            photos without a place: show what a clock in Vienna showed
        metatag takeout --albums keywords Takeout
            the names of a photo's albums become keywords of it, beside those it has
        metatag takeout --descriptions --people keywords --favorites rating Takeout
            and descriptions, who is on them, and five stars for favourites
        metatag takeout --dry-run --explain Takeout | less
            also every JSON file whose photo is not there

      Photos keep the dates and places that they record: Takeout's are from the same
      source, or worse. Takeout writes times in UTC; they are shown as a clock
      at the photo's place did, where one is known, else by --zone, else in UTC.
      The position 0, 0 is none.

      A JSON file belongs to a photo by its name, however that was cut, numbered, or
      changed for an edited copy; a movie without one shares that of the still
      beside it. Where two could be meant, the photo is left, and both are named.
      Photos and their JSON files may be in different parts of an export: unpack all
      parts into one folder, or name all their folders in one run; those of two
      people, each in a run of its own.
      Descriptions, people and favourites are taken over when that is asked for. A
      photo that has a description or a rating keeps it, also a rating of -1
      (rejected), unless --overwrite replace is given, and its row says so; a rating
      of 0 is none. Movies have no place for descriptions and ratings.
      """)

  @Argument(help: ArgumentHelp("Folders of the export, with those in them.", valueName: "folder"))
  var folders: [PathArgument] = []

  @Option(
    help: "What becomes of albums: keywords adds their names to a photo's keywords (XMP dc:subject, IPTC 2:25).")
  var albums = Albums.none

  @Flag(help: "Write descriptions to photos that have none (EXIF, and XMP and IPTC where there is some).")
  var descriptions = false

  @Option(help: "What becomes of people: keywords adds their names to a photo's keywords.")
  var people = People.none

  @Option(help: "What becomes of favourites: rating gives photos that have none, or 0, a rating of five stars.")
  var favorites = Favorites.none

  @OptionGroup var oldNames: KeepNamesOption
  @OptionGroup var dating: DatingOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup var instead: FallbackOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if folders.isEmpty { throw ValidationError("Missing expected argument '<folder> ...'") }
  }

  func run() async throws {
    let console = Console()
    let paths = folders.flatMap(\.paths)
    for path in paths {
      var status = stat()
      guard path.withPlatformString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT != S_IFDIR else { continue }
      let isPacked = ["zip", "tgz", "gz", "tar"].contains(path.extension?.lowercased())
      throw SetupError(
        "\(path.printable) is a file: "
          + (isPacked ? "unpack it first, and name the folder it becomes" : "name the folder that it is in"))
    }
    let export = TakeoutFolders(in: paths)
    console.keep(export.leftOut)
    announce(export.orphans, on: console)
    for (parts, count) in export.joined {
      console.warn(
        "metatag: \(parts.photos.printable) and \(parts.descriptions.printable) are taken for parts of one export: "
          + "\(count.pluralized("photo in the first has its JSON file", "photos in the first have their JSON files"))"
          + " in the second; name them in two runs if they are not")
    }
    if albums == .keywords, !export.years.isEmpty {
      console.warn(
        "metatag: taken for folders of a year, not for albums, as no JSON file names them and all their photos are of that "
          + "year: \(export.years.map { "'\($0)'" }.joined(separator: ", "))")
    }
    let wishes = TakeoutWishes(
      places: true, albums: albums == .keywords, descriptions: descriptions, people: people == .keywords,
      favorites: favorites == .rating)
    let planner = export.planners(dating, wishes, console: console)
    let names = oldNames.keepNames ? nil : NamesOfMovedPhotos(console: console)
    try await write(to: export.divided(await photos(of: export.inputs)), on: console) { photo in
      let own = planner(photo)
      return names?.following(own) ?? own
    }
  }

  private func announce(_ orphans: [FilePath], on console: Console) {
    if edit.explain { for path in orphans { console.warn("\(path.printable): its photo is not beside it") } }
    guard !orphans.isEmpty else { return }
    let files = orphans.count == 1 ? "1 JSON file is" : "\(orphans.count) JSON files are"
    console.warn(
      "metatag: \(files) about photos that are not beside them" + (edit.explain ? "" : "; --explain names them"))
  }
}
