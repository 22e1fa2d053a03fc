import ArgumentParser
import MetaTag

struct NameCommand: PhotoEditing, PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "name",
    abstract: "Write the names of the places where photos were taken.",
    usage: "metatag name [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag name *.JPG
            city, region and country of each photo that has a position
        metatag name --language de *.JPG
            München, not Munich; en: Cologne, not Köln
        metatag name --overwrite replace --dry-run --recursive .
            what would become of names that are there

      What contains the position decides: the city, by its region, county or size,
      and then the part of it. Only where nothing does, the nearest town counts.

      The names go to XMP, which is made where there is none, and to IPTC IIM where
      a photo has some. The recorded position stays as it is. Far from any town only
      region and country are named, at sea the sea.
      """)

  @Option(help: "What to do with photos that have names of places already.")
  var overwrite = PlainOverwrite.keep

  @OptionGroup var naming: NamingOptions
  @OptionGroup var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup var instead: FallbackOptions
  @OptionGroup var output: OutputOptions

  func planner(_ console: Console) throws -> any Planner { try NamePlanner(naming, overwrite.rule, console: console) }
}
