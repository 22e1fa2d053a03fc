import ArgumentParser
import MetaTag

/// `metatag date copy`: copies the date from one metadata block to all others.
struct DateCopyCommand: PhotoEditing, PhotoCopying {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Copy the date from one metadata block to all others.",
    usage: "metatag date copy --from <copy> [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date copy --from xmp *.JPG     a program corrected only XMP
        metatag date copy --from modify *.JPG  only EXIF DateTime is there
        metatag date copy --from exif --dry-run --recursive ~/Pictures

      Afterwards EXIF, XMP, IPTC and QuickTime agree. If the copied date has no time
      zone, the others keep theirs. EXIF DateTime, the time of the last change, is
      never written. Photos without that date are skipped.
      """)

  @Option(
    help: "Date to copy: from EXIF, XMP, IPTC or the movie, the date of digitizing, or EXIF DateTime (modify).")
  var from: CopyDatePlanner.Source

  @OptionGroup(title: "Files") var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup(title: "Fallback for HEIF and AVIF", visibility: .shared) var instead: FallbackOptions
  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions

  func planner(_ console: Console) -> any Planner { CopyDatePlanner(from: from) }
}
