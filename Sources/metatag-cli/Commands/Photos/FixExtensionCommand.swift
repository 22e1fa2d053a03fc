import ArgumentParser
import MetaTag

/// `metatag fix-extension`: renames photos whose extension is missing or doesn't match their content.
struct FixExtensionCommand: PhotoEditing {
  static let configuration = CommandConfiguration(
    commandName: "fix-extension",
    abstract: "Rename photos whose extension is missing or doesn't match their content.",
    discussion: """
      EXAMPLES:
        metatag fix-extension --dry-run *.JPG
        metatag fix-extension --recursive ~/Pictures

      A .JPG that is a HEIC becomes .HEIC, a .heic that is a JPEG becomes .jpg, and
      a JPEG without an extension gets .jpg if you name it. A plain TIFF without an
      extension is skipped, because it may be a raw file. The contents don't change,
      no other file is overwritten, and 'metatag undo' restores the old name. If
      several files should get the same name, the first by its old name gets it.
      Sidecars and Google Takeout's JSON files that contain the photo's full name
      are renamed with it. Other commands that change photos do the same with
      --fix-extension.
      """)

  @OptionGroup(title: "Files") var input: InputOptions
  @OptionGroup var edit: EditOptions
  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions

  var fixesExtensions: Bool { true }

  func planner(_ console: Console) -> any Planner { NoChange() }
}
