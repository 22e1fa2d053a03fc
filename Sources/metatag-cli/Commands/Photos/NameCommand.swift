import ArgumentParser
import MetaTag

/// `metatag name`: writes place names (city, region, country) into located photos.
struct NameCommand: PhotoEditing, PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "name",
    abstract: "Write place names (city, region, country) into located photos.",
    usage: "metatag name [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag name *.JPG
            add city, region and country
        metatag name --language de *.JPG
            German names: München, not Munich
        metatag name --overwrite replace --dry-run --recursive .
            show how existing names would change

      The names are those of the city that contains the location (by its borders,
      county or size), and of the part of the city. Where no city does, the nearest
      town is used; far from any town, only the region and country; at sea, the name
      of the sea.

      The names are written to XMP, which is added if necessary, and to IPTC if the
      photo has IPTC. The recorded location stays as it is.
      """)

  @Option(help: "Whether to replace place names that photos already have.")
  var overwrite = PlainOverwrite.keep

  @OptionGroup var naming: NamingOptions
  @OptionGroup(title: "Files") var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup(title: "Fallback for HEIF and AVIF", visibility: .shared) var instead: FallbackOptions
  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions

  func planner(_ console: Console) throws -> any Planner { try NamePlanner(naming, overwrite.rule, console: console) }
}
