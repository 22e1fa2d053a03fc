import ArgumentParser
import MetaTag

struct DateCopyCommand: PhotoEditing, PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Make one copy of the date the date everywhere.",
    usage: "metatag date copy --from <copy> [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date copy --from xmp *.JPG     a program corrected only that in XMP
        metatag date copy --from modify *.JPG  only EXIF DateTime is there
        metatag date copy --from exif --dry-run --recursive ~/Pictures

      EXIF, XMP, IPTC and QuickTime then say the same. A zone that the copy doesn't
      record stays as the others record it. EXIF DateTime, the time of a program's
      last change, is never written. Photos that don't have that copy are left
      alone.
      """)

  @Option(
    help: "Which one: that in EXIF, XMP, IPTC or a movie's own, the date of digitizing, or EXIF DateTime (modify).")
  var from: CopyDatePlanner.Source

  @OptionGroup var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup var instead: FallbackOptions
  @OptionGroup var output: OutputOptions

  func planner(_ console: Console) -> any Planner { CopyDatePlanner(from: from) }
}
