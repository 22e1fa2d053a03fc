import ArgumentParser
import Foundation
import GeoIndex
import MetaTag

/// `metatag place prepare`: expands the gazetteer in advance, for all users.
struct PlacePrepareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prepare",
    abstract: "Expand the gazetteer in advance, for all users.",
    discussion: """
      EXAMPLES:
        metatag place prepare /usr/local/share
        metatag place prepare /opt/data

      The gazetteer is compressed. The first command of a user that needs it
      expands it into the cache folder (about 120 MB, a few seconds). This command
      does that in advance, for example in a container image: then no user, and no
      process, has to wait or needs a folder to write to.

      The files are written to <folder>/metatag. metatag looks for them in the
      folders of XDG_DATA_DIRS (by default /usr/local/share and /usr/share), in
      ../share of its own folder, and in XDG_CACHE_HOME:

        XDG_DATA_DIRS=/opt/data metatag place search kyoto

      If valid files are there, nothing is written. An interrupted run leaves
      nothing that metatag would use. Prepare again after metatag was updated:
      until then, the cache folder is used.

      Exit status: 2 if the folder can't be written.
      """)

  @Argument(
    help: ArgumentHelp("Folder in which the folder 'metatag' is prepared.", valueName: "folder"),
    completion: .directory)
  var folder: PathArgument

  func run() async throws {
    let console = Console()
    let folder = FilePath(URL(folder: folder.path).standardizedFileURL.path(percentEncoded: false))
    let prepared = folder.appending("metatag")
    try Gazetteer.preparing(console) { progress in
      try Gazetteer.prepare(in: URL(folder: prepared), progress: progress)
    }
    console.print("prepared: \(prepared.printable)")
    let folders = XDGDirectories()
    let known =
      (folders.sharedData + [folders.cache]).map { URL(folder: $0) } + [Gazetteer.resourceFolder].compactMap(\.self)
    if !known.contains(where: { $0.path == URL(folder: prepared).path }) {
      console.warn("metatag finds it where XDG_DATA_DIRS contains \(folder.printable)")
    }
    try console.finish()
  }
}
