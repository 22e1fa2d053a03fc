import ArgumentParser
import MetaTag

struct ClearCommand: PhotoEditing {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Erase what photos say about a place.",
    usage: "metatag clear --location [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag clear --location *.JPG
        metatag clear --location --dry-run --recursive ~/Pictures/to-share

      Coordinates and names of places go from EXIF, XMP and IPTC; their bytes are
      overwritten, not only unlinked. 'metatag undo' brings them back from the
      journal on this computer.
      """)

  @Flag(help: "Erase coordinates and names of places.")
  var location = false

  @OptionGroup var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard location else { throw ValidationError("Say what to erase: --location.") }
  }

  func planner(_ console: Console) -> any Planner { ClearPlanner() }
}
