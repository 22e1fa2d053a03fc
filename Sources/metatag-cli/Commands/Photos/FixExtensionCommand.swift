import ArgumentParser
import MetaTag

struct FixExtensionCommand: PhotoEditing {
  static let configuration = CommandConfiguration(
    commandName: "fix-extension",
    abstract: "Rename photos whose ending is missing or not that of their content.",
    discussion: """
      EXAMPLES:
        metatag fix-extension --dry-run *.JPG
        metatag fix-extension --recursive ~/Pictures

      A .JPG that holds a HEIC becomes .HEIC, a .heic that holds a JPEG .jpg; a JPEG
      without an ending that you name gets .jpg. A plain TIFF without one gets none:
      it may be a camera's raw file. Not a
      byte of it changes, no other file is overwritten, and 'metatag undo' gives the
      old name back. Sidecars and JSON files of Google Takeout that have the photo's
      whole name go along. The commands that change photos do the same with
      --fix-extension.
      """)

  @OptionGroup var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup var output: OutputOptions

  var fixesExtensions: Bool { true }

  func planner(_ console: Console) -> any Planner { NoChange() }
}
