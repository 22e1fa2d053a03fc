import ArgumentParser
import Foundation
import MetaTag
import SystemPackage

/// `metatag takeout`: imports dates and locations from a Google Takeout export into its photos.
struct TakeoutCommand: PhotoCopying {
  /// How to import album names.
  enum Albums: String, ExpressibleByArgument, CaseIterable, Sendable {
    case none, keywords
  }

  /// How to import people's names.
  enum People: String, ExpressibleByArgument, CaseIterable, Sendable {
    case none, keywords
  }

  /// How to import favourites.
  enum Favorites: String, ExpressibleByArgument, CaseIterable, Sendable {
    case none, rating
  }

  static let configuration = CommandConfiguration(
    commandName: "takeout",
    abstract: "Import dates and locations from a Google Takeout export into its photos.",
    usage: "metatag takeout [<options>] <folder> ...",
    discussion: """
      EXAMPLES:
        metatag takeout --dry-run "Takeout/Google Photos"
            show what each photo would get, and from which JSON file
        metatag takeout --zone Vienna "Takeout/Google Photos/Photos from 2012"
            photos without a location get the local time in Vienna
        metatag takeout --albums keywords Takeout
            add album names as keywords
        metatag takeout --descriptions --people keywords --favorites rating Takeout
            also import descriptions, people, and favourites as five stars
        metatag takeout --dry-run --explain Takeout | less
            also list JSON files whose photo is missing

      Photos keep the dates and locations that they have: Takeout's come from the
      same source, or a worse one. Takeout writes times in UTC. They are converted
      to the zone of the photo's location, or else to --zone, or else stay in UTC.
      The position 0, 0 is ignored.

      A JSON file is matched with its photo by name, even if the name was cut,
      numbered or changed for an edited copy. A movie without a JSON file uses that
      of its still. If two files match, the photo is skipped and both are named.
      Photos and their JSON files may be in different parts of an export: unpack all
      parts into one folder, or name all their folders in one run. Import the
      exports of two people in separate runs.

      A photo with a description or a rating keeps it, unless you give --overwrite
      replace; a rating of 0 counts as none, -1 (rejected) as a rating. Descriptions
      and ratings can't be written to movies.
      """)

  @Argument(help: ArgumentHelp("Folders of the export, with their subfolders.", valueName: "folder"))
  var folders: [PathArgument] = []

  @Option(
    help: "What to do with albums: keywords adds their names to the keywords of their photos.")
  var albums = Albums.none

  @Flag(help: "Write descriptions to photos that have none.")
  var descriptions = false

  @Option(help: "What to do with people: keywords adds their names to the keywords.")
  var people = People.none

  @Option(help: "What to do with favourites: rating gives five stars to photos without a rating.")
  var favorites = Favorites.none

  @OptionGroup var oldNames: KeepNamesOption
  @OptionGroup var dating: DatingOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup(title: "Fallback for HEIF and AVIF", visibility: .shared) var instead: FallbackOptions
  @OptionGroup var confinement: ConfinementOption
  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions

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
        "metatag: \(parts.photos.printable) and \(parts.descriptions.printable) are treated as parts of one export: "
          + "\(count.pluralized("photo in the first has its JSON file", "photos in the first have their JSON files"))"
          + " in the second; if they are not, import them in two runs")
    }
    if albums == .keywords, !export.years.isEmpty {
      console.warn(
        "metatag: treated as folders of a year, not as albums, because no JSON file names them and all their photos are "
          + "from that year: \(export.years.map { "'\($0)'" }.joined(separator: ", "))")
    }
    let fields = TakeoutFields(
      places: true, albums: albums == .keywords, descriptions: descriptions, people: people == .keywords,
      favorites: favorites == .rating)
    let planner = export.planners(dating, fields, console: console)
    let names = oldNames.keepNames ? nil : NamesOfMovedPhotos(console: console)
    let catalog = edit.condition.catalog
    try await write(to: export.divided(await photos(of: export.inputs, catalog)), on: console, catalog) { photo in
      let own = planner(photo)
      return names?.following(own) ?? own
    }
  }

  private func announce(_ orphans: [FilePath], on console: Console) {
    if edit.explain { for path in orphans { console.warn("\(path.printable): its photo is not in the same folder") } }
    guard !orphans.isEmpty else { return }
    let files = orphans.count == 1 ? "1 JSON file is" : "\(orphans.count) JSON files are"
    console.warn(
      "metatag: \(files) for photos that are not in the same folder" + (edit.explain ? "" : "; --explain lists them"))
  }
}
